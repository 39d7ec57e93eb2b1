package privacy

// maxIBAN is the longest account number of any country.
const maxIBAN = 34

// iban finds international bank account numbers: a country, its length, and a remainder of one.
func iban(v view, i int) Finding {
	if i+4 > len(v.text) || !isAlpha(v.text[i+1]) || !isDigit(v.text[i+2]) || !isDigit(v.text[i+3]) {
		return Finding{}
	}
	format := ibanFormats[int(v.text[i]&^0x20-'A')*26+int(v.text[i+1]&^0x20-'A')]
	length := format.length
	if inUUID := v.back(i, 1) == '-' && isHex(v.back(i, 2)); length == 0 || inUUID || !v.startsWord(i) {
		return Finding{}
	}
	var account [maxIBAN]byte
	end := i
	for n := range length {
		if sep := v.next(end); n > 0 && n%4 == 0 && (sep == ' ' || sep == '-') {
			end++
		}
		b := v.next(end)
		if !isAlnum(b) {
			return Finding{}
		}
		account[n] = b
		end++
	}
	if !v.endsWord(end) || !format.fits(account[:length]) || !remainsOne(account[:length]) {
		return Finding{}
	}
	return Finding{IBAN, i, end}
}

// remainsOne computes the check of ISO 7064: the country and check digits moved to the end, letters
// counted from 10, modulo 97.
func remainsOne(account []byte) bool {
	rest := 0
	for n := range account {
		switch b := account[(n+4)%len(account)]; {
		case isDigit(b):
			rest = (rest*10 + int(b-'0')) % 97
		default:
			rest = (rest*100 + int(b|0x20-'a') + 10) % 97
		}
	}
	return rest == 1
}

// ibanCountries lists the countries of the registry, and those that use its form without being in it, with the length of their account numbers and what
// follows the check digits: n digits only, d a digit first, a four letters, b two, i one, c anything.
const ibanCountries = "AD24dAE23nAL28dAT20nAZ28aBA20nBE16nBG22aBH22aBI27nBR29dBY28cCH21dCR22nCY28dCZ24nDE22nDJ27nDK18nDO28cEE20nEG29n" +
	"ES24nFI18nFK18bFO18nFR27dGB22aGE22bGI23aGL18nGR27dGT28cHN28aHR21nHU28nIE22aIL23nIQ23aIS26nIT27iJO30aKW30aKZ20d" +
	"LB28dLC32aLI21dLT20nLU20dLV21aLY25nMC27dMD24cME22nMK19dMN20nMR27nMT31aMU30aNI28aNL18aNO15nOM23dPK24aPL28nPS29a" +
	"PT25nQA29aRO24aRS22nRU33dSA24dSC31aSD18nSE24nSI19nSK24nSM27iSO23nST25nSV28aTL23nTN24nTR26dUA29dVA22nVG24aXK20n" +
	"YE30aAO25nBF28cBJ28cCF27nCG27nCI28cCM27nCV25nDZ26nGA27nGQ27nIR26nKM27nMA28nMG27nML28cMZ25nNE28cSN28cTD27nTG28c"

type ibanFormat struct {
	length int
	kind   byte
}

var ibanFormats = ibanTable()

func ibanTable() [26 * 26]ibanFormat {
	var table [26 * 26]ibanFormat
	for c := ibanCountries; c != ""; c = c[5:] {
		table[int(c[0]-'A')*26+int(c[1]-'A')] = ibanFormat{int(c[2]-'0')*10 + int(c[3]-'0'), c[4]}
	}
	return table
}

// fits reports whether letters stand only where the country has them.
func (f ibanFormat) fits(account []byte) bool {
	letters := map[byte]int{'a': 4, 'b': 2, 'i': 1}[f.kind]
	for n, b := range account[4:] {
		switch {
		case n < letters && !isAlpha(b), n == letters && n > 0 && isAlpha(b) && f.kind != 'a':
			return false
		case (f.kind == 'n' || f.kind == 'd' && n == 0) && !isDigit(b):
			return false
		}
	}
	return true
}
