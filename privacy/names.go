package privacy

import "strings"

// promise says what a name tells about its value.
type promise uint8

const (
	public promise = iota // nothing
	vague                 // a key of something: secret only if it looks random
	weak                  // keys and tokens: made by machines, so at least six characters
	strong                // passwords: anything goes
	person                // the name of somebody
	place                 // where somebody lives
	holder                // an object about somebody
)

// entity returns what a value is that keeps the promise.
func (p promise) entity() Entity {
	switch p {
	case public:
		return 0
	case person, holder:
		return Person
	case place:
		return Address
	default:
		return Secret
	}
}

// ending is what a name ends in, without separators.
type ending struct {
	text string
	promise
}

// endings are listed by what they promise; a longer one decides.
var endings = [...]struct {
	promise
	words string
}{
	{public, "pagetoken nexttoken maxtoken eostoken bostoken padtoken unktoken septoken masktoken clstoken stoptoken endtoken " +
		"starttoken continuationtoken cancellationtoken paginationtoken publickey primarykey foreignkey sortkey partitionkey cachekey hotkey ipaddress " +
		"emailaddress mailaddress macaddress webaddress walletaddress " +
		"remoteaddress localaddress serveraddress hostaddress bindaddress listenaddress contractaddress memoryaddress netaddress proxyaddress " +
		"baseaddress startaddress endaddress physicaladdress virtualaddress returnaddress hardwareaddress networkaddress sourceaddress targetaddress " +
		"idempotencykey routingkey groupkey statuscode errorcode exitcode zipcode postcode postalcode countrycode languagecode " +
		"returncode sourcecode bytecode opcode barcode statekey rowkey objectkey mapkey keyhash commithash gitcommithash " +
		"filehash contenthash blockhash treehash lasttoken firsttoken currenttoken prevtoken wordtoken nosecret publicauth"}, // of another trade
	{strong, "password passwd pwd passphrase passcode passwordhash passwords passwort passwrd passwd1 password1 password2 userpass dbpass psswd " +
		"bindpw dbpw userpw rootpw adminpw wifipsk wpapsk psk " +
		"contraseña contrasena motdepasse kennwort senha wachtwoord lösenord hasło"},
	{weak, "connectionstring connstring credential credentials creds token secret secrets apikey accesskey secretkey privatekey authkey " +
		"encryptionkey signingkey accountkey masterkey sharedkey secretaccesskey clientkey consumerkey appkey appsecret apisecret apitoken " +
		"sessionkey sessiontoken sastoken sharedaccesssignature webhooksecret secretkeybase deploykey licensekey servicekey storagekey subscriptionkey " +
		"xapikey authorization auth jwt bearer hmackey hmacsecret seedphrase mnemonic otpsecret totpsecret refreshtoken accesstoken idtoken " +
		"xamzsignature xamzcredential xamzsecuritytoken cookiesecret setcookie sessioncookie cryptokey cipherkey sshkey pgpkey rsakey awskey " +
		"gcpkey azurekey adminkey rootkey serverkey writekey ingestkey integrationkey restapikey apikeyid accesscode authcode sig"},
	{vague, "pat key signature session sessionid sid dsn salt cookie pin"},
	{person, "fullname firstname lastname givenname familyname surname maidenname middlename contactname customername patientname clientname " +
		"employeename personname author authorname committername cardholder cardholdername accountholder recipientname sendername " +
		"contactperson realname authors signer legalname ownername membername studentname teachername doctorname guestname passengername " +
		"beneficiaryname applicantname candidatename signedoffby reviewedby ackedby testedby reportedby coauthoredby suggestedby helpedby " +
		"nameoncard nameonaccount holdername emergencycontact nextofkin vorname nachname nombrecompleto apellido apellidos prenom " +
		"prénom nomcomplet cognome voornaam achternaam förnamn efternamn fornavn etternavn efternavn imie nazwisko username1 billingname " +
		"shippingname buyername sellername drivername managername supervisorname mothersmaidenname spousename insuredname attendee attendees " +
		"assignedto reportedby createdby approvedby requestedby submittedby preparedby writtenby signedby ownedby authoredby " +
		"Имя Фамилия Отчество ФИО Автор Получатель Отправитель Імя Прізвище ПІБ Όνομα Ονοματεπώνυμο Επώνυμο имя фамилия отчество фио автор " +
		"получатель отправитель імя прізвище ім’я Ім’я όνομα ονοματεπώνυμο επώνυμο 姓名 氏名 名前 名字 作者 著者 联系人 聯絡人 收件人 担当者 宛先 이름 성명 성함 작성자 담당자 " +
		"الاسم اسم المؤلف المرسل שם נמען מחבר نام ชื่อ ชื่อ-นามสกุล Անուն անուն სახელი नाम"},
	{place, "streetaddress street homeaddress billingaddress shippingaddress mailingaddress postaladdress addressline addressline1 " +
		"addressline2 address1 address2 residentialaddress deliveryaddress homeaddr straße strasse adresse direccion dirección indirizzo endereço address " +
		"anschrift wohnort wohnanschrift lieferadresse domicile domicilio adres adress osoite adresa morada"},
	{holder, "user customer employee patient contact owner recipient sender person profile client student member passenger traveler traveller " +
		"guest reporter assignee reviewer committer creator cardholder holder landlord interviewer interviewee beneficiary instructor attorney physician " +
		"nurse guardian spouse supervisor lawyer plaintiff defendant payee payer buyer seller"},
}

// endingsBy are the endings by their last two bytes.
var endingsBy = endingIndex()

func endingIndex() (index [1 << 10][]ending) {
	for _, e := range endings {
		for word := range strings.FieldsSeq(e.words) {
			at := endingHash(word[len(word)-2], word[len(word)-1])
			index[at] = append(index[at], ending{word, e.promise})
		}
	}
	return index
}

// endingHash does not tell small letters from capitals.
func endingHash(a, b byte) int { return int(a&31)<<5 | int(b&31) }

// whole are endings that must be the whole name, or a word of it: many others end in them.
var whole = map[string]bool{"auth": true, "psk": true, "pat": true, "sig": true, "sid": true, "pin": true, "code": true, "hash": true, "salt": true,
	"key": true, "session": true, "jwt": true, "author": true, "street": true, "attendee": true, "attendees": true, "creds": true, "address": true,
	"adres": true, "adress": true, "adresa": true, "morada": true, "domicile": true, "bearer": true, "signature": true,
	"cookie": true, "nonce": true, "secrets": true, "dsn": true, "surname": true, "sshkey": true, "mnemonic": true}

// promiseOf tells from a name what its value is.
func promiseOf(name string) promise {
	p, _ := endingOf(name)
	return p
}

// endingOf returns what the known end of a name promises, and how long it is.
func endingOf(name string) (best promise, length int) {
	if len(name) < 2 || name == "PWD" || name == "OLDPWD" {
		return public, 0
	}
	for _, e := range endingsBy[endingHash(name[len(name)-2], name[len(name)-1])] {
		if len(e.text) > length && endsIn(name, e.text) && (!whole[e.text] || isWord(name, len(e.text))) {
			best, length = e.promise, len(e.text)
		}
	}
	if length == 0 && isWord(name, len("pass")) && endsIn(name, "pass") {
		return strong, len("pass")
	}
	return best, length
}

// endsIn compares the end of a name, without its separators and case.
func endsIn(name, ending string) bool {
	k := len(ending)
	for i := len(name) - 1; i >= 0 && k > 0; i-- {
		if !isAlnum(name[i]) && name[i] < 0x80 {
			continue
		}
		if k--; lower(name[i]) != ending[k] {
			return false
		}
	}
	return k == 0
}

// isWord reports whether the last n bytes of a name are a word of it.
func isWord(name string, n int) bool {
	at := len(name) - n
	return at == 0 || at > 0 && (!isAlnum(name[at-1]) || isUpper(name[at]) && !isUpper(name[at-1]))
}

// meaning is what is known of a value from the names in front of it.
type meaning struct {
	promise  promise
	cue      cue
	withheld bool // of an object: its members are content of an opted-out file
}

func meaningOf(name string) meaning { return meaning{promise: promiseOf(name), cue: nameCue(name)} }

// numberNames are names that say nothing of a number but that it is one, or a value.
var numberNames = wordSet("number no nr num value id code text raw digits")

// within completes the meaning of a member of an object that has a meaning itself: the name of a user.
func (m meaning) within(object meaning, name string) meaning {
	if m.cue == 0 && numberNames[strings.ToLower(name)] {
		m.cue = object.cue
	}
	about := object.promise == person || object.promise == holder
	if about && (m.promise == public || m.promise == holder) {
		switch strings.ToLower(name) {
		case "name", "first", "last", "full", "middle":
			m.promise = person
		}
	}
	return m
}
