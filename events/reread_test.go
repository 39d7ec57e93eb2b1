package events

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

// fullFix is a decision as the log keeps it, with every member set.
func fullFix(text string) *Fact[FixFeedback] {
	f := new(Fact[FixFeedback])
	fill(reflect.ValueOf(f).Elem(), text)
	f.Seq = 0
	return f
}

// fill sets everything that JSON shows to something.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint64:
		v.SetUint(7)
	case reflect.Float64:
		v.SetFloat(0.75)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text)
	case reflect.Struct:
		if at, ok := reflect.TypeAssert[*time.Time](v.Addr()); ok {
			*at = time.Date(2026, 3, 2, 11, 12, 13, 450_000_000, time.UTC)
			return
		}
		for _, field := range v.Fields() {
			fill(field, text)
		}
	default:
		panic(v.Type().String() + " is not known here")
	}
}

func TestADecisionIsReadTheShortWay(t *testing.T) {
	bare := &Fact[FixFeedback]{Head: Head{Type: FeedbackFix.Kind.Type()}}
	for name, f := range map[string]*Fact[FixFeedback]{
		"whole": fullFix("x"), "bare": bare, "empty": fullFix(""),
		"escapes": fullFix("a \"b\"\n\\ \u2028 <&>"), "other alphabets": fullFix("їжак 猫 🦊"), "long": fullFix(strings.Repeat("word ", 500)),
	} {
		data, err := Encode(f)
		if err != nil {
			t.Fatal(err)
		}
		got := new(Fact[FixFeedback])
		if !reread(data, &got.Head, &got.Data) {
			t.Errorf("%s is not read: %s", name, data)
		}
		if diff := cmp.Diff(f, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// rereadAlike holds the short way to the decoder.
func rereadAlike(t *testing.T, data []byte) {
	t.Helper()
	short, long := new(Fact[FixFeedback]), new(Fact[FixFeedback])
	if !reread(data, &short.Head, &short.Data) {
		return
	}
	if err := json.Unmarshal(data, long); err != nil {
		t.Fatalf("read without an error, but %v: %s", err, data)
	}
	if !reflect.DeepEqual(short, long) {
		t.Fatalf("(-decoder +short way):\n%s", cmp.Diff(long, short))
	}
}

func TestWhateverIsReadTheShortWayTheDecoderReadsAlike(t *testing.T) {
	whole, err := Encode(fullFix("näme"))
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{
		"", "{", "}", "\"", "\\", "\\u0041", "\\ud83d", "\x00", "\x1f", "\x7f", "\xff", "é",
		"null", "0", "-1", "1e3", ".", " ", "Z", ",", "[", ":",
	} {
		for i := range len(whole) + 1 {
			rereadAlike(t, []byte(string(whole[:i])+bad+string(whole[i:])))
			rereadAlike(t, []byte(string(whole[:i])+bad+string(whole[min(i+1, len(whole)):])))
		}
	}
	for i := range whole {
		rereadAlike(t, whole[:i])
	}
}

func FuzzFactsAreReadAlike(f *testing.F) {
	for _, text := range []string{"x", "", "a \"b\"\n", "їжак \\u0041"} {
		data, err := Encode(fullFix(text))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"specversion":"1.0","part":12,"data":{"original_confidence":0.5,"derived":{"longest_text":0}}}`))
	f.Fuzz(rereadAlike)
}
