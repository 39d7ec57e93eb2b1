package events

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

func TestIDsAreStringsOrIntegersOf64Bits(t *testing.T) {
	for data, want := range map[string]string{
		`"a b"`: "a b", `""`: "", `null`: "", `0`: "0", `-0`: "0", `-12`: "-12", `"007"`: "007",
		`18446744073709551615`: "18446744073709551615", `-9223372036854775808`: "-9223372036854775808",
		`18446744073709551616`: "!", `-9223372036854775809`: "!", `1.0`: "!", `1e3`: "!", `true`: "!", `{}`: "!", `["a"]`: "!",
	} {
		var id ID
		err := json.Unmarshal([]byte(data), &id)
		if (err != nil) != (want == "!") || err == nil && string(id) != want {
			t.Errorf("%s: read %q, %v", data, id, err)
		}
		if err != nil && strings.Contains(err.Error(), "9223") {
			t.Errorf("%s: the error repeats it: %v", data, err)
		}
	}
}

func TestTagsAreOneStringOrSeveral(t *testing.T) {
	for data, want := range map[string]Tags{
		`"a"`: {"a"}, `""`: {}, `[]`: {}, `["a","b"]`: {"a", "b"}, `null`: nil, `"a,b"`: {"a,b"},
	} {
		var tags Tags
		if err := json.Unmarshal([]byte(data), &tags); err != nil {
			t.Errorf("%s: %v", data, err)
		}
		if diff := cmp.Diff(want, tags); diff != "" {
			t.Errorf("%s (-want +got):\n%s", data, diff)
		}
	}
	for _, data := range []string{`5`, `{}`, `[5]`, `true`} {
		var tags Tags
		if err := json.Unmarshal([]byte(data), &tags); err == nil {
			t.Errorf("%s: read %v", data, tags)
		}
	}
}

func TestClearedTagsStayApartFromAbsentOnesWhenStored(t *testing.T) {
	for _, want := range []Revision{{ID: "l"}, {ID: "l", Tags: Tags{}}, {ID: "l", Tags: Tags{"a"}}} {
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got Revision
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", data, diff)
		}
	}
}
