package privacy

// cueWords lists words, and pairs of words written together, without capitals and marks; a star stands for any
// ending, and a plus for a space that must be there.
var cueWords = [...]struct {
	cue   cue
	words string
}{
	{cuePhone, "ph phone phones telephone tel telefon telefono telefone telefoon telefonnummer telefonnr " +
		"telefoonnummer mobile mobil movil mobilnummer mobilenumber cell cellphone cellular celular handy handynummer fax " +
		"calling callme callus callback dial textme ringme sms whatsapp msisdn hotline landline pager portable rufnummer puhelin " +
		"puhelinnumero gsm phonenumber phoneno contactnumber emergencycontact homenumber worknumber mynumberis cellnumber " +
		"telemovel telefonszam cellulare numerbe telefonu telefonum komorka komorkowy телефон тел телефону моб"},
	{cueNumber, "numberis numeris numberare reachus reachme reach contactme contactus contact nummerist numeroes numeroest ring call calls called"},
	{cueBirth, "born birth birthday birthdate birthdates bday dob birthdatum geboren geb geburtsdatum geburtstag geburt née né " +
		"naissance nacido nacida nació nacimiento nascido nascida nasceu nascimento nato nata nascita geboortedatum geboorte född " +
		"födelsedatum født fødselsdato fødselsdag syntynyt syntymäaika urodzony urodzona urodzenia urodzin doğum doğumtarihi " +
		"narozen narozena народився народилась родился родилась рождения народження"},
	{cuePaper, "uid document documento dokument documentid hernumber hisnumber whosenumber"},
	{cueIdentity, "nationalid nationalids nationalno nationalnr nationalnumber nationalidentifier identity identityno idnumber idnumbers idno idnos idnr " +
		"idnum idcard idcards idcode id+num personalid personalno personalnumber personalcode personnumber personid citizenid citizenno citizennumber " +
		"citizencard civilid individualnumber " +
		"governmentid govid govtid issuedid documentnumber documentno documentnr documentnum documentidentifier documentonumber documenton documentonº " +
		"myid hisid herid theirid whoseid residentid resident residentno idissue nid nin idcardno nationalidcard " +
		"identification* identifica* identifika* identidad identidade identita identité identiteit* identitet* identyfikac* identitat* " +
		"personenkenn* kennnummer* kennziffer* kennzahl ausweis* personalausweis* personlichenummer persoonsnummer* legitimati* cedula numeroidentidad " +
		"identifiantnational numeronational numeropersonnel numeroidentificacao numeropersonale " +
		"dowod* dowodu ewidencyjny ewidencyjnego numerosobisty idnummer* id+nummer id+nr personligtnummer personlignummer personnumero henkilonumero* " +
		"tunnusnumero* henkilokort* henkilotodist* kimlik* vatandaslik*"},
	{cueTax, "utr uniquetaxpayer taxid taxids taxnumber taxpayer* taxno taxnr tin tins taxidentification* taxidentifier taxcode taxidno taxreference taxref " +
		"fiscalcode fiscalnumber " +
		"fiscalid numerofiscal numerofiscale numerofiscaal fiscaalnummer identificationfiscale identificacionfiscal identificacaofiscal steuernummer* podatkow*"},
	{cueSocial, "socialsecurity socialsec socsec socialinsurance socialnumber insurancenumber insuranceno nationalinsurance ssno securitesociale " +
		"seguridadsocial segurancasocial sicurezzasociale sozialversicherung* sosiaaliturva* trygghetsnummer"},
	{cueHealth, "nhs nhsnumber healthnumber healthcard healthid healthno healthinsurance medicalnumber patientnumber patientno patientid"},
	{cuePassport, "passport passportnumber passportno passports reisepass reisepassnummer pasaporte passeport passaporto paspoort " +
		"driverslicense driverslicence driverlicense drivinglicence drivinglicense driverslic licencenumber licensenumber sdriver slicense"},
	{cueCard, "card cards creditcard debitcard visa mastercard maestro amex kreditkarte kreditkort carte tarjeta cartao kaart karta kort"},
	{cueMAC, "mac macaddress macaddr hwaddr bssid lladdr ether hardwareaddress physicaladdress"},
	{cueUS, "ssn ssns ssnnumber socialsecurity socialsec socsec itin"},
	{cueCA, "sins sinnumber socialinsurance assurancesociale"},
	{cueUK, "nino ninumber ni+no nationalinsurance nhs nhsnumber"},
	{cueUTR, "utr utrnumber hmrc uniquetaxpayer"},
	{cueIE, "pps ppsn ppsno psp publicservice"},
	{cueDE, "steuerid steueridnr steuerident* steuer steuerlich* idnr rvnr rentenversicherung* sozialversicherung* " +
		"personalausweis*"},
	{cueFR, "insee secu securite* ss+numero numero+ss n+ss spi"},
	{cueES, "dni nif documentonacional identificacionfiscal identidadextranjero extranjero* nuss"},
	{cueIT, "codicefiscale codfiscale codfisc fiscale"},
	{cueNL, "bsn bsnnumber bsnnummer bsnnr burgerservice* sofinummer* sofi citizenservice"},
	{cueBE, "rijksregister* insz niss nationalregist* registrenational nationaalnummer rrn registernummer"},
	{cuePT, "nif contribuinte identificacaofiscal cidadao cartaocidadao cartaodecidadao niss"},
	{cuePL, "pesel*"},
	{cueSE, "personnumm* personnumr* personnumre* personnr persnr samordningsnum*"},
	{cueFI, "hetu hetun henkilotunnu* sosiaaliturva*"},
	{cueNO, "fodselsnum* fodselsnr personnumm* personnumre* personnr fnr"},
	{cueDK, "cpr cprnr cprnummer* cprnumber personnumm* personnumre* personnr"},
	{cueCH, "ahv ahvn avs ahvnr ahvnummer* oasi avsnumber sozialversicherung* assurancesociale"},
	{cueAT, "svnr svnummer* svn sozialversicherung* versicherungsnummer versicherungsnr versicherungsnum"},
	{cueBR, "cpf cpfs cpfnumber pessoasfisicas"},
	{cueIN, "aadhaar* aadhar* uidai pannumber pancard"},
	{cueAU, "tfn tfns tfnnumber taxfile medicare medicareno abn"},
	{cueSG, "nric nricno"},
	{cueKR, "rrn residentregist* jumin*"},
	{cueJP, "mynumber individualnumber"},
	{cueTR, "tckn tckimlik kimlik* tcno tckimlik"},
	{cueZA, "rsaid rsa+id sa+id southafrican"},
	{cueTH, "tnin thaiid thainational thai"},
	{cueCN, "residentidentity shenfenzheng chinese"},
	{cueHU, "taj tajszam* tajkartya* tajnumber szemelyi* adoazonosito* hungarian"},
	{cueRO, "cnp cnpul numericpersonal romanian"},
	{cueHR, "oib oibbroj osobniidentifikacijski* croatian"},
	{cueCL, "rut runrut chilean"},
	{cueIL, "zehut teudatzehut israeli"},
	{cueEE, "isikukood* asmenskod* estonian lithuanian"},
	{cueLV, "personaskod* latvian"},
	{cueBG, "egn егн bulgarian"},
	{cueGR, "amka αμκα greek"},
	{cueRU, "snils снилс инн russian"},
	{cueMX, "curp mexican"},
	{cueCZ, "rodne rodnecislo czech"},
	{cueOther, "order orders invoice ticket build tracking serial sku isbn issn version commit revision rev transaction epoch timestamp ts " +
		"job run batch request trace pid port died deceased died gestorben mort murió morto seq sequence offset " +
		"size bytes count total elapsed latency duration since until updated created expires " +
		"bestellung* bestelnummer bestelling* rechnung* auftrag* facture* commande* pedido* factura* fattura* ordine factuur* fatura* encomenda* " +
		"zamowien* faktur* tilaus* lasku* ordre* siparis* fakturanr"},
}

// spacelessCues are words of scripts without spaces between words, and of others beyond Latin.
var spacelessCues = [...]struct {
	word string
	cue  cue
}{
	{"マイナンバー", cueJP}, {"個人番号", cueJP}, {"주민등록", cueKR}, {"주민번호", cueKR}, {"身份证", cueCN}, {"電話", cuePhone}, {"电话", cuePhone},
	{"手机", cuePhone}, {"携帯", cuePhone}, {"전화", cuePhone}, {"휴대폰", cuePhone}, {"โทร", cuePhone}, {"फ़ोन", cuePhone}, {"生年月日", cueBirth},
	{"出生", cueBirth}, {"생년월일", cueBirth}, {"ประชาชน", cueTH}, {"आधार", cueIN}, {"身分証", cueIdentity}, {"識別番号", cueIdentity},
	{"신분증", cueIdentity}, {"식별", cueIdentity}, {"บัตร", cueIdentity}, {"ประจำตัว", cueIdentity}, {"पहचान", cueIdentity}, {"納税", cueTax},
	{"注文", cueOther}, {"伝票", cueOther}, {"주문", cueOther}, {"คำสั่งซื้อ", cueOther}, {"订单", cueOther},
}

// acronyms are words only in capitals, or as the name of a value: in small letters they are others in some language.
var acronyms = map[string]cue{"sin": cueCA, "nas": cueCA, "nie": cueES, "fin": cueSG, "nip": cuePL, "pan": cueIN | cueCard, "cf": cueIT, "tc": cueTR,
	"ss": cueUS, "nir": cueFR}
