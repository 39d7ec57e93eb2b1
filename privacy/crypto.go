package privacy

import (
	"crypto/sha256"
	"strings"
)

const (
	minBase58, maxBase58 = 25, 112 // characters of what carries a checksum
	minBech32, maxBech32 = 24, 120
	hexAddress           = len("0x") + 40
)

// coin finds addresses of crypto currencies, and private keys, in the word text[i:end]: they carry
// checksums.
func coin(v view, i, end int) Finding {
	word := v.text[i:end]
	if !v.startsWord(i) || v.next(end) == '_' || v.back(i, 1) == '_' {
		return Finding{}
	}
	switch {
	case len(word) == hexAddress && word[0] == '0' && word[1] == 'x':
		if isHexAddress(word[2:]) {
			return Finding{Crypto, i, end}
		}
	case len(word) >= minBech32 && len(word) <= maxBech32 && isBech32(word):
		return Finding{Crypto, i, end}
	case len(word) >= minBase58 && len(word) <= maxBase58:
		if e := base58Entity(word); e != 0 {
			return Finding{e, i, end}
		}
	}
	return Finding{}
}

// isHexAddress checks 40 hexadecimal digits whose case, when it is mixed, is their checksum (EIP-55).
func isHexAddress(address string) bool {
	if hexes.run(address, 0) < len(address) || monotone(address) {
		return false
	}
	small := strings.ToLower(address)
	if address == small || address == strings.ToUpper(address) {
		return true
	}
	sum := keccak256([]byte(small))
	for i := range len(address) {
		nibble := sum[i/2] >> (4 * (1 - i%2)) & 0xf
		if isAlpha(address[i]) && isUpper(address[i]) != (nibble >= 8) {
			return false
		}
	}
	return true
}

const bech32Chars = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"

// bech32Parts are what addresses of bech32 begin with; all of these are public networks.
var bech32Parts = [...]string{"bc1", "tb1", "bcrt1", "ltc1", "addr1", "stake1", "cosmos1", "osmo1", "terra1", "inj1", "sei1", "celestia1"}

// isBech32 checks the polynomial of BIP-173 or of BIP-350.
func isBech32(word string) bool {
	small := strings.ToLower(word)
	if small != word && strings.ToUpper(word) != word {
		return false
	}
	for _, part := range bech32Parts {
		if strings.HasPrefix(small, part) {
			sum := bech32Sum(small[:len(part)-1], small[len(part):])
			return sum == 1 || sum == 0x2bc830a3
		}
	}
	return false
}

// bech32Sum returns the remainder of a human-readable part and its data, or 0 when a character is wrong.
func bech32Sum(part, data string) uint32 {
	sum := uint32(1)
	step := func(v int) {
		top := sum >> 25
		sum = sum&0x1ffffff<<5 ^ uint32(v)
		for i, g := range [...]uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3} {
			if top>>i&1 == 1 {
				sum ^= g
			}
		}
	}
	for i := range len(part) {
		step(int(part[i] >> 5))
	}
	step(0)
	for i := range len(part) {
		step(int(part[i] & 31))
	}
	for i := range len(data) {
		v := strings.IndexByte(bech32Chars, data[i])
		if v < 0 {
			return 0
		}
		step(v)
	}
	return sum
}

const (
	base58Chars = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	rippleChars = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz"
)

// base58Entity says what a word of base58 is whose last four bytes are the checksum of the others.
func base58Entity(word string) Entity {
	chars := base58Chars
	if word[0] == 'r' {
		chars = rippleChars
	} else if strings.IndexByte("13LM29ADXtTKmnc5xyzUVW7", word[0]) < 0 {
		return 0
	}
	var space [maxBase58]byte
	raw, ok := decodeBase58(space[:0], word, chars)
	if !ok || len(raw) < 25 {
		return 0
	}
	body, check := raw[:len(raw)-4], raw[len(raw)-4:]
	once := sha256.Sum256(body)
	if twice := sha256.Sum256(once[:]); string(twice[:4]) != string(check) {
		return 0
	}
	private := len(body) == 33 || len(body) == 34 || strings.HasPrefix(word[1:], "prv")
	if private {
		return Secret
	}
	return Crypto
}

// decodeBase58 appends the bytes of a word, whose digits stand in chars, most significant first.
func decodeBase58(dst []byte, word, chars string) ([]byte, bool) {
	zeros := 0
	for zeros < len(word) && word[zeros] == chars[0] {
		zeros++
	}
	var number [maxBase58]byte // least significant first
	n := 0
	for i := range len(word) {
		carry := strings.IndexByte(chars, word[i])
		if carry < 0 {
			return nil, false
		}
		for k := 0; k < n || carry > 0; k++ {
			carry += int(number[k]) * 58
			number[k] = byte(carry)
			carry >>= 8
			n = max(n, k+1)
		}
	}
	for range zeros {
		dst = append(dst, 0)
	}
	for k := n - 1; k >= 0; k-- {
		dst = append(dst, number[k])
	}
	return dst, true
}
