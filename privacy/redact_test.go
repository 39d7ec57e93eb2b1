package privacy

import "testing"

func TestEqualValuesGetEqualTags(t *testing.T) {
	for text, want := range map[string]string{
		"bob@x.com, eve@x.com, BOB@x.com":                       "[EMAIL_1], [EMAIL_2], [EMAIL_1]",
		"4111 1111 1111 1111 = 4111-1111-1111-1111":             "[CARD_1] = [CARD_1]",
		"+1 (202) 555-0143 or +12025550143":                     "[PHONE_1] or [PHONE_1]",
		"00:1b:44:11:3a:b7 00-1B-44-11-3A-B7":                   "[MAC_1] [MAC_1]",
		"password=abc token=abcdef password=ABC":                "password=[SECRET_1] token=[SECRET_2] password=[SECRET_3]",
		"[EMAIL_4] wrote to bob@x.com":                          "[EMAIL_4] wrote to [EMAIL_5]",
		"nothing here":                                          "nothing here",
		"":                                                      "",
		`{"password": "a b c", "user": "bob@x.com"}`:            `{"password": "[SECRET_1]", "user": "[EMAIL_1]"}`,
		"+49 30 1234567 4111 1111 1111 1111":                    "[PHONE_1] 1111 1111 1111",
		"https://bob:hunter2@db.x.com/ and https://bob@x.com/a": "https://[SECRET_1]@db.x.com/ and https://[EMAIL_1]/a",
	} {
		if got := Redact(text); got != want {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
}

func TestATagCannotHideANumber(t *testing.T) {
	if got, want := Redact("[CARD_4111111111111111] [X_1]"), "[CARD_[CARD_1]] [X_1]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEntitiesAreWrittenByName(t *testing.T) {
	for e := Email; e < entities; e++ {
		text, err := e.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back Entity
		if err := back.UnmarshalText(text); err != nil || back != e {
			t.Errorf("%s read back as %v: %v", text, back, err)
		}
	}
	var e Entity
	if err := e.UnmarshalText([]byte("NOBODY")); err == nil {
		t.Error("an unknown entity was accepted")
	}
}
