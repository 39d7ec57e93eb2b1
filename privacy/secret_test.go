package privacy

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// tokenOf makes a token of a format.
func tokenOf(rnd *rand.Rand, v vendor) string {
	var members []byte
	for b := range 128 {
		if v.set[b] && isAlnum(byte(b)) {
			members = append(members, byte(b))
		}
	}
	var b strings.Builder
	b.WriteString(v.prefix)
	for range v.min + rnd.IntN(8) {
		b.WriteByte(members[rnd.IntN(len(members))])
	}
	return b.String() + "7"
}

func TestTokensOfEveryVendorAreFound(t *testing.T) {
	if len(vendors) < 120 {
		t.Errorf("%d formats, want 120", len(vendors))
	}
	rnd := rand.New(rand.NewPCG(7, 7))
	for _, v := range vendors {
		for range 10 {
			token := tokenOf(rnd, v)
			for _, text := range []string{token, "x " + token + ".", `{"a":"` + token + `"}`, "(" + token + ")", "A=" + token + "\n"} {
				if got := Redact(text); strings.Contains(got, token) || strings.Contains(got, token[len(v.prefix):]) {
					t.Fatalf("%q became %q", text, got)
				}
			}
		}
	}
}

func TestTokensWithAMarkInsideAreFound(t *testing.T) {
	const a, b = "a1B2c3D4e5F6g7H8i9J0k1L2", "abcdefghijklmnopqrstuvwxyz0123456789"
	for _, token := range []string{"a1b2c3d4e5f6g7.atlasv1." + b + b, "abc8Q~" + b, "M" + a[1:] + ".Gabcde." + b, strings.Repeat("0a", 16) + "-us12",
		"4b1d" + a + b[:14], "1//0" + b + b, "123456789012345|" + b[:30], strings.Repeat("0a", 16) + "-0a1b2c3d-4e5f6071", "a1B2c3_" + b[:24] + "12345_mmk",
		"123456789:AA" + b[:33], "9002314865667977:" + strings.Repeat("0a", 16), "s." + a, "api-2f1d3c4b-1a2b-4c3d-8e9f-0a1b2c3d4e5f",
		"https://hooks.slack.com/services/T00000000/B00000000/" + a} {
		if got := found("see " + token + " there"); got != "SECRET("+token+")" {
			t.Errorf("%s: %s", token, got)
		}
	}
}

func TestAssignmentsInManyNotationsAreFound(t *testing.T) {
	names := strings.Fields("password DB_PASS clientSecret api_key x-api-key authToken AWS_SECRET_ACCESS_KEY secret_key private_key jwt_secret " +
		"passphrase account_key credentials signing_key MYSQL_ROOT_PASSWORD")
	notations := []string{"%=@", `% = "@"`, "%: '@'", "%: @", `"%": "@"`, `% := "@"`, "'%' => '@'", "export %=@\n", "--%=@", "?a=1&%=@&b=2", " - %: @\n",
		"% = @", "%\t=\t\"@\"", `{\"%\": \"@\"}`, "+%: @", "const % = `@`;", "- %=@",
		`var % string = "@"`, `%.value = "@"`, "% ?= @", "% ::= @", "% :::= @", `% ||= "@"`, `$% .= "@"`}
	for _, name := range names {
		for _, notation := range notations {
			for _, value := range []string{"hunter2hunter", "Sw0rd!fish", "c2VjcmV0LXZhbHVl", "0a1b2c3d4e5f60718293a4b5c6d7e8f9"} {
				text := strings.NewReplacer("%", name, "@", value).Replace(notation)
				if got := found(text); got != "SECRET("+value+")" {
					t.Errorf("%q: %s", text, got)
				}
			}
		}
	}
}

func TestFlagsOfCommandsAreFound(t *testing.T) {
	for text, want := range map[string]string{
		"curl -u bob:hunter2 https://x":        "hunter2",
		"curl --user bob:hunter2 https://x":    "hunter2",
		"mysql -h db -uroot -phunter2 shop":    "hunter2",
		"sshpass -p 'hun ter2' ssh x":          "hun ter2",
		"docker login -u bob -p hunter2":       "hunter2",
		"redis-cli -a hunter2 ping":            "hunter2",
		"tool --token abcdef123 run":           "abcdef123",
		"tool --password=hunter2":              "hunter2",
		"the password is hunter2, they said":   "hunter2",
		"https://x.com/a?token=abcdef123&x=1":  "abcdef123",
		"https://x.com/password=hunter2":       "hunter2",
		"https://s3/x?X-Amz-Signature=0a1b2c3": "0a1b2c3",
	} {
		if got := found(text); got != "SECRET("+want+")" {
			t.Errorf("%q: %s", text, got)
		}
	}
	for _, text := range []string{"mkdir -p a/b", "ssh -p 2222 host", "docker run -p 8080:80 x", "cp -a x y",
		"sort -u x", "patch -p1 < x", "the password is required",
		"--- PASS: TestX", "PWD=/tmp", "password is correct", "tool --token $TOKEN", "mysql -p", "--no-password x"} {
		if got := found(text); got != "" {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func TestCoinsAreFoundByTheirChecksum(t *testing.T) {
	for text, want := range map[string]string{
		"1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa":                             "CRYPTO",
		"3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy":                             "CRYPTO",
		"bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq":                     "CRYPTO",
		"bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr": "CRYPTO",
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed":                     "CRYPTO",
		"rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH":                             "CRYPTO",
		"5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ":            "SECRET",
	} {
		if got := found("to " + text + "."); got != want+"("+text+")" {
			t.Errorf("%s: %q", text, got)
		}
		wrong := []byte(text)
		at := len(wrong) - 3
		wrong[at] = "qz"[b2i(wrong[at] == 'q')]
		if wrong[1] == 'x' {
			wrong[at] = "Bb"[b2i(text[at] == 'B')]
		}
		if got := found(string(wrong)); got != "" {
			t.Errorf("%s: %q", wrong, got)
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
