package privacy

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"strings"
)

// maxAddress is the longest written IPv6 address, in bytes.
const maxAddress = 45

var (
	dotted  = setOf(isDigit, ".")
	coloned = setOf(isHex, ":.")
)

// ipv4 finds addresses that name a host: no loopback, no netmask, no version.
func ipv4(v view, i int) Finding {
	if !startsNumber(v, i) || afterVersion(v, i) {
		return Finding{}
	}
	end := dotted.run(v.text[:min(len(v.text), i+maxAddress)], i)
	for end > i && v.text[end-1] == '.' {
		end--
	}
	if strings.Count(v.text[i:end], ".") != 3 || !endsAddress(v, end) {
		return Finding{}
	}
	ip, err := netip.ParseAddr(v.text[i:end])
	if err != nil || ip.IsLoopback() || isNetmask(ip.As4()) || ip.As4()[0] == 0 && !isWide(ip.As4()) || end-i == len("1.2.3.4") && !networked(v, i, end) {
		return Finding{}
	}
	return Finding{IP, i, end}
}

// isNetmask reports whether all bits that are set stand in front.
func isNetmask(ip [4]byte) bool {
	bits := ^binary.BigEndian.Uint32(ip[:])
	return bits&(bits+1) == 0
}

// isWide reports whether what begins with a zero has a number that no version has.
func isWide(ip [4]byte) bool { return max(ip[1], ip[2], ip[3]) > 99 }

var networkWords = strings.Fields("ip ips ipv4 address addr host server client from to at dns ping via gateway node peer remote resolver nameserver")

// networked reports whether four single digits are an address rather than a version or a section.
func networked(v view, i, end int) bool {
	s := v.text[i:end]
	if s[0] == s[2] && s[2] == s[4] && s[4] == s[6] {
		return true
	}
	if next := v.next(end); (next == ':' || next == '/') && isDigit(v.next(end+1)) || v.back(i, 1) == '/' || v.back(i, 1) == '@' {
		return true
	}
	return slices.Contains(networkWords, strings.ToLower(wordBehind(v, i)))
}

// wordBehind returns the word in front of text[i], past what joins them.
func wordBehind(v view, i int) string {
	end := i
	for end > v.floor && i-end < 4 && strings.IndexByte(` :="'`, v.text[end-1]) >= 0 {
		end--
	}
	start := end
	for start > v.floor && end-start < 12 && isAlpha(v.text[start-1]) {
		start--
	}
	return v.text[start:end]
}

// endsAddress refuses what goes on as a name or a version, such as 1.2.3.4-rc1.
func endsAddress(v view, end int) bool {
	switch v.next(end) {
	case '_':
		return false
	case '.':
		return !isAlnum(v.next(end + 1))
	case '-':
		return !isAlpha(v.next(end + 1))
	}
	return v.endsWord(end)
}

var versionWords = [...]string{"version", "ver", "release", "build", "revision", "rev", "firmware", "oid",
	"section", "sections", "sec", "chapter", "clause", "appendix", "table", "figure", "rule", "item", "§"}

// afterVersion reports whether what stands before text[i] makes dotted digits a version.
func afterVersion(v view, i int) bool {
	switch before, two := v.back(i, 1), v.back(i, 2); before {
	case '-', '_':
		return isAlnum(two) // lib-1.2.3.4
	case '/':
		if isProduct(v, i) {
			return true
		}
	case '=':
		if strings.IndexByte("=~<>!", two) >= 0 {
			return true
		}
	case '^', '~':
		return true
	case '@':
		return !afterAccount(v, i-1)
	}
	word := wordBehind(v, i)
	for _, w := range versionWords {
		if strings.EqualFold(word, w) {
			return true
		}
	}
	return false
}

// afterAccount reports whether what ends in front of the @ at text[i] is a finding or a login, and not a package.
func afterAccount(v view, i int) bool {
	start := i
	for start > v.floor && i-start < maxNameWord && ownerChars[v.text[start-1]] {
		start--
	}
	found := start == i && i > 0 && i == v.floor
	return found || v.back(start, 1) == ':' || slices.Contains(homes, v.text[start:i])
}

// isProduct reports whether a slash in front of text[i] joins it to a product, as in Chrome/120.0.0.0, or
// to a folder of versions.
func isProduct(v view, i int) bool {
	start := i - 1
	for start > v.floor && i-start < 20 && isAlpha(v.text[start-1]) {
		start--
	}
	word := strings.TrimSuffix(strings.ToLower(v.text[start:i-1]), "s")
	if slices.Contains(productWords, word) || slices.Contains(versionWords[:], word) {
		return true
	}
	before := v.back(start, 1)
	return start < i-1 && isUpper(v.text[start]) && (before == 0 || before == ' ' || before == '"')
}

var productWords = strings.Fields("download tag v archive blob tree dist")

// address finds the MAC or IPv6 address whose first colon is at text[i].
func address(v view, i int) Finding {
	start := i
	for start > v.floor && i-start < 4 && isHex(v.text[start-1]) {
		start--
	}
	before := v.back(start, 1)
	joined := before == ':' && isHex(v.back(start, 2)) && !isWordEnd(v, start-1)
	if !v.startsWord(start) || before == '.' || before == ':' && v.back(start, 2) == ':' || joined && isHex(v.back(start, 3)) {
		return Finding{}
	}
	if f := macAt(v, start); f.End > 0 {
		return f
	}
	if joined {
		return Finding{}
	}
	return ipv6(v, start)
}

func ipv6(v view, start int) Finding {
	end := coloned.run(v.text[:min(len(v.text), start+maxAddress+1)], start)
	for end > start && (v.text[end-1] == '.' || v.text[end-1] == ':' && v.back(end, 2) != ':') {
		end--
	}
	s := v.text[start:end]
	if strings.Count(s, ":") < 7 && !strings.Contains(s, "::") || !v.endsWord(end) || !hostlike(s) {
		return Finding{}
	}
	ip, err := netip.ParseAddr(s)
	if err != nil || ip.Unmap().IsLoopback() || ip.IsUnspecified() {
		return Finding{}
	}
	return Finding{IP, start, end}
}

// hostlike refuses what is rather a slice (1::2) or a scope (ad::be): an address has a digit, two groups
// and, when there are only two, more than decimals.
func hostlike(s string) bool {
	groups, other, digit := 0, false, false
	for i := range len(s) {
		switch {
		case isDigit(s[i]):
			digit = true
		case isHex(s[i]), s[i] == '.':
			other = true
		}
		if s[i] != ':' && (i == 0 || s[i-1] == ':') {
			groups++
		}
	}
	return digit && (groups > 2 || groups == 2 && other)
}

// macAt finds six pairs of hex digits at text[i], separated by colons or by hyphens.
func macAt(v view, i int) Finding {
	const length = len("00:00:00:00:00:00")
	if i < v.floor || i+length > len(v.text) || !v.startsWord(i) {
		return Finding{}
	}
	s := v.text[i : i+length]
	sep := s[2]
	if sep != ':' && sep != '-' || v.back(i, 1) == sep && isHex(v.back(i, 2)) && !isWordEnd(v, i-1) || v.next(i+length) == sep || !v.endsWord(i+length) {
		return Finding{}
	}
	for k := range length {
		if k%3 == 2 && s[k] != sep || k%3 != 2 && !isHex(s[k]) {
			return Finding{}
		}
	}
	if strings.Count(s, s[:3]) == 5 && s[15:] == s[:2] {
		return Finding{} // all zeros or a broadcast: nobody's
	}
	return Finding{MAC, i, i + length}
}

// isWordEnd reports whether a word with a letter beyond f ends at text[end], as in urn:00:1b:44:11:3a:b7.
func isWordEnd(v view, end int) bool {
	for i := end; i > v.floor && end-i < 8 && isAlnum(v.text[i-1]); i-- {
		if !isHex(v.text[i-1]) {
			return true
		}
	}
	return false
}

// bareMAC finds the twelve digits of a hardware address beside a word for one; they are text[i:end].
func bareMAC(v view, i, end int) Finding {
	const length = len("001b44113ab7")
	if end-i != length || hexes.run(v.text, i) != end || !v.startsWord(i) || (v.known.cue|v.cueBefore(i))&cueMAC == 0 {
		return Finding{}
	}
	return Finding{MAC, i, end}
}

// dottedMAC finds hardware addresses as switches write them: 001b.4411.3ab7.
func dottedMAC(v view, i int) Finding {
	const picture = "xxxx.xxxx.xxxx"
	end := i + len(picture)
	if end > len(v.text) || !v.startsWord(i) || !v.endsWord(end) || v.back(i, 1) == '.' || v.next(end) == '.' && isAlnum(v.next(end+1)) {
		return Finding{}
	}
	digit, letter := false, false
	for k := range len(picture) {
		b := v.text[i+k]
		if dot := picture[k] == '.'; dot != (b == '.') || !dot && !isHex(b) {
			return Finding{}
		}
		digit, letter = digit || isDigit(b), letter || isAlpha(b)
	}
	if !digit || !letter {
		return Finding{}
	}
	return Finding{MAC, i, end}
}
