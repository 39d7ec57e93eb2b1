package app

import (
	"strings"
	"testing"
)

func TestAStageThatIsNotUnderstoodSaysWhereItIsExplained(t *testing.T) {
	for _, args := range [][]string{{"--nonsense"}, {"extra"}, {"--set", "nonsense=1"}} {
		var said strings.Builder
		if code := Main(Ingest, "takes events in", args, &said); code != exitUsage || !strings.HasSuffix(said.String(), "\nhint: see ingest --help\n") {
			t.Errorf("%q: exit code %d: %s", args, code, said.String())
		}
	}
}
