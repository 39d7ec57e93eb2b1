package privacy_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the figures into the documentation")

// row is a line of the table in docs/privacy.md.
type row struct {
	what string
	score
	least, most float64 // shares between which it must stay
}

const page = "../docs/privacy.md"

func TestTheDocumentedFiguresAreThoseOfTheEngine(t *testing.T) {
	rows := measured()
	cases := 0
	var table strings.Builder
	table.WriteString("| what | cases | masked | wanted |\n|---|---:|---:|---|\n")
	for _, r := range rows {
		cases += r.cases
		wanted := fmt.Sprintf("≥ %.2f", r.least)
		if r.least == 0 {
			wanted = fmt.Sprintf("≤ %.2f", r.most)
		}
		fmt.Fprintf(&table, "| %s | %d | %.3f | %s |\n", r.what, r.cases, r.share(), wanted)
		if r.share() < r.least || r.share() > r.most {
			t.Errorf("%s: %.3f of %d, want %s", r.what, r.share(), r.cases, wanted)
		}
	}
	if cases < 3000 {
		t.Errorf("only %d cases", cases)
	}
	compare(t, table.String())
}

// compare holds the page to the table, or writes it.
func compare(t *testing.T, table string) {
	t.Helper()
	const begin, end = "<!-- measured: go test ./privacy -run Documented -update -->\n", "<!-- end -->"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(data), begin)
	old, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the figures", page)
	}
	if old == table {
		return
	}
	if !*update {
		t.Fatalf("%s says\n%s\nbut it is\n%s\nrun with -update", page, old, table)
	}
	if err := os.WriteFile(page, []byte(head+begin+table+end+tail), 0o600); err != nil {
		t.Fatal(err)
	}
}

func measured() []row {
	rows := append(measuredShapes(), measuredNumbers()...)
	rows = append(rows, measuredSecrets()...)
	return append(rows, measuredPeople()...)
}

// measuredShapes are data that their form or their check gives away.
func measuredShapes() []row {
	c := newChance(1)
	all := map[string]func() string{
		"e-mail": func() string {
			local := c.pick("jane.doe", "j_smith+x", "o'neil", "müller", "info.x-y") + c.fill(c.pick("", "#", "##"))
			return local + "@" + c.pick("example.com",
				"mail.acme.co.uk", "bücher.de", "test-site.org")
		},
		"IBAN, also in small letters": func() string {
			s := c.account("DE", "##################")
			switch c.IntN(4) {
			case 0:
				s = c.account("GB", "AAAA##############")
			case 1:
				s = c.account("FR", "####################A##")
			case 2:
				s = c.account("NL", "AAAA##########")
			}
			return c.pick(s, strings.ToLower(s), inFours(s, " "))
		},
		"US social security number": func() string { return c.fill(c.pick("1##-1#-1###", "2##-2#-3###", "5##-7#-8###", "4##-4#-0#1#")) },
		"payment card, 12 to 19 digits": func() string {
			prefix := c.pick("4", "51", "2221", "2720", "6011", "3528", "62")
			s := c.card(prefix, 16)
			return c.pick(s, inFours(s, " "), inFours(s, "-"), c.card("34", 15), c.card("36", 14), c.card("5018", 12), c.card("6304", 19))
		},
		"IP address": func() string {
			return c.fill(c.pick("19#.6#.2#.1#", "10.#.1##.2#", "hhhh:hhhh:hhhh:hhhh:hhhh:hhhh:hhhh:hhh1", "2001:db8::hhh1:hhhh", "fe80::hhhh:hhhh:hhhh:hhh1"))
		},
		"MAC address": func() string { return c.fill(c.pick("hh:hh:hh:hh:hh:h1", "hh-hh-hh-hh-hh-h1", "h1ah.hhhh.hhhh")) },
		"telephone number with its country": func() string {
			return c.fill(c.pick("+49 30 2######", "+44 20 7### ####", "+1 202-555-01##", "+33 1 4# ## ## ##", "+3461#######", "+39 06 6982 ####", "+91 "+
				"98### #####", "0049 89 2######"))
		},
	}
	wanted := []struct {
		what  string
		least float64
	}{
		{"e-mail", 0.99},
		{"IBAN, also in small letters", 0.99},
		{"US social security number", 0.99},
		{"payment card, 12 to 19 digits", 0.99},
		{"IP address", 0.98},
		{"MAC address", 0.98},
		{"telephone number with its country", 0.90},
	}
	var rows []row
	for _, w := range wanted {
		r := row{what: w.what, least: w.least, most: 1}
		for range 250 {
			r.add(masked(c.pick(frames...), all[w.what]()))
		}
		rows = append(rows, r)
	}
	return append(rows, measuredCued(c)...)
}

// measuredCued are data that need a word beside them.
func measuredCued(c chance) []row {
	phone, birth := row{what: "telephone number beside a word for it", least: 0.90, most: 1}, row{what: "date of birth beside a word for it",
		least: 0.95, most: 1}
	for range 250 {
		phone.add(masked(c.pick(phoneCues[:9]...),
			c.fill(c.pick("202 555 01##", "(0#0) 123 4###", "07700 900###", "0171 23 45 6##", "06-123456##", "612 34 56 ##", "98### #####", "20255501##",
				"555-01##"))))
		birth.add(masked(c.pick("born on ¤", "DOB: ¤", "date of birth ¤", `"birthDate":"¤"`, "geb. ¤", "née le ¤", "nacido el ¤", "born in Rome on ¤."),
			c.pick(c.fill("M/D/19##"), c.fill("19##-M-D"), c.fill("D.M.19##"), "March 12, "+c.fill("19##"), "14 June "+c.fill("19##"), "3. März "+c.fill("19##"))))
	}
	return append([]row{phone, birth}, measuredDialling()...)
}

// phoneCues announce a number to call.
var phoneCues = []string{"call me on ¤", "phone: ¤", `{"phone":"¤"}`, "Tel. ¤", "my mobile is ¤", "reach me at ¤", "Fax ¤, attn.", "Telefon: ¤",
	"téléphone ¤",
	"Telefono: ¤", "teléfono ¤", "WhatsApp ¤", "handy: ¤", "<phone>¤</phone>"}

// measuredDialling are telephone numbers as the countries of the world write them.
func measuredDialling() []row {
	c := newChance(5)
	measure := func(what string, least float64, among []string, of func(dialling) string) row {
		r := row{what: what, least: least, most: 1}
		for _, p := range plans {
			for picture := range strings.SplitSeq(of(p), "|") {
				for _, frame := range among {
					r.add(masked(frame, c.fill(picture)))
				}
			}
		}
		return r
	}
	at := fmt.Sprintf(" of %d countries", len(plans))
	harmless := row{what: "lines with numbers that nobody dials", most: 0.03}
	for _, line := range numbered {
		for range 10 {
			harmless.add(altered(c.digits(line)))
		}
	}
	return []row{
		measure("telephone number"+at+", as abroad", 0.98, frames, func(d dialling) string { return d.abroad }),
		measure("telephone number"+at+", as at home, with nothing beside it", 0.90, frames, func(d dialling) string { return d.home }),
		measure("telephone number"+at+", as at home, beside a word for it", 0.97, phoneCues, func(d dialling) string { return d.home }),
		measure("telephone number"+at+", without groups, beside a word for it", 0.97, phoneCues, func(d dialling) string { return d.bare }),
		harmless,
	}
}

// way is how official numbers are mentioned, and how well they are told from those that fail their check.
type way struct {
	what        string
	templates   func(o official) []string
	least, most float64
}

func always(templates ...string) func(official) []string {
	return func(official) []string { return templates }
}

var ways = []way{
	{"beside its own name", always("My ¶ is ¤.", "¶: ¤", "the ¶ ¤ was entered twice", `{"¶": "¤"}`, "¶=¤;", "| ¶ | ¤ |", "(¶ ¤)", "id,¶\n17,¤", "¶\n¤",
		"10:14:03 WARN ¶=¤ rejected", "<b>¶</b>: ¤"), 0.97, 0.01},
	{"beside its own name, in its language", func(o official) []string { return o.tongue().own }, 0.97, 0.01},
	{"beside its kind and its country", always("national ID (§): ¤", "tax id, §: ¤", "from §, his ID number is ¤", `{"country":"§","national_id":"¤"}`,
		"country: §\nidentity_number: ¤"), 0.97, 0.01},
	{"beside a kind of number only", always(kindOnly...), 0.93, 0.05},
	{"beside a kind of number, in its language", func(o official) []string { return o.tongue().kind }, 0.95, 0.03},
	{"within its language", func(o official) []string { return o.tongue().none }, 0.80, 0.05},
	{"alone", always("¤", "see ¤ there", "a;¤;b", "value: ¤"), 0.60, 0.06},
}

// measuredNumbers are official numbers with a check, and what looks like them and fails it.
func measuredNumbers() []row {
	c := newChance(2)
	var rows []row
	for _, w := range ways {
		right := row{what: "national id with a check, " + w.what, least: w.least, most: 1}
		wrong := row{what: "the same with a wrong check, " + w.what, most: w.most}
		for _, o := range officials() {
			for range 12 {
				template := strings.NewReplacer("¶", c.pick(strings.Split(o.names, "|")...), "§", strings.Split(o.country, ",")[0]).Replace(c.pick(w.templates(o)...))
				n, ok := o.number(c)
				right.add(ok && masked(template, n))
				wrong.add(touched(template, c.broken(n)))
			}
		}
		rows = append(rows, right, wrong)
	}
	return append(rows, measuredNineDigits()...)
}

// measuredNineDigits are the shortest official numbers with a check, of which several countries have some: beside
// a word that names no country, one that is wrong for all of them is rare.
func measuredNineDigits() []row {
	c := newChance(13)
	right := row{what: "national id of nine bare digits, beside a kind of number only", least: 0.80, most: 1}
	wrong := row{what: "the same with a wrong check, beside a kind of number only (nine digits)", most: 0.30}
	for _, o := range officials() {
		if !slices.Contains(strings.Split(o.pictures, "|"), "#########") {
			continue
		}
		o.pictures = "#########"
		for _, template := range kindOnly {
			for range 12 {
				n, ok := o.number(c)
				right.add(ok && masked(template, n))
				wrong.add(touched(template, c.broken(n)))
			}
		}
	}
	return []row{right, wrong}
}

// kindOnly name a kind of number and no country.
var kindOnly = []string{"national ID: ¤", "tax id ¤", "citizen ID: ¤", "identity card number ¤", `{"idNumber":"¤"}`, "name,national_id\nx,¤"}

func measuredSecrets() []row {
	c := newChance(3)
	vendor, keyword := row{what: "secret in the format of its issuer", least: 0.97, most: 1}, row{what: "secret behind a name for it", least: 0.85, most: 1}
	credential := row{what: "credential in a command, a header or a URL", least: 0.95, most: 1}
	for _, picture := range issued {
		for range 5 {
			vendor.add(masked(c.pick(frames...), c.token(picture)))
		}
	}
	for _, notation := range assignments {
		for range 12 {
			keyword.add(masked(strings.ReplaceAll(notation, "¶", c.pick(strings.Fields(secretNames)...)), c.secretValue()))
		}
	}
	for _, where := range credentials {
		for range 8 {
			credential.add(masked(where, c.fill("wwwwwwwwwwww#w")))
		}
	}
	innocent := row{what: "lines of logs, data and code that hold nothing", most: 0.03}
	for _, line := range innocents {
		for range 20 {
			innocent.add(altered(c.fill(line)))
		}
	}
	return []row{vendor, keyword, credential, innocent}
}

func measuredPeople() []row {
	c := newChance(4)
	cue, spoken := row{what: "person beside a word or key for it", least: 0.95, most: 1}, row{what: "person in prose", least: 0.60, most: 1}
	for range 400 {
		cue.add(masked(c.pick(nameCues...), c.person()))
		spoken.add(masked(c.pick(prose...), c.pick(c.person(), c.person(), c.given())))
	}
	foreign, sentence := row{what: "person in another script, beside a word for it", least: 0.95, most: 1}, row{what: "sentences with capitals and " +
		"nobody", most: 0.10}
	for _, pair := range abroad {
		before, name, _ := strings.Cut(pair, "|")
		foreign.add(masked(before+"¤", name))
		foreign.add(masked(before+"¤\nnext", name))
	}
	for _, text := range nobody {
		sentence.add(altered(text))
	}
	street := row{what: "street address", least: 0.75, most: 1}
	for _, address := range streets {
		for _, frame := range streetFrames {
			street.add(masked(frame, address))
		}
	}
	rows := append([]row{cue, spoken, foreign, sentence, street}, measuredStreets()...)
	return append(rows, measuredRecords()...)
}

// languages are those that addresses are measured in, by their codes.
var languages = map[string]string{"en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "nl": "Dutch", "pl": "Polish",
	"pt": "Portuguese"}

// measuredStreets are addresses as languages form them, and the words of roads where nobody lives.
func measuredStreets() []row {
	c := newChance(12)
	nowhere := row{what: "lines with words for roads where nobody lives", most: 0.03}
	var rows []row
	for _, r := range roadsOf {
		lived := row{what: "street address in " + languages[r.language], least: 0.80, most: 1}
		for form := range strings.SplitSeq(r.forms, "|") {
			for _, frame := range roadFrames {
				lived.add(masked(frame, c.address(r, form)))
			}
		}
		rows = append(rows, lived)
		for line := range strings.SplitSeq(r.nowhere, "|") {
			nowhere.add(altered(c.digits(line)))
			nowhere.add(altered("so " + c.digits(line) + " then"))
		}
	}
	return append(rows, nowhere)
}

// measuredRecords are records with a name, of people and of things.
func measuredRecords() []row {
	c := newChance(11)
	person := row{what: "person in a record, named as things are, with what only people have", least: 0.95, most: 1}
	likely := row{what: "person in a record, with what things have too", least: 0.90, most: 1}
	thing := row{what: "venue, company, product or department in such a record", most: 0.10}
	for range 40 {
		for _, record := range personRecords {
			person.add(masked(record, c.person()))
		}
		for _, record := range likelyRecords {
			likely.add(masked(record, c.person()))
		}
		for _, record := range thingRecords {
			thing.add(touched(record, c.thing()))
		}
	}
	return []row{person, likely, thing}
}
