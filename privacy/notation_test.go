package privacy

import "testing"

func TestSecretsAreNamedInManyNotations(t *testing.T) {
	for text, want := range map[string]string{
		"<password>hunter2hunter</password>":                          "hunter2hunter",
		"- name: DB_PASSWORD\n  value: hunter2":                       "hunter2",
		`{"name":"API_TOKEN","value":"abc123def"}`:                    "abc123def",
		"ENV API_TOKEN abc123def":                                     "abc123def",
		"setenv API_TOKEN abc123def":                                  "abc123def",
		`api_key "abc123def"`:                                         "abc123def",
		"| API key | abc123def |":                                     "abc123def",
		`setProperty("db.password", "hunter2")`:                       "hunter2",
		"my API key is abc123def, thanks":                             "abc123def",
		"the token is: abc123def":                                     "abc123def",
		"access token: abc123def":                                     "abc123def",
		"machine x login bob password hunter2":                        "hunter2",
		`private_key: "-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA`: `-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA`,
		"SECRET_KEY_BASE=abc123def":                                   "abc123def",
		"setx API_TOKEN abc123def":                                    "abc123def",
		`<add key="ApiToken" value="abc123def" />`:                    "abc123def",
		`<add key="Level" value="abc123def" />`:                       "",
		"API_KEY | abc123def":                                         "abc123def",
		"API_KEY (was abc123def)":                                     "abc123def",
		"your API token has been reset to abc123defgh, enjoy":         "abc123defgh",
		"update API_TOKEN to abc123defgh please":                      "abc123defgh",
		"convert the token to Base64 please":                          "",
		"access_token abc123defgh\nnext":                              "abc123defgh",
		"access_token abc123defgh is what it is":                      "",
		"export authToken=Tr0ub4dor&3":                                "Tr0ub4dor&3",
		"?token=abc123def&page=3":                                     "abc123def",
		"on the go, and pass to Machoreloc1":                          "",
		`"input_token": "NextToken"`:                                  "",
		"--db.password hunter2":                                       "hunter2",
		"api_key=/CRPTw22XSwCPQb8gbnlh9Z7UNF2aabytjpw":                "/CRPTw22XSwCPQb8gbnlh9Z7UNF2aabytjpw",
		"<password></password>":                                       "",
		"<password>${DB_PASSWORD}</password>":                         "",
		"- name: LOG_LEVEL\n  value: debug1":                          "",
		"encodeFragment | encodeUserPassword | encodeZone |":          "",
		"ClientAuth is RequestClientCert or":                          "",
		"the token is required":                                       "",
		`Header.Set("Authorization", "Basic "+auth)`:                  "",
		"def __init__(self, password: bytes):":                        "",
		"{pat: `(?i)f.o`, op: 1}":                                     "",
		"TextSig: !binary,":                                           "",
		"pass `flags` to the linker":                                  "",
	} {
		expected := ""
		if want != "" {
			expected = "SECRET(" + want + ")"
		}
		if got := found(text); got != expected {
			t.Errorf("%q: %q, want %q", text, got, expected)
		}
	}
}

func TestNoPartOfANumberIsLeftBehindASign(t *testing.T) {
	for text, want := range map[string]string{
		"+4459-6247-5688-4768":        "CARD(4459-6247-5688-4768)",
		"++49 30 1234567":             "PHONE(+49 30 1234567)",
		`a\n+49 30 1234567`:           "PHONE(+49 30 1234567)",
		"Bearer 859816934:AAhdbOIR59": "SECRET(859816934:AAhdbOIR59)",
		"port 001b.4411.3ab7 up":      "MAC(001b.4411.3ab7)",
		"Boston, MA 02110-1301 USA":   "",
	} {
		if got := found(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
