package app

import "testing"

func TestEveryValueThatIsSuggestedCanBeSet(t *testing.T) {
	enumerated := 0
	for _, c := range Choices() {
		for _, value := range c.Values {
			enumerated++
			if _, err := Load("", nil, []string{"extraction.api_key=k", "privacy.confirmed=true", c.Key + "=" + value}); err != nil {
				t.Errorf("%s=%s: %v", c.Key, value, err)
			}
		}
		if _, err := Load("", nil, []string{c.Key + ".nothing=1"}); err == nil {
			t.Errorf("%s is no setting", c.Key)
		}
	}
	if enumerated < 20 {
		t.Errorf("only %d values are suggested", enumerated)
	}
}
