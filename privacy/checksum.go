package privacy

import "slices"

// The checks below take numbers as ASCII digits, most significant first.

func value(number []byte) int {
	n := 0
	for _, b := range number {
		n = n*10 + int(b-'0')
	}
	return n
}

// weighed is the sum of the digits times their weights.
func weighed(number []byte, weights string) int {
	sum := 0
	for i := range len(weights) {
		sum += int(number[i]-'0') * int(weights[i]-'0')
	}
	return sum
}

// luhn is the check of ISO 7812: every second digit doubled, modulo 10.
func luhn(number []byte) bool {
	sum, double := 0, false
	for _, c := range slices.Backward(number) {
		d := int(c - '0')
		if double {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum, double = sum+d, !double
	}
	return sum%10 == 0
}

// mod11 checks the last digit: what the weighted sum of the others lacks to a multiple of 11.
func mod11(number []byte, weights string) bool {
	return (11-weighed(number, weights)%11)%11 == int(number[len(weights)]-'0')
}

// hybrid is the check of ISO 7064, MOD 11,10.
func hybrid(number []byte) bool {
	product := 10
	for _, b := range number[:len(number)-1] {
		sum := (int(b-'0') + product) % 10
		if sum == 0 {
			sum = 10
		}
		product = sum * 2 % 11
	}
	return (11-product)%10 == int(number[len(number)-1]-'0')
}

// The dihedral group of order ten: its multiplication, and the permutation of each position.
const (
	dihedral = "0123456789" + "1234067895" + "2340178956" + "3401289567" + "4012395678" +
		"5987604321" + "6598710432" + "7659821043" + "8765932104" + "9876543210"
	permuted = "0123456789" + "1576283094" + "5803796142" + "8916043527" + "9453126870" + "4286573901" + "2793806415" + "7046913258"
)

// verhoeff is the check of Verhoeff over the dihedral group.
func verhoeff(number []byte) bool {
	c := 0
	for i := range number {
		d := int(number[len(number)-1-i] - '0')
		c = int(dihedral[c*10+int(permuted[i%8*10+d]-'0')] - '0')
	}
	return c == 0
}

// isDay reports whether two digits of a month and two of a day name a day.
func isDay(month, day []byte) bool {
	m, d := value(month), value(day)
	return m >= 1 && m <= 12 && d >= 1 && d <= 31
}

// isUniform reports whether all digits are the same, which passes many a check.
func isUniform(number []byte) bool {
	for _, b := range number {
		if b != number[0] {
			return false
		}
	}
	return true
}
