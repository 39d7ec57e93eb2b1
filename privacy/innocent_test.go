package privacy

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// innocent makes lines of logs, code and data that hold nothing of anybody.
func innocent(rnd *rand.Rand) map[string]string {
	n := rnd.IntN
	hex := func(k int) string {
		return fmt.Sprintf("%016x%016x%016x%016x", rnd.Uint64(), rnd.Uint64(), rnd.Uint64(), rnd.Uint64())[:k]
	}
	row := make([]string, 3+n(6))
	for i := range row {
		row[i] = fmt.Sprint([]int{n(10), n(100), n(10_000), n(1 << 30)}[n(4)])
	}
	day := fmt.Sprintf("%04d-%02d-%02d", 2015+n(12), 1+n(12), 1+n(28))
	return map[string]string{
		"uuid":    fmt.Sprintf("request %s-%s-4%s-a%s-%s failed", hex(8), hex(4), hex(3), hex(3), hex(12)),
		"hash":    fmt.Sprintf("commit %s tree %s", hex(40), hex(7)),
		"epoch":   fmt.Sprintf("ts=%d ms=%d ns=%d", 1_500_000_000+n(300_000_000), 1_500_000_000_000+n(300_000_000_000), 1_500_000_000_000_000_000+n(1<<58)),
		"version": fmt.Sprintf("v%d.%d.%d, version %d.%d.%d.%d, Chrome/%d.0.%d.%d", n(30), n(30), n(30), n(30), n(30), n(30), n(30), n(130), n(9999), n(255)),
		"build":   fmt.Sprintf("build #%d run %s%02d%02d", n(1<<30), strings.ReplaceAll(day, "-", ""), n(24), n(60)),
		"matrix":  strings.Join(row, " "),
		"vector":  "[" + strings.Join(row, ".5, ") + "]",
		"log": fmt.Sprintf("%sT%02d:%02d:%02d.%03dZ INFO [worker-%d] flush took %dms rows=%d", day, n(24), n(60), n(60), n(1000), n(64), n(99_999),
			n(1<<30)),
		"kernel": fmt.Sprintf("Jan %02d %02d:%02d:%02d host kernel: [%d.%06d] pid %d addr 0x%s", 1+n(28), n(24), n(60),
			n(60), n(1<<20), n(1_000_000), n(65536), hex(12)),
		"dump":   fmt.Sprintf("%s  %s %s %s %s %s %s %s %s", hex(8), hex(2), hex(2), hex(2), hex(2), hex(2), hex(2), hex(2), hex(2)),
		"code":   fmt.Sprintf("if x[%d] > %d { return y.z(%d, 0x%s) }", n(1<<30), n(1<<30), n(1<<30), hex(8)),
		"place":  fmt.Sprintf("lat %d.%06d, lon -%d.%06d", n(90), n(1_000_000), n(180), n(1_000_000)),
		"money":  fmt.Sprintf("total $%d,%03d.%02d or %d.%03d,%02d EUR", n(999), n(1000), n(100), n(999), n(1000), n(100)),
		"stock":  fmt.Sprintf("SKU %d-%d, order %d, ISBN 978-3-%d-%d-%d", n(9999), n(99_999), n(1<<30), n(999), n(99_999), n(10)),
		"digits": fmt.Sprintf("%d", 100_000_000+rnd.IntN(899_999_999)),
	}
}

func TestLinesOfMachinesStayAsTheyAre(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 8))
	altered, lines := map[string]int{}, 300
	for range lines {
		for name, line := range innocent(rnd) {
			if Redact(line) != line {
				altered[name]++
			}
		}
	}
	for name, n := range altered {
		if n*100 > 3*lines {
			t.Errorf("%s: %d of %d lines are altered", name, n, lines)
		}
	}
}

func TestAddressesOfThisMachineStay(t *testing.T) {
	for _, text := range []string{"127.0.0.1:8080", "http://127.1.2.3/", "0.0.0.0:80", "listen [::1]:443", "[::]:53", "::ffff:127.0.0.1",
		"localhost", "255.255.255.0", "255.255.240.0", "0.10.2.3"} {
		if got := found(text); got != "" {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func TestAddressesThatAreNoNetmaskAreFound(t *testing.T) {
	for _, text := range []string{"255.61.226.87", "0.160.165.121"} {
		if got := found(text); got != "IP("+text+")" {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func TestWhatIsEncodedIsFoundToo(t *testing.T) {
	for text, want := range map[string]string{
		"card=4111%201111%201111%201111&x":           "CARD(4111%201111%201111%201111)",
		"q=password%3Dhunter2":                       "SECRET(hunter2)",
		"tel=%2B49301234567":                         "PHONE(%2B49301234567)",
		"bob%40example.com":                          "EMAIL(bob%40example.com)",
		`"mail": "bob\u0040example.com"`:             `EMAIL(bob\u0040example.com)`,
		"iban DE89%203704%200044%200532%200130%2000": "IBAN(DE89%203704%200044%200532%200130%2000)",
		"４１１１ １１１１ １１１１ １１１１":                        "CARD(４１１１ １１１１ １１１１ １１１１)",
		"4111\u200b1111\u200b1111\u200b1111":         "CARD(4111\u200b1111\u200b1111\u200b1111)",
		"urn:00:1b:44:11:3a:b7":                      "MAC(00:1b:44:11:3a:b7)",
		"mac:001b:x 2001:db8::8a2e:370:7334":         "IP(2001:db8::8a2e:370:7334)",
		"ip:2001:db8::8a2e:370:7334":                 "IP(2001:db8::8a2e:370:7334)",
		"path/10.1.2.3/x and allow/192.168.1.7":      "IP(10.1.2.3) IP(192.168.1.7)",
	} {
		if got := found(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestKeccakIsTheOneFromBeforeItsStandard(t *testing.T) {
	if got := fmt.Sprintf("%x", keccak256(nil)); got != "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470" {
		t.Error(got)
	}
}
