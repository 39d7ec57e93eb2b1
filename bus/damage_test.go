package bus

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// stopped is the folder of a server that has stored a message, and of its messages.
func stopped(t *testing.T) (dir, messages string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "a[b") // a folder may have any name
	s, err := Serve(Options{Dir: dir, StoreKey: testKey})
	if err != nil {
		t.Fatal(err)
	}
	js := ensured(t, s)
	if _, err := NewAppender(js.Conn(), EventsStream).Append(t.Context(), facts(0, 3, 10)); err != nil {
		t.Fatal(err)
	}
	js.Conn().Close()
	s.Shutdown()
	return dir, filepath.Join(dir, "jetstream", "$G", "streams", EventsStream, "msgs")
}

func TestAFileOfMessagesThatWasOnlyBegunCostsNothing(t *testing.T) {
	dir, messages := stopped(t)
	if err := os.WriteFile(filepath.Join(messages, "2.blk"), nil, 0o600); err != nil { // a kill before its key was there
		t.Fatal(err)
	}
	s, err := Serve(Options{Dir: dir, StoreKey: testKey})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Shutdown()
	js := ensured(t, s)
	if last, err := Last(t.Context(), js, EventsStream); err != nil || last != 3 {
		t.Errorf("the log ends at %d, %v", last, err)
	}
}

func TestAStreamThatCannotBeReadIsNotBegunAnew(t *testing.T) {
	for name, spoil := range map[string]func(messages string) error{
		"key":  func(messages string) error { return os.Remove(filepath.Join(messages, "1.key")) },
		"meta": func(messages string) error { return os.Remove(filepath.Join(filepath.Dir(messages), "meta.inf")) },
		"sum": func(messages string) error {
			return os.WriteFile(filepath.Join(filepath.Dir(messages), "meta.sum"), []byte("0"), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, messages := stopped(t)
			before, err := os.ReadFile(filepath.Join(messages, "1.blk"))
			if err := errors.Join(err, spoil(messages)); err != nil {
				t.Fatal(err)
			}
			s, err := Serve(Options{Dir: dir, StoreKey: testKey})
			if err == nil {
				s.Shutdown()
			}
			if !errors.Is(err, ErrStoreDamaged) || !strings.Contains(err.Error(), EventsStream) {
				t.Errorf("got %v", err)
			}
			if after, err := os.ReadFile(filepath.Join(messages, "1.blk")); err != nil || string(after) != string(before) {
				t.Error("the messages were touched", err)
			}
		})
	}
}

func TestAFileOfMessagesThatWasCutOffIsTold(t *testing.T) {
	for what, spoil := range map[string]func(file string) error{
		"was cut off": func(file string) error { return os.Truncate(file, 100) },
		"is gone":     os.Remove,
	} {
		dir, messages := stopped(t)
		for again := range 2 {
			var told []string
			s, err := Serve(Options{Dir: dir, StoreKey: testKey, Warn: func(msg string) { told = append(told, msg) }})
			if err != nil {
				t.Fatal(err)
			}
			s.Shutdown()
			if said := strings.Join(told, "\n"); strings.Contains(said, "1.blk of stream "+EventsStream+" "+what) != (again == 1) {
				t.Errorf("%s: told %q", what, said)
			}
			if again == 0 {
				if err := spoil(filepath.Join(messages, "1.blk")); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

func TestAFileOfMessagesThatWasCutOffAfterAKillIsTold(t *testing.T) {
	dir := t.TempDir()
	s, err := Serve(Options{Dir: dir, StoreKey: testKey})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Shutdown()
	js := ensured(t, s)
	if _, err := NewAppender(js.Conn(), EventsStream).Append(t.Context(), facts(0, 3, 10)); err != nil {
		t.Fatal(err)
	}
	js.Conn().Close()
	for _, cut := range []int64{0, 5} {
		killed := filepath.Join(t.TempDir(), "killed")
		if err := os.CopyFS(killed, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(killed, "jetstream", "$G", "streams", EventsStream, "msgs", "1.blk")
		info, err := os.Stat(file)
		if err == nil {
			err = os.Truncate(file, info.Size()-cut)
		}
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		after, err := Serve(Options{Dir: killed, StoreKey: testKey, Warn: func(msg string) { told = append(told, msg) }})
		if err != nil {
			t.Fatal(err)
		}
		after.Shutdown()
		if said := strings.Join(told, "\n"); strings.Contains(said, "bytes of stream "+EventsStream+" could not be read") != (cut > 0) {
			t.Errorf("cut by %d: told %q", cut, said)
		}
	}
}

func TestWhatIsMissingIsToldInOrder(t *testing.T) {
	dir := t.TempDir()
	sizes := map[string]int64{}
	for n := range 9 {
		sizes[fmt.Sprintf("jetstream/$G/streams/LOG/msgs/%d.blk", n)] = 1
	}
	data, err := json.Marshal(sizes)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, inventoryFile), data, 0o600); err != nil {
		t.Fatal(err)
	}
	told, err := compareInventory(dir)
	if err != nil || len(told) != len(sizes) || !slices.IsSorted(told) {
		t.Errorf("told %q, %v", told, err)
	}
}
