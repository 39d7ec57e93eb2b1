package events

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// oddEnvelope has everything that is hard to carry.
func oddEnvelope() Envelope {
	e := voteEnvelope()
	e.ID, e.Source, e.Subject = `100% "*.>" a b`, "/ä/%41", "Euro € 😀"
	e.Time = time.Date(2026, 3, 2, 9, 15, 0, 123456789, time.FixedZone("", 3600))
	e.Extensions = map[string]string{ExtReplay: "r-1", "dataschema": "https://example.com/a?b=c"}
	return e
}

func TestWhatIsEncodedIsReadBack(t *testing.T) {
	for _, want := range []Envelope{voteEnvelope(), oddEnvelope()} {
		header, body := EncodeBinary(want)
		same(t, one(t, header, string(body)), want)

		body, err := EncodeStructured(want)
		if err != nil {
			t.Fatal(err)
		}
		same(t, one(t, contentType(ContentStructured), string(body)), want)

		body, err = EncodeBatch([]Envelope{want, voteEnvelope()})
		if err != nil {
			t.Fatal(err)
		}
		items := Unpack(contentType(ContentBatch), body)
		if len(items) != 2 || items[0].Refused() || items[1].Refused() {
			t.Fatalf("unpacked %+v", items)
		}
		same(t, items[0].Envelope, want)
		same(t, items[1].Envelope, voteEnvelope())
	}
}

func TestAnEmptyBatchIsAnEmptyArray(t *testing.T) {
	if body, err := EncodeBatch(nil); string(body) != "[]" || err != nil {
		t.Errorf("encoded %q, %v", body, err)
	}
}

func TestHeadersAreEncodedAsTheSpecificationShows(t *testing.T) {
	e := voteEnvelope()
	e.Subject = "Euro € 😀"
	header, _ := EncodeBinary(e)
	want := voteHeader()
	want["ce-subject"] = []string{"Euro%20%E2%82%AC%20%F0%9F%98%80"}
	want["ce-datacontenttype"] = []string{"application/json"}
	if diff := cmp.Diff(want, header); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDataThatIsNotJSONIsNotEncodedNorQuoted(t *testing.T) {
	for _, data := range []string{"", "secret", "{} {}", `{"secret":1,"secret":2}`} {
		e := voteEnvelope()
		e.Data = []byte(data)
		if body, err := EncodeStructured(e); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: encoded %q, %v", data, body, err)
		}
		if body, err := EncodeBatch([]Envelope{e}); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: encoded %q, %v", data, body, err)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	good := structured(`,"data":` + vote)
	for _, content := range []string{"", ContentStructured, ContentBatch, "application/json"} {
		for _, body := range []string{good, "[" + good + "," + good + "]", vote, `[{"data":"\ud800"}]`, `{"data_base64":"e30="}`} {
			f.Add(content, "id%201", body)
		}
	}
	f.Fuzz(func(t *testing.T, content, id, body string) {
		h := voteHeader()
		h["ce-id"], h["Content-Type"] = []string{id}, []string{content}
		for _, item := range Unpack(h, []byte(body)) {
			if item.Refused() != (len(item.Violations) > 0) {
				t.Fatalf("reason %q, violations %v", item.Reason, item.Violations)
			}
			if item.Refused() {
				continue
			}
			if !utf8.ValidString(item.ID) || strings.ContainsAny(item.ID, "\r\n\x00") || item.ID == "" {
				t.Fatalf("accepted the id %q", item.ID)
			}
			header, data := EncodeBinary(item.Envelope)
			same(t, one(t, header, string(data)), item.Envelope)
			if structured, err := EncodeStructured(item.Envelope); err == nil {
				again := one(t, nil, string(structured))
				again.Data, item.Data = nil, nil // written more tightly
				same(t, again, item.Envelope)
			}
		}
	})
}
