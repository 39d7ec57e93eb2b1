package privacy

// isSSN follows the rules of the United States for social security and taxpayer numbers.
func isSSN(n []byte) bool {
	group, serial := value(n[3:5]), value(n[5:])
	if n[0] == '9' { // a taxpayer without a social security number
		return group >= 50 && group <= 65 || group >= 70 && group <= 88 || group >= 90 && group <= 92 || group >= 94
	}
	area := value(n[:3])
	return area != 0 && area != 666 && group != 0 && serial != 0
}

func isSIN(n []byte) bool { return n[0] != '8' && luhn(n) }

func isNHS(n []byte) bool {
	return (11-(int(n[0]-'0')*10+weighed(n[1:], "98765432"))%11)%11 == int(n[9]-'0')
}

// isUTR is the check of British taxpayers, whose check digit is the first.
func isUTR(n []byte) bool {
	weights := [...]int{6, 7, 8, 9, 10, 5, 4, 3, 2}
	sum := 0
	for i, w := range weights {
		sum += w * int(n[i+1]-'0')
	}
	return "21987654321"[sum%11] == n[0]
}

// isSteuerID wants one digit twice or three times among the first ten, and the others once at most.
func isSteuerID(n []byte) bool {
	var seen [10]int
	for _, b := range n[:10] {
		seen[b-'0']++
	}
	repeated := 0
	for _, times := range seen {
		if times > 3 {
			return false
		}
		if times > 1 {
			repeated++
		}
	}
	return n[0] != '0' && repeated == 1 && hybrid(n)
}

func isNIR(n []byte) bool {
	month := value(n[3:5])
	return (n[0] == '1' || n[0] == '2') && (month >= 1 && month <= 12 || month >= 20 && month <= 42) && 97-value(n[:13])%97 == value(n[13:])
}

// isSPI is the check of French tax numbers: the first ten digits modulo 511.
func isSPI(n []byte) bool { return n[0] <= '3' && value(n[:10])%511 == value(n[10:]) }

// isNUSS is the check of Spanish social security: the province and the number modulo 97.
func isNUSS(n []byte) bool {
	head := value(n[:10])
	if n[2] == '0' { // the number is shorter by its zero
		head = value(n[:2])*10_000_000 + value(n[3:10])
	}
	return n[0] <= '6' && head%97 == value(n[10:])
}

func isBSN(n []byte) bool {
	return (weighed(n, "98765432")-int(n[8]-'0'))%11 == 0
}

func isRijksregister(n []byte) bool {
	month := value(n[2:4]) % 20 // counted on when the sex was not known
	if month > 12 || value(n[4:6]) > 31 {
		return false
	}
	head, check := value(n[:9]), value(n[9:])
	return 97-head%97 == check || value(n[:2]) < 40 && 97-(2_000_000_000+head)%97 == check
}

func isNIF(n []byte) bool {
	if n[0] == '0' {
		return false
	}
	check := 11 - weighed(n, "98765432")%11
	if check > 9 {
		check = 0
	}
	return check == int(n[8]-'0')
}

// isPersonNIF knows the digits with which numbers of people begin.
func isPersonNIF(n []byte) bool {
	return (n[0] >= '1' && n[0] <= '3' || n[0] == '4' && n[1] == '5') && isNIF(n)
}

// isNISS is the check of Portuguese social security, whose weights are primes.
func isNISS(n []byte) bool {
	primes := [...]int{29, 23, 19, 17, 13, 11, 7, 5, 3, 2}
	sum := 0
	for i, p := range primes {
		sum += p * int(n[i]-'0')
	}
	return (n[0] == '1' || n[0] == '2') && 9-sum%10 == int(n[10]-'0')
}

// isPESEL knows the births of two centuries: 20 is added to the months of the present one.
func isPESEL(n []byte) bool {
	month := value(n[2:4])
	if month > 20 {
		month -= 20
	}
	day := value(n[4:6])
	return month >= 1 && month <= 12 && day >= 1 && day <= 31 && (10-weighed(n, "1379137913")%10)%10 == int(n[10]-'0')
}

func isNIP(n []byte) bool { return weighed(n, "657234567")%11 == int(n[9]-'0') }

// isPersonnummer takes ten digits, or twelve with the century.
func isPersonnummer(n []byte) bool {
	n = n[len(n)-10:]
	return isDay(n[2:4], n[4:6]) && luhn(n)
}

// isSamordningsnummer is the number of who is not registered: 60 is added to the day.
func isSamordningsnummer(n []byte) bool {
	n = n[len(n)-10:]
	month, day := value(n[2:4]), value(n[4:6])-60
	return month >= 1 && month <= 12 && day >= 1 && day <= 31 && luhn(n)
}

// isPlainPersonnummer refuses what rather is a time: the seconds of an epoch, or a minute of this century.
func isPlainPersonnummer(n []byte) bool {
	if len(n) == 10 {
		return !isEpoch(n) && isPersonnummer(n)
	}
	century := value(n[:2])
	minute := century == 20 && value(n[8:10]) < 24 && value(n[10:]) < 60
	return (century == 19 || century == 20) && !minute && isPersonnummer(n)
}

// isEpoch reports whether ten digits may be the seconds since 1970, from 2001 to 2033.
func isEpoch(n []byte) bool { return n[0] == '1' }

func isFodselsnummer(n []byte) bool {
	day, month := value(n[:2]), value(n[2:4])
	if day > 40 { // a number for a foreigner
		day -= 40
	}
	if month > 40 { // a number for a test
		month -= 40
	}
	valid := month >= 1 && month <= 12 && day >= 1 && day <= 31
	return valid && mod11(n, "376189452") && mod11(n, "5432765432")
}

// isCPR knows the check of Danish numbers.
func isCPR(n []byte) bool { return isDay(n[2:4], n[:2]) && weighed(n, "4327654321")%11 == 0 }

func isPlainCPR(n []byte) bool { return !isEpoch(n) && isCPR(n) }

// isLateCPR takes numbers that need not pass the check, which was given up in 2007: those of who was born
// since, and of the first of January of many years, when those that pass had run out.
func isLateCPR(n []byte) bool {
	year := value(n[4:6])
	newborn := n[6] >= '4' && year >= 7 && year <= 36
	return isDay(n[2:4], n[:2]) && (newborn || string(n[:4]) == "0101" && year >= 60)
}

func isAHV(n []byte) bool {
	return string(n[:3]) == "756" && (10-weighed(n, "131313131313")%10)%10 == int(n[12]-'0')
}

func isSVNR(n []byte) bool {
	month := value(n[6:8])
	day := value(n[4:6])
	return n[0] != '0' && month >= 1 && month <= 15 && day >= 1 && day <= 31 && hasSVNRCheck(n)
}

func hasSVNRCheck(n []byte) bool {
	return (weighed(n, "379")+weighed(n[4:], "584216"))%11 == int(n[3]-'0')
}

func isCPF(n []byte) bool {
	first := (int(n[0]-'0')*10 + weighed(n[1:], "98765432")) * 10 % 11 % 10
	second := (int(n[0]-'0')*11 + int(n[1]-'0')*10 + weighed(n[2:], "98765432")) * 10 % 11 % 10
	return first == int(n[9]-'0') && second == int(n[10]-'0')
}

func isAadhaar(n []byte) bool { return n[0] >= '2' && verhoeff(n) }

func isTFN(n []byte) bool {
	return (weighed(n, "14375869")+10*int(n[8]-'0'))%11 == 0
}

func isMedicare(n []byte) bool {
	return n[0] >= '2' && n[0] <= '6' && weighed(n, "13791379")%10 == int(n[8]-'0') && n[9] != '0'
}

func isABN(n []byte) bool {
	sum := (int(n[0]-'0') - 1) * 10
	for i, b := range n[1:] {
		sum += int(b-'0') * (2*i + 1)
	}
	return n[0] != '0' && sum%89 == 0
}

// isRRN exempts who was registered since October 2020: those digits are random.
func isRRN(n []byte) bool {
	century := n[6]
	if !isDay(n[2:4], n[4:6]) || century == '0' || century == '9' {
		return false
	}
	recent := value(n[:4]) >= 2010 && value(n[:2]) < 40 && (century-'0')%4 != 1 && (century-'0')%4 != 2
	return recent || hasRRNCheck(n)
}

func hasRRNCheck(n []byte) bool {
	return isDay(n[2:4], n[4:6]) && (11-weighed(n, "234567892345")%11)%10 == int(n[12]-'0')
}

func isMyNumber(n []byte) bool {
	rest := (int(n[0]-'0')*6 + weighed(n[1:], "5432765432")) % 11
	check := 0
	if rest > 1 {
		check = 11 - rest
	}
	return check == int(n[11]-'0')
}

func isKimlik(n []byte) bool {
	odd := weighed(n, "101010101")
	even := weighed(n, "01010101")
	tenth := (odd*7 - even + 100) % 10
	return n[0] != '0' && tenth == int(n[9]-'0') && (odd+even+tenth)%10 == int(n[10]-'0')
}

func isSouthAfrican(n []byte) bool {
	return isDay(n[2:4], n[4:6]) && n[10] <= '1' && luhn(n)
}

// isRefugee is a South African number of neither a citizen nor a resident.
func isRefugee(n []byte) bool { return isDay(n[2:4], n[4:6]) && n[10] == '2' && luhn(n) }

func isThai(n []byte) bool {
	sum := 13*int(n[0]-'0') + 12*int(n[1]-'0') + 11*int(n[2]-'0') + 10*int(n[3]-'0') + weighed(n[4:], "98765432")
	return n[0] != '0' && (11-sum%11)%10 == int(n[12]-'0')
}

func isRodne(n []byte) bool {
	month := value(n[2:4]) % 50 % 20
	day := value(n[4:6])
	return month >= 1 && month <= 12 && day >= 1 && day <= 31 && value(n)%11 == 0
}

// isChinese is the check of ISO 7064, MOD 11-2, for check digits below ten.
func isChinese(n []byte) bool {
	return isDay(n[10:12], n[12:14]) && (n[6] == '1' && n[7] == '9' || n[6] == '2' && n[7] == '0') && chineseCheck(n) == n[17]
}

func chineseCheck(n []byte) byte {
	weights := [...]int{7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2}
	sum := 0
	for i, w := range weights {
		sum += w * int(n[i]-'0')
	}
	return "10X98765432"[sum%11]
}
