package app_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnloop.dev/store"

	"github.com/go-json-experiment/json"
)

// quokka stands in every text of an exchange; nothing would redact it.
const quokka = "zanzibarquokka"

var marked = []string{
	event("1", exchangeType, `{"exchange_id":"x","session_id":"s","user_id":"u","user_text":"What does zanzibarquokka mean, and is zanzibarquokka a cache?",
		"agent_text":"A zanzibarquokka is no cache.\n- zanzibarquokka","corrections":["zanzibarquokka",{"zanzibarquokka":"zanzibarquokka"}]}`),
	event("2", responseType, `{"exchange_id":"x","session_id":"s","user_id":"u","feedback_type":"copy","feedback_text":"zanzibarquokka!"}`),
	event("3", responseType, `{"exchange_id":"x","feedback_type":"copy","feedback_text":"zanzibarquokka!"}`),
	event("4", responseType, `{"exchange_id":"unheard","feedback_type":"copy","feedback_text":"zanzibarquokka!"}`),
	// refused: the letters hold nothing of them
	event("5", exchangeType, `{"exchange_id":"y","session_id":"s","user_text":"zanzibarquokka","agent_text":7}`),
	event("6", exchangeType, `{"exchange_id":"z","session_id":"s","user_text":"zanzibarquokka","agent_text":"","features":{"topics":["zanzibarquokka"]}}`),
	event("7", exchangeType, `{"exchange_id":"z","session_id":"s","user_text":"","agent_text":"","zanzibarquokka":1}`),
}

func TestNoByteOfAnExchangesTextIsKept(t *testing.T) {
	a := meet(t, t.TempDir())
	a.publish(t, batch(marked...))
	a.post(t, batch(marked...))
	a.drained(t)
	a.reflected(t, 5)
	for range 2 {
		a.unfound(t, quokka)
		a.stop()
		inFiles(t, a.data, quokka)
		if err := os.RemoveAll(filepath.Join(a.data, "state")); err != nil {
			t.Fatal(err)
		}
		a = meet(t, a.data) // folds the log again
	}
}

func TestOfRealExchangesNoStretchIsKept(t *testing.T) {
	const some, stretch = 120, 24
	var sent, stretches []string
	for _, line := range lines(t, testdata(t, "realhumaneval_chat_dev.jsonl")) {
		var e struct {
			Type string `json:"type"`
			Data struct {
				Asked    string `json:"user_text"`
				Answered string `json:"agent_text"`
			} `json:"data"`
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		if e.Type != exchangeType { // a correction of a task may say the same, and is kept
			continue
		}
		for _, text := range []string{e.Data.Asked, e.Data.Answered} {
			for at := 0; at+stretch <= len(text); at += 8 * stretch {
				stretches = append(stretches, text[at:at+stretch])
			}
		}
		if sent = append(sent, string(line)); len(sent) == some {
			break
		}
	}
	a := meet(t, t.TempDir())
	a.post(t, batch(sent...))
	a.reflected(t, len(sent))
	if len(stretches) < some {
		t.Fatalf("%d stretches of %d events", len(stretches), some)
	}
	a.unfound(t, stretches...)
}

// unfound looks for texts in every message, in every version of the state and in what
// was logged, decrypted.
func (a *agent) unfound(t *testing.T, texts ...string) {
	t.Helper()
	look := func(where, said string) {
		for _, text := range texts {
			if strings.Contains(said, text) {
				t.Errorf("%q stands in %s: %.300s", text, where, said)
			}
		}
	}
	if read := a.everyMessage(t, func(stream, subject, text string) { look(stream, subject+"\n"+text) }); read < len(marked) {
		t.Errorf("read %d messages", read)
	}
	facts := 0
	err := a.Comb(func(v store.Version) error {
		facts += len(v.Facts)
		look("the state", string(v.Text)+"\n"+string(v.Facts))
		return nil
	})
	if err != nil || facts == 0 {
		t.Errorf("%d bytes of facts: %v", facts, err)
	}
	look("what was logged", a.log.read())
}

// inFiles looks for a text in every file, as somebody who has the disk.
func inFiles(t *testing.T, dir, text string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(text)) {
			t.Errorf("%q stands in %s", text, path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
