package privacy

import "strings"

// numbering are words for things that are told by their numbers, in front of these.
var numbering = wordSet("item items model models account accounts order orders row rows version versions invoice invoices part parts page pages " +
	"line lines score scored scores scoring sku serial serials article articles product products lot lots batch batches ref reference references case " +
	"cases section sections chapter chapters step steps code codes figure figures table tables drawing drawings plate volume volumes issue issues " +
	"port ports range ranges release releases build builds ticket tickets key keys id ids bin shelf catalog catalogue " +
	"artikel modell modelle konto seite seiten zeile zeilen rechnung rechnungen posten zeichnung teil teile modèle modèles compte comptes ligne lignes " +
	"facture artículo artículos modelo modelos cuenta cuentas página páginas línea líneas factura articolo articoli modello modelli conto conti " +
	"pagina pagine riga righe fattura rekening regel regels conta contas artigo artigos linha linhas fatura strona strony wiersz wiersze faktura")

// passing are words between such a word and its numbers.
var passing = wordSet("number numbers no nos nr num nummer nummern numéro numéros número números numero numeri and or und oder et ou y o e en i")

// numbersThing reports whether the number at text[i] is that of a thing, or one of several.
func numbersThing(v view, i int) bool {
	for p := i; p > v.floor && i-p < cueReach; {
		if b := v.text[p-1]; !inCue(b) {
			if !isDigit(b) && strings.IndexByte(" -.,:#/\"=(", b) < 0 {
				return false
			}
			p--
			continue
		}
		start := wordBack(v.text, p)
		word := strings.ToLower(v.text[start:p])
		if !passing[word] {
			return numbering[word]
		}
		p = start
	}
	return false
}

// countsThings reports whether the number text[i:end] counts what the word behind it stands for: one that often is
// counted, or any in the plural of English.
func countsThings(v view, i, end int) bool {
	word := wordBehindSpace(v, end)
	if counted[word] {
		return true
	}
	plural := len(word) >= len("boxes") && isLower(word[0]) && word[len(word)-1] == 's' && strings.IndexByte("sui", word[len(word)-2]) < 0
	return plural && !uncounted[word] && !deeds[word] && homeOf(v.around(i, end)) == 0
}

// uncounted are words behind numbers that end as words in the plural do.
var uncounted = wordSet("always perhaps unless besides sometimes afterwards nowadays towards thanks gracias rings belongs answers works needs means " +
	"seems looks sounds comes goes gives takes keeps picks stays remains reaches fails shows turns stands hangs starts whereas regards obrigados depois")

// isMadeUp reports whether the digits of the first groups count up or down, as those of examples do, or whether all
// groups are round, as steps of a scale are.
func (n *number) isMadeUp(last int) bool {
	round := true
	for _, count := range n.counts[:last+1] {
		round = round && n.digits[count-1] == '0' && n.digits[max(count-2, 0)] == '0'
	}
	const long = 8
	up, down := 1, 1
	for i := 1; i < n.counts[last]; i++ {
		step := (n.digits[i] - n.digits[i-1] + 10) % 10
		if up++; step != 1 {
			up = 1
		}
		if down++; step != 9 {
			down = 1
		}
		if up == long || down == long {
			return true
		}
	}
	return round
}
