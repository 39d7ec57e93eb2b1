package events

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const vote = `{"learning_id":"l","task_id":"t","helpful":true}`

// voteEnvelope is the event that most tests send.
func voteEnvelope() Envelope {
	return Envelope{
		ID: "1", Source: "/agents/7", Kind: FeedbackLearning.Kind,
		Time: time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC), Data: []byte(vote),
	}
}

func voteHeader() map[string][]string {
	return map[string][]string{
		"ce-specversion": {"1.0"}, "ce-id": {"1"}, "ce-source": {"/agents/7"},
		"ce-type": {"dev.learnloop.feedback.learning.v1"}, "ce-time": {"2026-03-02T09:15:00Z"},
	}
}

// structured is a vote as one JSON object, with more members.
func structured(more string) string {
	return `{"specversion":"1.0","id":"1","source":"/agents/7","type":"dev.learnloop.feedback.learning.v1","time":"2026-03-02T09:15:00Z"` + more + `}`
}

// one unpacks a message of one event that is accepted.
func one(t *testing.T, header map[string][]string, body string) Envelope {
	t.Helper()
	items := Unpack(header, []byte(body))
	if len(items) != 1 || items[0].Refused() {
		t.Fatalf("unpacked %+v", items)
	}
	return items[0].Envelope
}

func contentType(value string) map[string][]string {
	return map[string][]string{"Content-Type": {value}}
}

func same(t *testing.T, got, want Envelope) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBinaryModeOfNATSAndHTTPIsRead(t *testing.T) {
	for name, change := range map[string]func(map[string][]string){
		"as specified for NATS":   func(h map[string][]string) { h["ce-datacontenttype"] = []string{"application/json"} },
		"as specified for HTTP":   func(h map[string][]string) { h["Content-Type"] = []string{"application/json; charset=utf-8"} },
		"without a content type":  func(map[string][]string) {},
		"in another case":         func(h map[string][]string) { h["CE-Id"], h["ce-id"] = h["ce-id"], nil; delete(h, "ce-id") },
		"quoted":                  func(h map[string][]string) { h["ce-id"] = []string{`"\1"`} },
		"with space around":       func(h map[string][]string) { h["ce-id"] = []string{" 1\t"} },
		"needlessly encoded":      func(h map[string][]string) { h["ce-source"] = []string{"%2Fagents%2f7"} },
		"with other headers":      func(h map[string][]string) { h["Nats-Msg-Id"], h["x"] = []string{"1"}, nil },
		"with a JSON suffix type": func(h map[string][]string) { h["content-type"] = []string{"application/vnd.vote+json"} },
	} {
		t.Run(name, func(t *testing.T) {
			h := voteHeader()
			change(h)
			same(t, one(t, h, vote), voteEnvelope())
		})
	}
}

func TestStructuredModeIsRead(t *testing.T) {
	b64 := base64.StdEncoding.EncodeToString([]byte(vote))
	for name, c := range map[string]struct {
		header map[string][]string
		body   string
	}{
		"over HTTP":                  {contentType("application/cloudevents+json"), structured(`,"data":` + vote)},
		"with a charset":             {contentType("application/cloudevents+json; charset=UTF-8"), structured(`,"data":` + vote)},
		"with another case":          {map[string][]string{"content-type": {"Application/CloudEvents+JSON"}}, structured(`,"data":` + vote)},
		"as specified for NATS":      {contentType("application/cloudevents"), structured(`,"data":` + vote)},
		"without any header":         {nil, structured(`,"data":` + vote)},
		"with unset attributes":      {nil, structured(`,"subject":null,"unsetextension":null,"data":` + vote)},
		"with its content type":      {nil, structured(`,"datacontenttype":"application/json","data":` + vote)},
		"with data in Base64":        {nil, structured(`,"data_base64":"` + b64 + `"`)},
		"with data first, and space": {nil, " {\"data\" : " + vote + " , " + structured("")[1:] + "\n"},
		"with escapes":               {nil, strings.Replace(structured(`,"data":`+vote), `"id":"1"`, `"\u0069d":"\u0031"`, 1)},
		"with headers as well":       {map[string][]string{"Content-Type": {ContentStructured}, "ce-id": {"other"}}, structured(`,"data":` + vote)},
	} {
		t.Run(name, func(t *testing.T) { same(t, one(t, c.header, c.body), voteEnvelope()) })
	}
}

func TestExtensionsOfEveryTypeAreKept(t *testing.T) {
	want := voteEnvelope()
	want.Subject = "Euro € 😀"
	want.Extensions = map[string]string{
		"comexampleextension1": "value", "comexampleothervalue": "5", "flag": "true",
		"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "dataschema": "https://example.com/vote",
	}
	body := structured(`,"comexampleextension1":"value","comexampleothervalue":5,"flag":true,"subject":"Euro € 😀",` +
		`"dataschema":"https://example.com/vote","traceparent":"` + want.Extensions["traceparent"] + `","data":` + vote)
	same(t, one(t, nil, body), want)

	h := voteHeader()
	h["ce-subject"] = []string{"Euro%20%E2%82%AC%20%F0%9F%98%80"}
	for name, value := range want.Extensions {
		h["Ce-"+strings.ToUpper(name[:1])+name[1:]] = []string{value}
	}
	same(t, one(t, h, vote), want)
	h["ce-subject"] = []string{"Euro € 😀"} // as the Go SDK sends it
	same(t, one(t, h, vote), want)
	h["ce-subject"] = []string{"50% of 100%zz"} // not encoded at all
	want.Subject = "50% of 100%zz"
	same(t, one(t, h, vote), want)
}

func TestEnvelopesThatAreWrongAreRefusedByAttribute(t *testing.T) {
	long := strings.Repeat("x", MaxAttribute+1)
	for name, c := range map[string]struct{ old, new, pointer, expected string }{
		"another version":          {`"specversion":"1.0"`, `"specversion":"0.3"`, "/specversion", "1.0"},
		"a version as a number":    {`"specversion":"1.0"`, `"specversion":1.0`, "/*", "strings"},
		"no version":               {`"specversion":"1.0",`, ``, "/specversion", "1.0"},
		"no id":                    {`"id":"1",`, ``, "/id", "required"},
		"an empty id":              {`"id":"1"`, `"id":""`, "/id", "not empty"},
		"a null id":                {`"id":"1"`, `"id":null`, "/id", "required"},
		"a number as id":           {`"id":"1"`, `"id":1`, "/id", "a string"},
		"an id of two lines":       {`"id":"1"`, `"id":"1\r\nce-type: x"`, "/id", "control"},
		"a long id":                {`"id":"1"`, `"id":"` + long + `"`, "/id", "2048"},
		"two ids":                  {`"id":"1"`, `"id":"1","id":"2"`, "/id", "once"},
		"no source":                {`"source":"/agents/7",`, ``, "/source", "required"},
		"a source that is none":    {`"source":"/agents/7"`, `"source":"%zz"`, "/source", "URI"},
		"no type":                  {`"type":"dev.learnloop.feedback.learning.v1",`, ``, "/type", "required"},
		"a time that is none":      {`"time":"2026-03-02T09:15:00Z"`, `"time":"yesterday"`, "/time", "RFC 3339"},
		"a time as a number":       {`"time":"2026-03-02T09:15:00Z"`, `"time":5`, "/time", "a string"},
		"no data":                  {`"data":` + vote, `"subject":"s"`, "/data", "data"},
		"data twice":               {`"data":` + vote, `"data":{},"data_base64":"e30="`, "/data", "once"},
		"Base64 that is none":      {`"data":` + vote, `"data_base64":"secret!"`, "/data_base64", "Base64"},
		"data that is XML":         {`"data":` + vote, `"datacontenttype":"application/xml","data":"<secret/>"`, "/datacontenttype", "JSON"},
		"data in Latin-1":          {`"data":` + vote, `"datacontenttype":"application/json; charset=latin1","data":{}`, "/datacontenttype", "UTF-8"},
		"an extension in capitals": {`"id":"1"`, `"id":"1","mySecret":"x"`, "/*", "lower-case"},
		"an extension of objects":  {`"id":"1"`, `"id":"1","secret":{}`, "/*", "strings"},
		"an extension of floats":   {`"id":"1"`, `"id":"1","secret":1.5`, "/*", "strings"},
		"a control character":      {`"id":"1"`, `"id":"1","secret":"\u0000"`, "/*", "control"},
		"another language":         {`"id":"1"`, `"id":"1","géheim":"x"`, "/*", "lower-case"},
	} {
		t.Run(name, func(t *testing.T) {
			body := structured(`,"data":` + vote)
			changed := strings.Replace(body, c.old, c.new, 1)
			if changed == body {
				t.Fatal("nothing changed")
			}
			items := Unpack(nil, []byte(changed))
			if len(items) != 1 || items[0].Reason != ReasonMalformed {
				t.Fatalf("unpacked %+v", items)
			}
			if !slices.ContainsFunc(items[0].Violations, func(v Violation) bool {
				return v.Pointer == c.pointer && strings.Contains(v.Expected, c.expected)
			}) {
				t.Errorf("%v names no %s at %s", items[0].Violations, c.expected, c.pointer)
			}
			if s := fmt.Sprint(items[0].Violations); strings.Contains(strings.ToLower(s), "secret") {
				t.Errorf("tells what was sent: %s", s)
			}
		})
	}
}

func TestHeadersThatAreWrongAreRefused(t *testing.T) {
	for name, change := range map[string]func(map[string][]string){
		"an overlong encoding":  func(h map[string][]string) { h["ce-id"] = []string{"%C0%A0"} },
		"two lines":             func(h map[string][]string) { h["ce-id"] = []string{"1%0D%0Ace-type:x"} },
		"two values":            func(h map[string][]string) { h["ce-id"] = []string{"1", "1"} },
		"two spellings":         func(h map[string][]string) { h["Ce-Id"] = []string{"1"} },
		"a name of punctuation": func(h map[string][]string) { h["ce-my_name"] = []string{"1"} },
		"no name":               func(h map[string][]string) { h["ce-"] = []string{"1"} },
		"no value":              func(h map[string][]string) { h["ce-id"] = []string{""} },
		"a type of text":        func(h map[string][]string) { h["Content-Type"] = []string{"text/plain"} },
		"two types": func(h map[string][]string) {
			h["Content-Type"], h["ce-datacontenttype"] = []string{"text/plain"}, []string{"text/xml"}
		},
		"many extensions": func(h map[string][]string) {
			for n := range MaxExtensions + 1 {
				h[fmt.Sprintf("ce-x%d", n)] = []string{"1"}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := voteHeader()
			change(h)
			if items := Unpack(h, []byte(vote)); len(items) != 1 || items[0].Reason != ReasonMalformed {
				t.Errorf("unpacked %+v", items)
			}
		})
	}
	for _, content := range []string{
		"application/json", "application/cloudevents+avro", "application/cloudevents+json; charset=utf-16",
		"application/cloudevents-batch+xml", ";",
	} {
		if items := Unpack(contentType(content), []byte(structured(`,"data":`+vote))); len(items) != 1 || items[0].Reason != ReasonMalformed {
			t.Errorf("%s: unpacked %+v", content, items)
		}
	}
}

func TestForeignTypesAndVersionsAreUnknown(t *testing.T) {
	for _, foreign := range []string{
		"com.example.someevent", "dev.learnloop.feedback.learning.v2", "dev.learnloop.feedback.learning",
		"dev.learnloop..v1", "feedback.learning",
	} {
		body := strings.Replace(structured(`,"data":`+vote), "dev.learnloop.feedback.learning.v1", foreign, 1)
		items := Unpack(nil, []byte(body))
		if len(items) != 1 || items[0].Reason != ReasonUnknownType || items[0].Kind != "" {
			t.Errorf("%s: unpacked %+v", foreign, items)
		}
		if items[0].ID != "1" || items[0].Type != foreign {
			t.Errorf("%s: id %q, type %q", foreign, items[0].ID, items[0].Type)
		}
	}
}

func TestABatchGoesOnAfterABrokenEvent(t *testing.T) {
	good := structured(`,"data":` + vote)
	bad := strings.Replace(good, "1.0", "0.3", 1)
	for name, c := range map[string]struct {
		body string
		want []bool // accepted
	}{
		"empty":              {`[]`, nil},
		"empty with space":   {" [ \n] ", nil},
		"two":                {`[` + good + `,` + good + `]`, []bool{true, true}},
		"a bad one":          {`[` + good + `,` + bad + `,` + good + `]`, []bool{true, false, true}},
		"a number":           {`[` + good + `, 5 ,` + good + `]`, []bool{true, false, true}},
		"broken inside":      {`[` + good + `,{"data":{"a":NaN,]}},` + good + `]`, []bool{true, false, true}},
		"not JSON inside":    {`[` + good + `,{"data":NaN},` + good + `]`, []bool{true, false, true}},
		"nothing between":    {`[` + good + `,,` + good + `]`, []bool{true, false, true}},
		"a comma at the end": {`[` + good + `,]`, []bool{true, false}},
		"cut off":            {`[` + good + `,{"id":"x`, []bool{true, false, false}},
		"more behind":        {`[` + good + `] x`, []bool{true, false}},
		"no array":           {good, []bool{false}},
		"nothing":            {``, []bool{false}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, content := range []string{"application/cloudevents-batch+json", "application/cloudevents-batch+json; charset=UTF-8"} {
				var got []bool
				for _, item := range Unpack(contentType(content), []byte(c.body)) {
					got = append(got, !item.Refused())
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("%s: accepted %v, want %v", content, got, c.want)
				}
			}
		})
	}
}

func TestHostileMessagesLeaveFewRefusals(t *testing.T) {
	items := Unpack(contentType(ContentBatch), []byte("["+strings.Repeat(",", 100_000)+"]"))
	if len(items) != MaxBatch+1 || items[MaxBatch].Reason != ReasonTooLarge {
		t.Errorf("%d items, the last %+v", len(items), items[len(items)-1])
	}
	items = Unpack(nil, []byte(structured(strings.Repeat(`,"x":{},"Y":1`, 1000))))
	if v := items[0].Violations; len(items) != 1 || len(v) != 3 || v[0].Pointer != "/data" || v[1].Pointer != "/*" {
		t.Errorf("%+v", v)
	}
}

func TestOnlySomeSubjectsCarryWhatNeedsPermission(t *testing.T) {
	for _, c := range []struct {
		subject string
		kind    Kind
		want    bool
	}{
		{"learn.in.feedback.fix", "feedback.fix", true},
		{"learn.in.batch", "feedback.fix", true},
		{"learn.in.task.finished", "feedback.fix", true},
		{"learn.ev.1.feedback.fix", "feedback.fix", false},
		{"learn.in.feedback.fix", "control.settings.changed", false},
		{"learn.in.control.settings.changed", "control.settings.changed", true},
		{"learn.in.control.batch", "control.clock.tick", true},
		{"learn.in.controls", "control.clock.tick", false},
		{"learn.in.learning.created", "learning.created", true},
		{"learn.in.learning.created", "learning.proposed", true},
		{"learn.in.learning.created", "learning.reviewed", false},
		{"learn.in.learning.reviewed", "learning.reviewed", true},
		{"learn.in.learning.revised", "learning.archived", false},
		{"learn.in.learning.superseded", "learning.superseded", true},
	} {
		if got := AllowedOn(c.subject, c.kind); got != c.want {
			t.Errorf("%s on %s: %v", c.kind, c.subject, got)
		}
	}
}

func TestAnEnvelopeThatIsCutOffAnywhereIsRefused(t *testing.T) {
	whole := `{"specversion":"1.0","id":"a","source":"/s","type":"dev.learnloop.task.output.v1","data":{"task_id":"t","output":"x"}}`
	for _, content := range []string{ContentStructured, ContentBatch} {
		header := map[string][]string{"Content-Type": {content}}
		for n := range len(whole) {
			body := whole[:n]
			if content == ContentBatch {
				body = "[" + body
			}
			for _, item := range Unpack(header, []byte(body)) {
				if !item.Refused() {
					t.Errorf("%s cut off after %d bytes is accepted", content, n)
				}
			}
		}
	}
}
