package privacy_test

import "strings"

// roads are how addresses are written in a language: ¶ is the name of a street, # a digit; and lines with the same
// words in which nobody lives. Parts are separated by bars.
type roads struct {
	language, names, forms, nowhere string
}

var roadsOf = []roads{
	{"en", "Elm|Old Mill|Kings|Hazelwood|St John's|Martin Luther King|North Bridge|Willow Creek|5th|Cherry Tree", "1## ¶ Street|4# ¶ Road|1# ¶ Ave|22B ¶ " +
		"Lane|7# ¶ Drive, Apt 4|" +
		"9 ¶ Close|1### ¶ Blvd, Springfield, IL 6270#|3# ¶ Street, Leeds LS1 4AB|Flat 3, 2# ¶ Road|1# ¶ Way, Austin, TX 7870#",
		"12 Angry Men|Table 4 Way Merge|3 Musketeers ride|100 Street Fighters|Section 5 Road Map|10 Drive Letters|the road to 42|7 Circle Filters|version 3 " +
			"Street View|" +
			"2 Way Binding|top 10 Places|20 Lane Detections|" +
			"works on all os. Windows 11|os. Linux 6|os. Ubuntu 22|os. Windows 11 Pro|pl. Python 3|pl. Figure 3|c/ Java 8|C/ Rust 2|C/ Perl 5|ul Item 5|" +
			"Rondo Alla Turca 11|al. Version 3"},
	{"de", "Goethe|Schiller|Linden|Bahnhof|Kirch|Rosen|Berliner |Lange |Ludwig-Erhard-|Alte Post", "¶straße 1#|¶str. 4#a|¶straße 1#, 1011# Berlin|¶weg 7|" +
		"¶allee 2#, 8033# München|" +
		"¶platz 5|¶gasse 3|Am ¶tor 4|Unter den Linden 7#|¶ring 1#, 5066# Köln",
		"Bahnhof 12 Minuten|die Hauptstraße 2019 gesperrt|Platz 3|auf Platz 5 gelandet|Weg 1 und Weg 2|Brigade 12|Allee der Bäume|Straße frei in 20 Minuten|" +
			"Damm 4 Meter hoch|" +
			"Vorsprung 12 Punkte|Umweg 5 km|Artikel 5|" +
			"Im Feld 12 steht die Zahl|Im Textfeld 2 steht nichts|Auf dem Feld 4 steht ein Turm|Im Hintergrund 3 laufende Dienste"},
	{"fr", "Victor Hugo|de la République|des Lilas|du Général Leclerc|Jean Jaurès|de Verdun|Saint-Honoré|de l'Église|Pasteur|du Moulin", "1# rue ¶|2#, " +
		"avenue ¶|1# bis rue ¶, 6900# Lyon|" +
		"3# bd ¶|4 place ¶|8 impasse ¶|1#, chemin ¶, 3100# Toulouse|2# allée ¶|5 quai ¶|7# ter, boulevard ¶|1#, route ¶|6 cours ¶|2# square ¶|9 passage ¶|" +
		"1# av. ¶|3 sentier ¶|" +
		"4 rond-point ¶|12B, rue ¶|1# faubourg ¶",
		"20 places assises|2 routes possibles|il y a 12 rues|10 cours de Python|4 passages obligés|3 allées et venues|la rue des Lilas est fermée|en 2019 " +
			"rue barrée|" +
			"page 4 place aux jeunes|5 avenues piétonnes|8 quais sont fermés|les 7 chemins"},
	{"es", "Mayor|de la Constitución|del Prado|San Juan|de Alcalá|Gran Vía|Colón|Simón Bolívar|de los Reyes Católicos|Cervantes", "Calle ¶ 1#|C/ ¶, 2#|" +
		"Avenida ¶ 4#, 2801# Madrid|Avda. ¶, 3#|" +
		"Paseo ¶ 40|Plaza ¶ 5|Carrera ¶ 1#|calle ¶, nº 2#|Camino ¶ s/n|Ronda ¶, 7, 0800# Barcelona|Travesía ¶ 3|Cl. ¶ 1#|Pza. ¶, 8|C/¶ 1#, 2º B|Bulevar ¶ 9|" +
		"Carretera ¶ 2#",
		"la calle 13 es un grupo|calle por calle en 2019|el paseo dura 2 horas|plaza para 40 coches|Camino de 800 kilómetros|la carrera de 100 metros|" +
			"avenida con 3 carriles|" +
			"5 plazas libres|ronda 2 de la copa|vía 4 del tren|" +
			"carrera de Derecho 4 años|carrera de Medicina 6|camino Linux 5|ronda Final 3"},
	{"it", "Garibaldi|Roma|dei Mille|della Repubblica|San Marco|Giuseppe Verdi|Dante Alighieri|XX Settembre|del Corso|Cavour", "Via ¶ 1#|via ¶, 2#|Viale " +
		"¶ 4#, 2012# Milano|Piazza ¶ 5|" +
		"Corso ¶, 7#|Largo ¶ 3|V.le ¶ 1#|P.zza ¶, 4|Vicolo ¶ 2|Strada ¶ 1#/A|Lungotevere ¶ 8|C.so ¶ 1#|Contrada ¶ 6|Via ¶ n. 1#|Piazzale ¶ 3, 0018# Roma|" +
		"Borgo ¶ 1#",
		"in corso 3 lavori|via mail in 2 ore|il corso dura 12 ore|largo 4 metri|via libera a 20 progetti|la strada è lunga 5 km|Piazza piena con 300 " +
			"persone|via 5 minuti|" +
			"piazza del 2019|corso di 10 lezioni|" +
			"corso di Python 3|corso di Chimica 2|il corso di Analisi 1 è nel modulo|Corso di Laurea 3|strada Linux 4"},
	{"nl", "Dorps|Kerk|Prins Hendrik|Keizers|Wilhelmina|Beatrix|Julianastraat-|Molen|Oranje|Vondel", "¶straat 1#|¶laan 4#a|¶plein 5|¶weg 1##|¶gracht " +
		"12#, 1015 CJ Amsterdam|¶kade 3#|¶dijk 7|" +
		"¶singel 2#|¶straat 1#-II|¶hof 4, 3512 AB Utrecht|¶steeg 6|¶pad 1#, 9712 GK Groningen|Laan van ¶ 1#|Plein 1944 nr. 3|¶straat 2# bis",
		"onderweg 5 uur|de straat is 3 km lang|dijk van 4 meter|op plein 5 staan bomen|kade 7 meter breed|bladzijde 12|twee lanen en 3 straten|gracht 2 " +
			"meter diep|vanwege 3 redenen|" +
			"in hoofdstuk 4"},
	{"pl", "Kwiatowa|Długa|Jana Pawła II|Mickiewicza|Świętokrzyska|3 Maja|Armii Krajowej|Polna|Słowackiego|Marszałkowska", "ul. ¶ 1#|ul. ¶ 12/4, 00-95# " +
		"Warszawa|al. ¶ 7#|pl. ¶ 3|os. ¶ 1#/2|" +
		"ulica ¶ 5|Aleja ¶ 2#|aleje ¶ 10#|ul. ¶ 4 m. 7|ul ¶ 8a|Plac ¶ 1|ul.¶ 1#|ulicy ¶ 6|Al. ¶ 1#, 31-12# Kraków|Rondo ¶ 1|Rynek 1#, 50-10# Wrocław",
		"na ulicy było 20 osób|plac dla 40 dzieci|ulica ma 3 km|strona 12|przy alei rośnie 100 drzew|rondo za 2 km|w rozdziale 5|artykuł 12|3 maja 2019|" +
			"rynek wart 5 mld"},
	{"pt", "Augusta|das Flores|da Liberdade|Dom Pedro II|de São Bento|Paulista|XV de Novembro|do Comércio|Sete de Setembro|Almirante Reis", "Rua ¶, 1###|" +
		"R. ¶ 2#|Avenida ¶ 157#, 01310-20# São Paulo|" +
		"Av. ¶, 4#|Travessa ¶ 3|Praça ¶, 5|rua ¶, nº 1#|Largo ¶ 8|Alameda ¶, 9##|Estrada ¶ 1#|Rodovia ¶, km 1#|Rua ¶ 1#, 3º Esq., 1100-05# Lisboa|Beco ¶ 2|" +
		"Calçada ¶ 1#|Ladeira ¶, 4#|" +
		"Rua ¶, s/n", "a rua tem 3 km|praça com 200 pessoas|a estrada de 40 km|largo de 5 metros|avenida em 2 faixas|rua 25 de março|página 12|travessa a " +
		"rua em 3 minutos|alameda com 50 árvores|artigo 5"},
}

// roadFrames are sentences and notations for an address.
var roadFrames = []string{"¤", "| 7 | ¤ |", `{"v":"¤"}`, "It is at ¤.", "x;¤;y", "(¤)", "¤\n"}

// address makes an address.
func (c chance) address(r roads, form string) string {
	name := c.pick(strings.Split(r.names, "|")...)
	if r.language == "nl" && !strings.Contains(form, "¶s") && !strings.Contains(form, "¶l") {
		name = c.pick("Dorps", "Kerk", "Keizers", "Molen", "Oranje")
	}
	if at := strings.Index(form, "¶") + len("¶"); strings.HasSuffix(name, " ") || strings.HasSuffix(name, "-") && r.language == "de" {
		form = form[:at] + strings.ToUpper(form[at:at+1]) + form[at+1:]
	}
	return c.digits(strings.Replace(form, "¶", name, 1))
}
