package privacy

import (
	"fmt"
	"strings"
	"testing"
)

// find writes what was found as ENTITY(text).
func found(text string) string {
	var out []string
	for _, f := range Find(text) {
		out = append(out, fmt.Sprintf("%v(%s)", f.Entity, text[f.Start:f.End]))
	}
	return strings.Join(out, " ")
}

func TestWhatIsSensitiveIsFound(t *testing.T) {
	for text, want := range map[string]string{
		"write to bob@example.com, please":           "EMAIL(bob@example.com)",
		"(bob.o'neil+tag@mail.example.co.uk).":       "EMAIL(bob.o'neil+tag@mail.example.co.uk)",
		"Адрес: вася@пример.рф, да":                  "EMAIL(вася@пример.рф)",
		"请联系bob@example.com谢谢":                       "EMAIL(bob@example.com)",
		"jürgen.müller@bücher.de":                    "EMAIL(jürgen.müller@bücher.de)",
		"mailto:bob%40example.com?subject=x":         "EMAIL(bob%40example.com)",
		"bob@xn--bcher-kva.example":                  "EMAIL(bob@xn--bcher-kva.example)",
		`line\nbob@example.com\nnext`:                "EMAIL(bob@example.com)",
		"ｂｏｂ＠ｅｘａｍｐｌｅ．ｃｏｍ":                            "EMAIL(ｂｏｂ＠ｅｘａｍｐｌｅ．ｃｏｍ)",
		"bo\u200bb@exam\u00adple.com":                "EMAIL(bo\u200bb@exam\u00adple.com)",
		"4111111111111111@example.com":               "EMAIL(4111111111111111@example.com)",
		"card 4111 1111 1111 1111, thanks":           "CARD(4111 1111 1111 1111)",
		"3714-496353-98431":                          "CARD(3714-496353-98431)",
		"no. 4111\u00a01111\u00a01111\u00a01111":     "CARD(4111\u00a01111\u00a01111\u00a01111)",
		"2223003122003222":                           "CARD(2223003122003222)",
		"4111 1111 1111 1111 12/28 123":              "CARD(4111 1111 1111 1111)",
		"id,4111111111111111,x":                      "CARD(4111111111111111)",
		"order-4111111111111111":                     "CARD(4111111111111111)",
		"DE89 3704 0044 0532 0130 00":                "IBAN(DE89 3704 0044 0532 0130 00)",
		"iban gb29nwbk60161331926819.":               "IBAN(gb29nwbk60161331926819)",
		"ssn 123-45-6789":                            "SSN(123-45-6789)",
		"from 203.0.113.7:8080 and 10.1.2.3/24":      "IP(203.0.113.7) IP(10.1.2.3)",
		"http://192.168.1.20/x":                      "IP(192.168.1.20)",
		"[2001:db8::8a2e:370:7334]:443":              "IP(2001:db8::8a2e:370:7334)",
		"at fe80::1ff:fe23:4567:890a.":               "IP(fe80::1ff:fe23:4567:890a)",
		"::ffff:203.0.113.7":                         "IP(::ffff:203.0.113.7)",
		"mac 00:1B:44:11:3A:B7 or 00-1b-44-11-3a-b8": "MAC(00:1B:44:11:3A:B7) MAC(00-1b-44-11-3a-b8)",
		"mac: afbee94c1484; commit afbee94c1484":     "MAC(afbee94c1484)",
		"port 7338.62de.58c7 up":                     "MAC(7338.62de.58c7)",
		"ssh root@65.21.80.55":                       "IP(65.21.80.55)",
		"postgres://app:hunter2@10.1.2.3/x":          "SECRET(app:hunter2) IP(10.1.2.3)",
		"npm i left-pad@10.1.2.3":                    "",
		"PAN 501808653981":                           "CARD(501808653981)",
		"ID 501808653981":                            "CARD(501808653981)",
		"TFN 501808653981":                           "",
		"call +49 (0) 30 1234567 now":                "PHONE(+49 (0) 30 1234567)",
		"+1 202-555-0143, +442079460958":             "PHONE(+1 202-555-0143) PHONE(+442079460958)",
	} {
		if got := found(text); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestSecretsAreFound(t *testing.T) {
	const (
		rsaKey    = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nabc=\n-----END RSA PRIVATE KEY-----"
		quotedKey = `-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKC\n-----END PRIVATE KEY-----`
	)
	for text, want := range map[string]string{
		"AKIAIOSFODNN7EXAMPLE":                                            "AKIAIOSFODNN7EXAMPLE",
		"token ghp_abcdefghijklmnopqrstuvwxyz0123456789 end":              "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
		"key sk-" + "ant-api03-abcdefghijklmnop-A.":                       "sk-" + "ant-api03-abcdefghijklmnop-A",
		`password = b"super secret"`:                                      "super secret",
		"xoxb-123456789012-abcDEF":                                        "xoxb-123456789012-abcDEF",
		"x=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl;":            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
		"Authorization: Bearer abc123def456":                              "abc123def456",
		"authorization: basic dXNlcjpwYXNzd29yZA==":                       "dXNlcjpwYXNzd29yZA==",
		"postgres://admin:hunter2@db.example.com/x":                       "admin:hunter2",
		"https://x:p@ss@host/":                                            "x:p@ss",
		`password = "correct horse"`:                                      "correct horse",
		"PASSWORD=hunter2":                                                "hunter2",
		"db.password: hunter2\n":                                          "hunter2",
		`"password": "hunter2",`:                                          "hunter2",
		`{\"api_key\": \"abcdef123\"}`:                                    "abcdef123",
		"api_key=hunter2secret or":                                        "hunter2secret",
		`'secret' => 'swordfish'`:                                         "swordfish",
		`clientSecret := "swordfish"`:                                     "swordfish",
		`const password: string = "hunter2"`:                              "hunter2",
		`config["password"] = 'hunter2'`:                                  "hunter2",
		"**Password:** hunter2":                                           "hunter2",
		"?user=bob&token=abc123def&x=1":                                   "abc123def",
		"password: 4111 1111 1111 1111":                                   "4111 1111 1111 1111",
		"if password == \"hunter2\" {":                                    "hunter2",
		"dbPass: letmein":                                                 "letmein",
		`password="$ecretP4ss!"`:                                          "$ecretP4ss!",
		"password: 11111111":                                              "11111111",
		"my_pass=letmein":                                                 "letmein",
		"x-api-key: 0123456789abcdef":                                     "0123456789abcdef",
		rsaKey:                                                            rsaKey,
		"-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nMIIEpAIBAAKC": "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nMIIEpAIBAAKC",
		`k = "` + quotedKey + `"`:                                         quotedKey,
	} {
		if got := found(text); got != "SECRET("+want+")" {
			t.Errorf("%q:\n got %s\nwant SECRET(%s)", text, got, want)
		}
	}
}

func TestWhatOnlyLooksSensitiveStays(t *testing.T) {
	for _, text := range []string{
		"550e8400-e29b-41d4-a716-446655440000", "11111111-1111-4111-8111-411111111111", "dfe2007a-8915-5798-9408-f444d30f7473",
		"da39a3ee5e6b4b0d3255bfef95601890afd80709", "sha256:4111111111111111aa",
		"1700000000", "1700000000000", "1700000000000000000", "3.14159265358979323846", "0.4111111111111111", "4111111111111111.5",
		"v1.2.3.4", "version 1.2.3.4", "Chrome/120.0.0.0 Safari", "pkg==1.2.3.4", "lib-1.2.3.4.jar", "1.3.6.1.4.1", "1.2.3.4-rc1",
		"127.0.0.1", "0.0.0.0", "::1", "::", "255.255.255.0", "[1::2]", "std::vector", "ad::be", "a[::2]", "12:30:45", "10:20",
		"r.Re", "a.b.c", "x.y(z)", "f(a@b.mean())", "logo@2x.png", "s.ReadUint16LengthPrefixed(x)", "lodash@4.17.21", "foo@latest", "git@github.com:org/repo.git",
		"@app.route('/')", "user@localhost", "A@B.T", "4111111111111112", "1234 5678 9012 3456", "DE88370400440532013000",
		"000-12-3456", "666-12-3456", "912-12-3456", "123-00-4567", "2024-01-02", "123-45-67890",
		"00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff", "aa:bb:cc:dd:ee:ff:00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd",
		"a+12345678901", "+1.234567890123", "+1 100 555 0123", "+12",
		"password: ", "password = os.environ['X']", "password = get_password()", "token: ${TOKEN}", "token=<token>", "api_key: xxxxxxxx",
		"password: changeme", "token=oauth2_token", "token=oauth2Token",
		"token = None", "PASSWORD=$password", "secret: $(pass show x)", "api_key: YOUR_API_KEY", "token: %s",
		"token: string", "max_tokens: 4096", "next_page_token: abcdefgh", "password=self.password",
		"compass: north", "bypass = everything", "Bearer token", "Bearer <token>", "Basic information", "https://${USER}:${PASS}@host",
		"PWD=", "cmd/secret: fakeClient: fix", "Basic Operations", `"PASSPHRASE=" + pwd + "x"`,
		"risk-free and task-oriented-programming-style", "sk-your-openai-api-key-here", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		"-----BEGIN PRIVATE KEY-----", "[EMAIL_1] [CARD_12] [REMOVED]", "password=[SECRET_1]", "https://[SECRET_1]@host/",
		"Token::new", "Secret://x", "https://example.com/a@b.c/d:e", "import foo from \"bar\";", "func (d *dummy) func2() string {",
	} {
		if got := found(text); got != "" {
			t.Errorf("%q: %s", text, got)
		}
	}
}
