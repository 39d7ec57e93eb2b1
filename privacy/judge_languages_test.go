package privacy_test

// tongue is how something is said about a number in the language of a country: beside what it is called (¶),
// beside a word for any such number, and beside neither.
type tongue struct{ own, kind, none []string }

var (
	inGerman = tongue{[]string{"Meine ¶ lautet ¤.", "Die ¶ des Kunden ist ¤, bitte prüfen"},
		[]string{"Meine Identifikationsnummer ist ¤.", "Kennnummer: ¤, danke"},
		[]string{"Bitte ¤ verwenden, das ist richtig.", "Der Kunde hat uns ¤ genannt"},
	}
	inFrench = tongue{[]string{"Mon ¶ est ¤.", "Merci de corriger le ¶ ¤ dans le dossier"}, []string{"Mon numéro d'identité est le ¤.", "numéro fiscal ¤, merci"},
		[]string{"J'ai saisi ¤ dans le formulaire.", "Voici ce que le client a écrit : ¤"}}
	inSpanish = tongue{
		[]string{"Mi ¶ es ¤.", "El ¶ del cliente es ¤"},
		[]string{"Mi número de identidad es ¤.", "número fiscal: ¤"},
		[]string{"He puesto ¤ en el formulario."},
	}
	inItalian = tongue{
		[]string{"Il mio ¶ è ¤.", "inserire il ¶ ¤ nel modulo"},
		[]string{"Il mio numero di identità è ¤."},
		[]string{"Ho inserito ¤ nel modulo."},
	}
	inDutch = tongue{[]string{"Mijn ¶ is ¤.", "Het ¶ van de klant is ¤"}, []string{"Mijn identiteitsnummer is ¤.", "fiscaal nummer: ¤"},
		[]string{"Ik heb ¤ op het formulier gezet.", "De klant gaf ons ¤ door"}}
	inPortuguese = tongue{
		[]string{"O meu ¶ é ¤.", "Meu ¶ é ¤, pode verificar?"},
		[]string{"O meu número de identificação é ¤."},
		[]string{"Coloquei ¤ no formulário, obrigado."},
	}
	inPolish = tongue{
		[]string{"Mój ¶ to ¤.", "Proszę poprawić ¶ ¤"},
		[]string{"Mój numer identyfikacyjny to ¤."},
		[]string{"Proszę użyć ¤, dziękuję."},
	}
	inSwedish = tongue{
		[]string{"Mitt ¶ är ¤."},
		[]string{"Mitt identitetsnummer är ¤."},
		[]string{"Kunden gav oss ¤, det är inte rätt."},
	}
	inFinnish = tongue{
		[]string{"Asiakkaan ¶ on ¤."},
		[]string{"Tunnusnumeroni on ¤."},
		[]string{"Kirjoitin lomakkeeseen ¤, kiitos"},
	}
	inNorwegian = tongue{
		[]string{"Mitt ¶ er ¤."},
		[]string{"Mitt identitetsnummer er ¤."},
		[]string{"Kunden ga oss ¤, men det er ikke riktig."},
	}
	inDanish = tongue{
		[]string{"Mit ¶ er ¤."},
		[]string{"Mit identitetsnummer er ¤."},
		[]string{"Kunden gav os ¤, men det er ikke rigtigt."},
	}
	inTurkish = tongue{
		[]string{"Benim ¶ ¤", "¶: ¤, lütfen düzeltin"},
		[]string{"Kimlik numaram ¤"},
		[]string{"Müşteri bize ¤ verdi"},
	}
	inKorean   = tongue{[]string{"제 ¶는 ¤입니다."}, []string{"신분증 번호: ¤"}, []string{"고객이 ¤ 을 주었습니다"}}
	inJapanese = tongue{[]string{"私の¶は ¤ です。"}, []string{"身分証番号：¤"}, []string{"フォームに ¤ と書きました"}}
	inThai     = tongue{[]string{"¶ ของฉันคือ ¤"}, []string{"หมายเลขประจำตัว ¤"}, []string{"ลูกค้าให้ ¤ เมื่อวาน"}}
	inEnglish  = tongue{
		[]string{"My ¶ is ¤.", "Please check the ¶ ¤ again"},
		[]string{"My ID number is ¤.", "national id ¤"},
		[]string{"Please use ¤ for this."},
	}
)

// spoken are the languages of countries that speak another than English.
var spoken = map[string]tongue{"Germany": inGerman, "Austria": inGerman, "Switzerland": inGerman, "France": inFrench, "Spain": inSpanish, "Italy": inItalian,
	"Netherlands": inDutch, "Belgium": inDutch, "Portugal": inPortuguese, "Portugal, card": inPortuguese, "Brazil": inPortuguese, "Poland": inPolish,
	"Sweden": inSwedish, "Finland": inFinnish, "Norway": inNorwegian, "Denmark": inDanish, "Turkey": inTurkish, "Korea": inKorean, "Japan": inJapanese,
	"Thailand": inThai}

// tongue returns what is said where a number is issued.
func (o official) tongue() tongue {
	if t, ok := spoken[o.country]; ok {
		return t
	}
	return inEnglish
}
