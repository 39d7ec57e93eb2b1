package app_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/store"
)

// secret is something invented that must never be found again, and the part of
// it to look for.
type secret struct{ name, text, trace string }

var secrets = []secret{
	{"e-mail", "maria.mustermann@mail.example.org", "mustermann"},
	{"card", "4556 7375 8689 9855", "7375 8689"},
	{"IBAN", "DE89 3704 0044 0532 0130 00", "0044 0532"},
	{"SSN", "536-22-8726", "22-8726"},
	{"IPv4", "198.51.100.217", "51.100.217"},
	{"IPv6", "2001:db8:85a3::8a2e:370:7334", "8a2e:370"},
	{"MAC", "00:1b:44:11:3a:b7", "44:11:3a"},
	{"phone", "+1 415 555 2671", "555 2671"},
	{"cloud key", "AKIA" + "Q3ZJ7PLMX2VDNW5T", "Q3ZJ7PLMX2"},
	{"forge token", "ghp_" + "x9Kd03mQvR7tLz2WbN5yHc8PfJs1GaUe4iXo", "x9Kd03mQvR7t"},
	{"JWT", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtYXJpYSJ9.4Xw9vBq1Zr7LkTn3HsPd8CyJmEoUgAi2", "4Xw9vBq1Zr7L"},
	{"PEM", "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----", "MIIEvQIBADANBgkqhkiG"},
	{"password", "password=Tr0ub4dor-and-3", "Tr0ub4dor"},
	{"bearer", "Authorization: Bearer mF9XB5f4JqM1kPz8Lw", "mF9XB5f4Jq"},
	{"URL", "https://admin:s3cr3tpw@db.intern.example/x", "s3cr3tpw"},
}

// fields stand for a secret in the templates below: alone, and within a text.
func (s secret) plant(template string) string {
	text := quoted(s.text)
	return strings.NewReplacer(`"ID"`, text, `"TEXT"`, `"Please note `+text[1:len(text)-1]+` in your answer"`).Replace(template)
}

const (
	plantedFix = `{"feedback_id":"ID","suggestion_id":"ID","deviation_id":"ID","rule_id":"ID","category":"ID","decision":"modified",
		"original_text":"TEXT","suggested_text":"TEXT","final_text":"TEXT","user_modification":"TEXT","user_comment":"TEXT",
		"user_id":"ID","language":"ID","model":"ID"}`
	plantedRejection = `{"suggestion_id":"s","deviation_id":"d","rule_id":"wordy","category":"style","decision":"rejected",
		"original_text":"TEXT","suggested_text":"TEXT","user_comment":"TEXT","user_id":"ID"}`
	plantedExchange = `{"exchange_id":"ID","session_id":"ID","user_text":"TEXT","agent_text":"TEXT","user_id":"ID",
		"corrections":["TEXT",{"ID":"TEXT"}],"model":"ID","retrieved_ids":["ID","TEXT"]}`
	// Of an exchange that is known, and of one that is not.
	plantedResponse = `{"exchange_id":"ID","feedback_type":"copy","feedback_text":"TEXT"}`
	plantedOrphan   = `{"exchange_id":"TEXT","feedback_type":"copy","feedback_text":"TEXT"}`
	// Envelopes carry no line breaks.
	plantedEnvelope = `{"specversion":"1.0","id":"ID","source":"urn:x","subject":"ID","replayid":"ID","traceparent":"ID","custom":"ID",
		"type":"dev.learnloop.feedback.fix.v1","data":`
)

// events are a secret in every text of everything.
func (s secret) events() []string {
	list := []string{
		event("fix "+s.name, fixType, s.plant(plantedFix)),
		event("exchange "+s.name, "dev.learnloop.exchange.recorded.v1", s.plant(plantedExchange)),
		event("response "+s.name, "dev.learnloop.feedback.response.v1", s.plant(plantedResponse)),
		event("orphan "+s.name, "dev.learnloop.feedback.response.v1", s.plant(plantedOrphan)),
	}
	for range 3 { // enough for a pattern and a reason
		list = append(list, event(s.name+strings.Repeat("+", len(list)), fixType, s.plant(plantedRejection)))
	}
	if !strings.Contains(s.text, "\n") {
		list = append(list, s.plant(plantedEnvelope+fix("envelope"))+"}",
			s.plant(plantedEnvelope+fix("envelope", "accepted", s.text))+"}",
			strings.Replace(s.plant(plantedEnvelope+fix("envelope"))+"}", "urn:x", "/agents of "+s.text, 1))
	}
	return list
}

func TestWhatIsPlantedIsFoundNowhere(t *testing.T) {
	for _, mode := range []string{"full", "pattern", "strict"} {
		t.Run(mode, func(t *testing.T) {
			a := meet(t, t.TempDir(), "privacy.text_mode="+mode)
			var planted []string
			for _, s := range secrets {
				planted = append(planted, s.events()...)
			}
			a.publish(t, batch(planted...))
			a.post(t, batch(planted...))
			a.drained(t)
			a.reflected(t, 2*5*len(secrets))
			a.combStreams(t)
			a.combState(t)
			a.combAnswers(t)
			if _, body := a.ask(t, "GET /api/rules/wordy", message{}); mode == "full" && !strings.Contains(string(body), "_1] in your answer") {
				t.Errorf("what stood around the secrets is not kept: %s", body)
			}
			a.stop()
			combFolder(t, a.data, true)
		})
	}
}

// found reports the secrets of which a text holds a trace, as it is or encoded
// as a part of a key.
func found(text string) (names []string) {
	text = strings.ToLower(text)
	for _, s := range secrets {
		for _, trace := range []string{s.trace, events.Token(s.trace), strings.ReplaceAll(s.trace, " ", "")} {
			if strings.Contains(text, strings.ToLower(trace)) {
				names = append(names, s.name)
				break
			}
		}
	}
	return names
}

// combStreams looks through everything in every stream and bucket, decrypted.
func (a *agent) combStreams(t *testing.T) {
	t.Helper()
	read := a.everyMessage(t, func(stream, subject, text string) {
		if names := found(subject + "\n" + text); len(names) > 0 {
			t.Errorf("%v in %s: %s\n%s", names, stream, subject, text)
		}
	})
	if read < 10*len(secrets) {
		t.Errorf("read %d messages", read)
	}
}

// combState looks through every version of every key of the state, decrypted.
func (a *agent) combState(t *testing.T) {
	t.Helper()
	facts := 0
	err := a.Comb(func(v store.Version) error {
		facts += len(v.Facts)
		if names := found(string(v.Text) + "\n" + string(v.Facts)); len(names) > 0 {
			t.Errorf("%v in %q: %s", names, v.Text, v.Facts)
		}
		return nil
	})
	if err != nil || facts == 0 {
		t.Errorf("%d bytes of facts: %v", facts, err)
	}
}

// combAnswers looks through what the loop says.
func (a *agent) combAnswers(t *testing.T) {
	t.Helper()
	logged := a.log.read()
	if names := found(logged); len(names) > 0 {
		t.Errorf("%v in the log", names)
	}
	for _, path := range []string{
		"/metrics", "/api/dlq?limit=1000", "/api/statistics", "/api/status", "/api/contexts",
		"/api/rules/wordy", "/api/explain/rule.wordy", "/api/explain/rule.envelope", "/api/explain/summary",
	} {
		status, body := a.ask(t, "GET "+path, a.operator(t))
		if names := found(string(body)); len(names) > 0 || status != 200 {
			t.Errorf("%d, %v in %s: %s", status, names, path, body)
		}
	}
}

// combFolder looks through every file, as somebody who has the disk.
func combFolder(t *testing.T, dir string, sealed bool) {
	t.Helper()
	read, facts := 0, 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		read++
		if names := found(path + "\n" + string(data)); len(names) > 0 {
			t.Errorf("%v in %s", names, path)
		}
		facts += bytes.Count(data, []byte("feedback.fix"))
		return err
	})
	if err != nil || read < 10 || sealed != (facts == 0) {
		t.Errorf("read %d files with %d facts in clear: %v", read, facts, err)
	}
}
