package privacy

import "strings"

// cue is a set of what the words beside a number say about it.
type cue uint64

const (
	cueOther cue = 1 << iota // some other kind of number
	cuePhone
	cueNumber // perhaps a number to call
	cueBirth
	cueIdentity // an official number of a person, of any country
	cueTax
	cueSocial
	cueHealth
	cuePassport
	cueUS
	cueCA
	cueUK
	cueIE
	cueDE
	cueFR
	cueES
	cueIT
	cueNL
	cueBE
	cuePT
	cuePL
	cueSE
	cueFI
	cueNO
	cueDK
	cueCH
	cueAT
	cueBR
	cueIN
	cueAU
	cueSG
	cueKR
	cueJP
	cueTR
	cueZA
	cueTH
	cueCN
	cueCZ
	personal  = cueIdentity | cueTax | cueSocial | cueHealth
	countries = ^(cueOther | cuePhone | cueNumber | cueBirth | personal | cuePassport)
	official  = countries | personal | cuePassport
)

// cueWords lists words, and pairs of words written together, in lower case.
var cueWords = [...]struct {
	cue   cue
	words string
}{
	{cuePhone, "phone phones telephone tel telefon telefono teléfono telefone telefoon téléphone telefonnummer telefonnr " +
		"telefoonnummer mobile mobil móvil movil mobilnummer mobilenumber cell cellphone cellular celular handy handynummer fax " +
		"calling callme callus callback dial textme ringme sms whatsapp msisdn hotline landline pager portable rufnummer puhelin " +
		"puhelinnumero gsm phonenumber phoneno contactnumber homenumber worknumber mynumberis cellnumber " +
		"telemóvel telemovel telefonszám cellulare numerbe телефон тел телефону моб"},
	{cueNumber, "numberis numeris numberare reachus reachme reach contactme contactus contact nummerist númeroes numéroest ring call calls called"},
	{cueBirth, "born birth birthday birthdate birthdates bday dob birthdatum geboren geb geburtsdatum geburtstag geburt né née " +
		"naissance nacido nacida nació nacimiento nascido nascida nasceu nascimento nato nata nascita geboortedatum geboorte född " +
		"födelsedatum født fødselsdato fødselsdag syntynyt syntymäaika urodzony urodzona urodzenia urodzin doğum doğumtarihi " +
		"narozen narozena народився народилась родился родилась рождения народження"},
	{cueIdentity, "nationalid nationalnumber nationalidentity nationalidentification identitynumber identificationnumber identityno " +
		"identitycard identitydocument idnumber idnumbers idno idnr idcard idcode personalid personalnumber personalcode " +
		"personalidentity personalidentification citizenid citizennumber civilid governmentid govid govtid documentnumber " +
		"myid hisid herid theirid whoseid residentid resident idissue identificationno identitynumbers identificationcode nid " +
		"numeroidentité identité identidad identidade identità cédula cedula identiteit"},
	{cueTax, "taxid taxids taxnumber taxpayer taxno taxidentification tin taxcode taxidno taxreference fiscalcode fiscalnumber fiscalid " +
		"numérofiscal numerofiscal númerofiscal identificationfiscale identificaciónfiscal identificaçãofiscal"},
	{cueSocial, "socialsecurity socialsec socialinsurance socialnumber insurancenumber nationalinsurance ssno sécuritésociale " +
		"seguridadsocial segurançasocial sozialversicherung sozialversicherungsnummer"},
	{cueHealth, "healthnumber healthcard healthid healthinsurance patientnumber patientid"},
	{cuePassport, "passport passportnumber passportno passports reisepass reisepassnummer pasaporte passeport passaporto paspoort " +
		"driverslicense driverslicence driverlicense drivinglicence drivinglicense driverslic licencenumber licensenumber sdriver slicense"},
	{cueUS, "ssn ssns socialsecurity socialsec itin ssnnumber"},
	{cueCA, "sin socialinsurance sinnumber nas assurancesociale"},
	{cueUK, "nino ninumber nationalinsurance nhs nhsnumber utr"},
	{cueIE, "pps ppsn ppsno ppsnumber"},
	{cueDE, "steuerid steueridnr steueridentifikationsnummer steuer idnr identifikationsnummer steuernummer rvnr rentenversicherungsnummer " +
		"rentenversicherung sozialversicherungsnummer personalausweis personalausweisnummer ausweis ausweisnummer steuerlicheidentifikationsnummer " +
		"steueridentnr steuerid"},
	{cueFR, "nir insee sécu secu sécurité securite securitesociale"},
	{cueES, "dni nie nif documentonacional identificaciónfiscal identidadextranjero extranjero"},
	{cueIT, "codicefiscale codfiscale codfisc fiscale"},
	{cueNL, "bsn burgerservicenummer sofinummer sofi"},
	{cueBE, "rijksregisternummer rijksregister insz niss nationalregister registrenational nationaalnummer rrn"},
	{cuePT, "nif contribuinte identificaçãofiscal"},
	{cuePL, "pesel nip identyfikacjipodatkowej"},
	{cueSE, "personnummer personnr samordningsnummer"},
	{cueFI, "hetu henkilötunnus henkilotunnus"},
	{cueNO, "fødselsnummer fodselsnummer personnummer fnr"},
	{cueDK, "cpr cprnr cprnummer cprnumber"},
	{cueCH, "ahv avs ahvnr ahvnummer oasi avsnumber"},
	{cueAT, "svnr svnummer svnr sozialversicherungsnummer sozialversicherung versicherungsnummer"},
	{cueBR, "cpf cpfnumber"},
	{cueIN, "aadhaar aadhar uidai pan pannumber pancard"},
	{cueAU, "tfn taxfile medicare medicareno abn medicarenumber"},
	{cueSG, "nric fin nricno"},
	{cueKR, "rrn residentregistration jumin"},
	{cueJP, "mynumber individualnumber"},
	{cueTR, "tckn tckimlik kimlik tc"},
	{cueZA, "rsaid southafrican"},
	{cueTH, "thaiid thainational thai"},
	{cueCN, "residentidentity shenfenzheng chinese"},
	{cueCZ, "rodné rodne rodnecislo czech"},
	{cueOther, "order invoice ticket build tracking serial sku isbn issn version commit revision rev transaction epoch timestamp ts " +
		"job run batch request trace pid port died deceased died gestorben mort murió morto seq sequence offset " +
		"size bytes count total elapsed latency duration since until updated created expires"},
}

// spacelessCues are words of scripts without spaces between words.
var spacelessCues = [...]struct {
	word string
	cue  cue
}{
	{"マイナンバー", cueJP}, {"個人番号", cueJP}, {"주민등록번호", cueKR}, {"주민번호", cueKR}, {"身份证", cueCN}, {"電話", cuePhone}, {"电话", cuePhone},
	{"手机", cuePhone}, {"携帯", cuePhone}, {"전화", cuePhone}, {"휴대폰", cuePhone}, {"生年月日", cueBirth}, {"出生", cueBirth}, {"생년월일", cueBirth},
	{"ประชาชน", cueTH},
}

var cues = cueIndex()

func cueIndex() map[string]cue {
	index := make(map[string]cue)
	for _, c := range cueWords {
		for word := range strings.FieldsSeq(c.words) {
			index[word] |= c.cue
		}
	}
	return index
}

const (
	cueReach   = 48 // bytes in front of a number in which its cue stands
	cueTrail   = 32 // bytes behind it
	maxCueWord = 32 // bytes of a word, or of two
)

// cueAround returns what is said about text[i:end] on its line, in front of it or else behind it.
func (v view) cueAround(i, end int) cue {
	c := v.cue | v.cueBefore(i)
	if c&^cueOther != 0 {
		return c
	}
	return c | v.cueBehind(end)
}

// cueBefore reads the words in front of text[i], backwards, up to one that names another kind of number.
func (v view) cueBefore(i int) cue {
	found, behind, crossed := cue(0), "", false
	limit := max(0, i-cueReach)
	for end := i; end > limit; {
		b := v.text[end-1]
		switch {
		case b == '\n':
			return found
		case found != 0 && (isDigit(b) || b == ',' || b == ';' || b == '|'):
			return found
		case b == ']' || !inCue(b):
			crossed = crossed || isDigit(b)
			end = v.skipTag(end)
			continue
		}
		start := end
		for start > limit && inCue(v.text[start-1]) {
			start--
		}
		word := v.text[start:end]
		c := lookUp(word, "") | lookUp(word, behind)
		if crossed {
			c &^= cueNumber
		}
		if found |= c; c&cueOther != 0 {
			return found
		}
		behind, end = word, start
	}
	return found
}

// skipTag returns where the tag that ends at text[end] begins, or one byte less.
func (v view) skipTag(end int) int {
	if v.text[end-1] != ']' {
		return end - 1
	}
	start := strings.LastIndexByte(v.text[max(0, end-cueReach):end], '[')
	if start += max(0, end-cueReach); start >= 0 && v.text[start] == '[' && placeholderAt(v.text, start) == end {
		return start
	}
	return end - 1
}

// cueBehind reads the words behind text[end], up to the end of the sentence.
func (v view) cueBehind(end int) cue {
	found, before := cue(0), ""
	limit := min(len(v.text), end+cueTrail)
	for i := end; i < limit; {
		switch b := v.text[i]; {
		case b == '\n' || b == '.' || b == ';' || b == '[' || isDigit(b):
			return found
		case !inCue(b):
			i++
			continue
		}
		start := i
		for i < limit && inCue(v.text[i]) {
			i++
		}
		word := v.text[start:i]
		found |= lookUp(word, "") | lookUp(before, word)
		before = word
	}
	return found &^ (cueOther | cueBirth)
}

func inCue(b byte) bool { return isAlpha(b) || b >= 0x80 }

// lookUp returns what a word says, or two words.
func lookUp(word, next string) cue {
	n := len(word) + len(next)
	if n > maxCueWord || n < 2 {
		return spacelessCue(word)
	}
	var space [maxCueWord]byte
	text := append(append(space[:0], word...), next...)
	for i, b := range text {
		text[i] = lower(b)
	}
	if c, ok := cues[string(text)]; ok || text[0] < 0x80 {
		return c
	}
	return spacelessCue(word)
}

func spacelessCue(word string) cue {
	for _, c := range spacelessCues {
		if strings.Contains(word, c.word) {
			return c.cue
		}
	}
	return 0
}
