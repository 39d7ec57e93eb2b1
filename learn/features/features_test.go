package features

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"learnloop.dev/events"

	"github.com/google/go-cmp/cmp"
)

func read(question, answer string) *events.ExchangeFeatures {
	return NewReader().Read(&events.Exchange{SessionID: "s", UserText: question, AgentText: answer}, unkeyed)
}

func TestAnAnswerToTheQuestionIsMoreRelevantThanOneToAnother(t *testing.T) {
	const question = "How do I reverse a list in Go?"
	fitting := read(question, "To reverse a list in Go call slices.Reverse, which reverses the list in place.")
	other := read(question, "Whisk the eggs with sugar until they are pale, then fold in the flour.")
	if *fitting.Relevance < 500 || *other.Relevance > 200 {
		t.Errorf("relevance %d and %d", *fitting.Relevance, *other.Relevance)
	}
}

func TestNothingIsRelevantToSilence(t *testing.T) {
	for _, c := range [][2]string{{"", "an answer"}, {"a question", ""}, {"", ""}, {"what is it?", "that is this"}, {"[EMAIL_1]", "[EMAIL_1]"}} {
		if f := read(c[0], c[1]); f.Relevance != nil {
			t.Errorf("%q: relevance %d", c, *f.Relevance)
		}
	}
}

func TestTopicsAreKeyPhrasesOfTheQuestion(t *testing.T) {
	for name, c := range map[string]struct {
		question, answer string
		want             []string
	}{
		"phrases before words": {
			"How do I train a machine learning model on tabular data with Pandas?", "",
			[]string{"machine learning", "model", "pandas"},
		},
		"plurals are singular": {"Compare databases, libraries and indexes", "", []string{"database", "library", "index"}},
		"what the answer takes up": {
			"Is it about latency or about caching, or the cache?", "The cache: a cache that misses is no cache.",
			[]string{"cache", "latency"},
		},
		"a phrase that recurs stays whole": {"a large dataset query plan. The query plan again", "", []string{"query plan", "dataset"}},
		"vague words only with others":     {"Which number is a prime number, and which function has a name?", "", []string{"prime number"}},
		"two that are one":                 {"Explain the linked list", "", []string{"linked list"}},
		"no more than five":                {"python, rust, java, kotlin, perl, haskell, scala", "", []string{"python", "rust", "java", "kotlin", "perl"}},
		"not out of code and paths":        {"fix user.cache_python(docker) in /home/python/app.py, cache@python and a_cache", "", []string{"docker"}},
		"no names, however often":          {"Xiomara Quux asked Xiomara about xiomara", "xiomara", nil},
		"no tags":                          {"Write to [EMAIL_1] and [PERSON_2] about the password", "", []string{"password"}},
		"nothing":                          {"", "cache", nil},
		"another language":                 {"Wie kann ich eine Python-Funktion testen?", "", []string{"python"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, read(c.question, c.answer).Topics); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestTopicsThatWereSentAreKeptInsteadOfFound(t *testing.T) {
	e := &events.Exchange{UserText: "python", Topics: []string{
		" Go\n\tModules ", "go modules", "", "[EMAIL_1]", strings.Repeat("ü", 100), "a\u202eb", "3", "4", "5", "6",
	}}
	want := []string{"go modules", strings.Repeat("ü", 40), "a b", "3", "4"}
	if diff := cmp.Diff(want, NewReader().Read(e, unkeyed).Topics); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTheVocabularyNamesEachWordOnce(t *testing.T) {
	seen := map[string]bool{}
	for word := range strings.FieldsSeq(vocabulary) {
		word = strings.TrimPrefix(word, vague)
		if seen[word] || strings.ToLower(word) != word {
			t.Errorf("%s: twice, or not in lower case", word)
		}
		seen[word] = true
	}
}

func TestASketchRecognisesAQuestionThatIsAskedAgain(t *testing.T) {
	first := read("How can I reverse a list of integers in Go?", "").Sketch
	again := read("how do I reverse the integers of a list, in go", "").Sketch
	other := read("Which oven bakes the best bread?", "").Sketch
	if first.Alike(again) < 900 || first.Alike(other) > 100 {
		t.Errorf("alike: %d asked again, %d another", first.Alike(again), first.Alike(other))
	}
}

func TestSketchesOfTwoSessionsHaveNothingInCommon(t *testing.T) {
	e := events.Exchange{SessionID: "a", UserText: "reverse a list of integers in place with slices"}
	a := NewReader().Read(&e, unkeyed).Sketch
	e.SessionID = "b"
	if b := NewReader().Read(&e, unkeyed).Sketch; len(a) == 0 || a.Alike(b) > 100 {
		t.Errorf("%v and %v", a, b)
	}
}

func TestADocumentHasNoSketch(t *testing.T) {
	var words strings.Builder
	for i := range 700 {
		words.WriteString(" w" + string(rune('a'+i%26)) + string(rune('a'+i/26)))
	}
	if f := read(words.String(), ""); f.Sketch != nil {
		t.Errorf("%d hashes", len(f.Sketch))
	}
}

func TestAReaderForgetsTheExchangeBefore(t *testing.T) {
	r := NewReader()
	e := &events.Exchange{SessionID: "s", UserText: "How do I cache a list in Go?", AgentText: "Like this:\n```go\nx := 1\n```"}
	first := r.Read(e, unkeyed)
	r.Read(&events.Exchange{SessionID: "s", UserText: "bread and python", AgentText: strings.Repeat("python words. ", 500)}, unkeyed)
	if diff := cmp.Diff(first, r.Read(e, unkeyed)); diff != "" {
		t.Error(diff)
	}
}

func TestLanguagesAreToldByTheirSmallWords(t *testing.T) {
	for want, text := range map[string]string{
		"en": "How do I tune the garbage collector of this service?",
		"de": "Wie kann ich den Speicher in der Anwendung begrenzen?",
		"fr": "Comment est-ce que je peux trier une liste dans ce programme ?",
		"es": "¿Cómo puedo ordenar una lista en este programa?",
		"it": "Come posso ordinare una lista in questo programma che non funziona?",
		"pt": "Como eu posso ordenar uma lista em um programa? Não sei.",
		"nl": "Hoe kan ik het geheugen van deze toepassing beperken? Dat lukt niet.",
		"sv": "Hur kan jag sortera en lista i mitt program och inte förlora något på vägen?",
		"pl": "Jak mogę posortować listę w tym programie? Nie wiem, co się dzieje.",
		"tr": "Bu programda bir listeyi nasıl sıralarım? Çok yavaş değil mi?",
		"ru": "Как мне отсортировать список в этой программе? Это не работает.",
		"uk": "Як мені відсортувати список у цій програмі? Це не працює, і я не знаю чому.",
		"ja": "このプログラムでリストを並べ替えるにはどうすればいいですか",
		"zh": "如何在这个程序中对列表进行排序？",
		"ko": "이 프로그램에서 목록을 어떻게 정렬합니까?",
		"el": "Πώς μπορώ να ταξινομήσω μια λίστα;",
		"ar": "كيف يمكنني ترتيب القائمة في هذا البرنامج؟",
		"":   "x := sort(y)",
	} {
		if got := languageIn(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestTheAnswerTellsTheLanguageWhereTheQuestionDoesNot(t *testing.T) {
	if f := read("slices.Reverse?", "This is how you do it: call the function."); f.Language != "en" {
		t.Errorf("language %q", f.Language)
	}
}

func TestScopesTakeOutWhatTheyName(t *testing.T) {
	all := func() *events.ExchangeFeatures {
		return read("How can I cache a list in this program?", "You can do it with a map. It is fast.")
	}
	f := all()
	Scope{Personal: true, Tracking: true}.Within(f)
	if !f.Unscored || f.Relevance != nil || f.Clarity != nil || f.Topics == nil || f.Sketch == nil {
		t.Errorf("without quality: %+v", f)
	}
	f = all()
	Scope{Quality: true, Tracking: true}.Within(f)
	if !f.Impersonal || f.Topics != nil || f.Language != "" || f.Answer != (events.TextShape{}) || f.Question.Words != 0 ||
		f.Question.Characters == 0 || f.Relevance == nil || f.Sketch == nil {
		t.Errorf("without personalisation: %+v", f)
	}
	f = all()
	Scope{Quality: true, Personal: true}.Within(f)
	if !f.Untracked || f.Sketch != nil || f.Topics == nil || f.Relevance == nil {
		t.Errorf("without tracking: %+v", f)
	}
	f = all()
	Scope{}.Within(f)
	if diff := cmp.Diff(&events.ExchangeFeatures{Unscored: true, Impersonal: true, Untracked: true}, f); diff != "" {
		t.Errorf("without anything:\n%s", diff)
	}
	f = all()
	Scope{true, true, true}.Within(f)
	if diff := cmp.Diff(all(), f); diff != "" {
		t.Errorf("with everything:\n%s", diff)
	}
}

func FuzzAnyTextsHaveBoundedFeaturesThatRepeat(f *testing.F) {
	f.Add("How do I reverse a list?", "```go\nx\n```\n- a. b! c?\n# d", "topic")
	f.Add("1) · … 。 ？", "~~~\n> - \xff\n", "\u202e")
	f.Add("[EMAIL_1] e.g. z.B. 例えば http://x](http://y", "`a` b_c d.e", "[")
	f.Fuzz(func(t *testing.T, question, answer, topic string) {
		if !utf8.ValidString(question + answer + topic) {
			t.Skip()
		}
		e := &events.Exchange{UserText: question, AgentText: answer, Topics: []string{topic}}
		r := NewReader()
		x := r.Read(e, unkeyed)
		if diff := cmp.Diff(x, r.Read(e, unkeyed)); diff != "" {
			t.Fatal(diff)
		}
		if len(x.Topics) > mostTopics || len(x.Sketch) > events.SketchSize || !slices.IsSorted(x.Sketch) {
			t.Errorf("%d topics, sketch %v", len(x.Topics), x.Sketch)
		}
		if x.Relevance != nil && (*x.Relevance < -1000 || *x.Relevance > 1000) {
			t.Errorf("relevance %d", *x.Relevance)
		}
		within(t, x.Clarity)
		for _, s := range []events.TextShape{x.Question, x.Answer} {
			if s.Words > s.Characters || s.Sentences > s.Characters || s.Questions > s.Sentences || s.Terms > 1000 || s.Terms < 0 {
				t.Errorf("%+v", s)
			}
		}
	})
}

func within(t *testing.T, c *events.Clarity) {
	t.Helper()
	if c == nil {
		return
	}
	parts := []events.Milli{c.Sentences, c.Paragraphs, c.Fences}
	if c.Structure != nil {
		parts = append(parts, *c.Structure)
	}
	for _, p := range parts {
		if p < 0 || p > 1000 {
			t.Errorf("%+v", c)
		}
	}
}
