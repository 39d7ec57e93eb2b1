package privacy

// namedFormats are numbers of more countries. They are found only beside their own name or their country,
// because numbers of the countries in idFormats have the same shapes.
var namedFormats = [...]idFormat{
	{cueHU, personal, NationalID, "?ddddddddd ?ddd_ddd_ddd ?ddd-ddd-ddd", isTAJ},
	{cueHU, personal, NationalID, "?dddddddddd", isHungarianTax},
	{cueHU, personal, NationalID, "?ddddddddddd ?d-dddddd-dddd ?d_dddddd_dddd", isHungarianPerson},
	{cueRO, personal, NationalID, "?ddddddddddddd", isCNP},
	{cueHR, personal, NationalID, "?ddddddddddd", hybrid},
	{cueCL, personal, NationalID, "?dd.ddd.ddd-d ?dddddddd-d ?ddddddddd", isRUT},
	{cueIL, personal, NationalID, "?ddddddddd ?dddddddd-d ?d-dddddddd-d", luhn},
	{cueEE, personal, NationalID, "?ddddddddddd", isBaltic},
	{cueLV, personal, NationalID, "?dddddd-ddddd ?ddddddddddd", isLatvian},
	{cueBG, personal, NationalID, "?dddddddddd", isEGN},
	{cueGR, personal, NationalID, "?ddddddddddd", isAMKA},
	{cueRU, personal, NationalID, "?ddd-ddd-ddd_dd ?ddd-ddd-ddd-dd ?ddddddddddd", isSNILS},
	{cueRU, personal, NationalID, "?dddddddddddd", isRussianTax},
}

// isTAJ is the check of Hungarian social insurance.
func isTAJ(n []byte) bool { return weighed(n, "37373737")%10 == int(n[8]-'0') }

func isHungarianTax(n []byte) bool {
	return n[0] == '8' && weighed(n, "123456789")%11 == int(n[9]-'0')
}

// isHungarianPerson counts its weights upwards, and downwards for who was born since 1997.
func isHungarianPerson(n []byte) bool {
	up := weighed(n, "123456789") + 10*int(n[9]-'0')
	down := 10*int(n[0]-'0') + weighed(n[1:], "987654321")
	check := int(n[10] - '0')
	return n[0] >= '1' && n[0] <= '8' && isDay(n[3:5], n[5:7]) && (up%11 == check || down%11 == check)
}

func isCNP(n []byte) bool {
	return n[0] != '0' && isDay(n[3:5], n[5:7]) && weighed(n, "279146358279")%11%10 == int(n[12]-'0')
}

// isRUT is the check of Chilean numbers, for check digits below ten.
func isRUT(n []byte) bool { return rutRest(n) < 10 && rutRest(n) == int(n[8]-'0') }

func rutRest(n []byte) int { return (11 - weighed(n, "32765432")%11) % 11 }

// isBaltic is the check of Estonian and Lithuanian numbers, with second weights where the first say ten.
func isBaltic(n []byte) bool {
	rest := weighed(n, "1234567891") % 11
	if rest == 10 {
		rest = weighed(n, "3456789123") % 11 % 10
	}
	return n[0] >= '1' && n[0] <= '6' && isDay(n[3:5], n[5:7]) && rest == int(n[10]-'0')
}

func isLatvian(n []byte) bool {
	sum := weighed(n, "16379") + 10*int(n[5]-'0') + weighed(n[6:], "5842")
	return (1101-sum)%11%10 == int(n[10]-'0')
}

// isEGN knows the births of three centuries: 20 or 40 is added to the months.
func isEGN(n []byte) bool {
	month, day, sum := value(n[2:4])%20, value(n[4:6]), 0
	for i, w := range [...]int{2, 4, 8, 5, 10, 9, 7, 3, 6} {
		sum += w * int(n[i]-'0')
	}
	return month >= 1 && month <= 12 && day >= 1 && day <= 31 && sum%11%10 == int(n[9]-'0')
}

func isAMKA(n []byte) bool { return isDay(n[2:4], n[:2]) && luhn(n) }

// isSNILS is the check of Russian pensions.
func isSNILS(n []byte) bool { return weighed(n, "987654321")%101%100 == value(n[9:]) }

// isRussianTax wants two check digits of who is a person.
func isRussianTax(n []byte) bool {
	first := 7*int(n[0]-'0') + 2*int(n[1]-'0') + 4*int(n[2]-'0') + 10*int(n[3]-'0') + weighed(n[4:], "359468")
	second := 3*int(n[0]-'0') + 7*int(n[1]-'0') + 2*int(n[2]-'0') + 4*int(n[3]-'0') + 10*int(n[4]-'0') + weighed(n[5:], "359468")
	return first%11%10 == int(n[10]-'0') && second%11%10 == int(n[11]-'0')
}

// isCURP is the check of Mexican keys, in which letters count from ten and the place of Ñ is left free.
func isCURP(c []byte) bool {
	sum := 0
	for i, b := range c[:17] {
		n := letterValue(b)
		if b > 'N' {
			n++
		}
		sum += n * (18 - i)
	}
	return isDay(c[6:8], c[8:10]) && (c[10] == 'H' || c[10] == 'M' || c[10] == 'X') && (10-sum%10)%10 == int(c[17]-'0')
}

// isChileanK is the check of Chilean numbers for the letter K.
func isChileanK(c []byte) bool { return c[8] == 'K' && rutRest(c) == 10 }
