package privacy

import "testing"

func TestATownWithItsCodeMakesAnAddressOfAnyStreet(t *testing.T) {
	for text, want := range map[string]string{
		"to Sousedská 62, 89022 Kamenický Šenov please": "ADDRESS(Sousedská 62, 89022 Kamenický Šenov)",
		"4894 Qorl Zyx, Xandville, IL 62704":            "ADDRESS(4894 Qorl Zyx, Xandville, IL 62704)",
		"Am Alten Markt 3, 50667 Köln":                  "ADDRESS(Am Alten Markt 3, 50667 Köln)",
		"ul. Kwiatowa 12/4, 00-950 Warszawa":            "ADDRESS(ul. Kwiatowa 12/4, 00-950 Warszawa)",
		"9 Walter Mews, Stoke-on-Trent, LS22 1PR.":      "ADDRESS(9 Walter Mews, Stoke-on-Trent, LS22 1PR)",
		"10 Dame Lane, Dublin, D02 AF30":                "ADDRESS(10 Dame Lane, Dublin, D02 AF30)",
		"500 Main St, Toronto, ON M5V 1L9":              "ADDRESS(500 Main St, Toronto, ON M5V 1L9)",
		"Apt. 4, 12 Elm Road":                           "ADDRESS(Apt. 4, 12 Elm Road)",
		"I live at 7 Hector View now":                   "ADDRESS(7 Hector View)",
		"Er wohnt in Musterweiler 5.":                   "ADDRESS(Musterweiler 5)",
		"Address: Qorlweg 12, Xandstadt":                "ADDRESS(Qorlweg 12, Xandstadt)",
		"Karl Johans gate 22, 0159 Oslo":                "ADDRESS(Karl Johans gate 22, 0159 Oslo)",
		"Karl-Jaspers-Str. 63":                          "ADDRESS(Karl-Jaspers-Str. 63)",
		"Atatürk Caddesi No: 15":                        "ADDRESS(Atatürk Caddesi No: 15)",
		"12 rue de la Paix\n75002 Paris":                "ADDRESS(12 rue de la Paix\n75002 Paris)",
		"ul. Jana Kochanowskiego 4 m. 7":                "ADDRESS(ul. Jana Kochanowskiego 4 m. 7)",
		"C/ Colón, 12, 3º Izq.":                         "ADDRESS(C/ Colón, 12, 3º Izq.)",
		"rua das Flores, nº 12":                         "ADDRESS(rua das Flores, nº 12)",
		"43 St John's Road":                             "ADDRESS(43 St John's Road)",
		"Strada San Marco 12/A":                         "ADDRESS(Strada San Marco 12/A)",
		"Dorpsstraat 17-II":                             "ADDRESS(Dorpsstraat 17-II)",
		"Am Schillertor 4":                              "ADDRESS(Am Schillertor 4)",
		"Im Wiesengrund 5":                              "ADDRESS(Im Wiesengrund 5)",
		"Im Feld 12, 50667 Köln":                        "ADDRESS(Im Feld 12, 50667 Köln)",
		"C/ Mayor 5":                                    "ADDRESS(C/ Mayor 5)",
		"vivo en c/ Mayor 5":                            "ADDRESS(c/ Mayor 5)",
		"c/ Goya, 12":                                   "ADDRESS(c/ Goya, 12)",
		"corso Garibaldi, 12":                           "ADDRESS(corso Garibaldi, 12)",
		"Corso di Porta Romana 12":                      "ADDRESS(Corso di Porta Romana 12)",
		"os. Kazimierzowskie 4":                         "ADDRESS(os. Kazimierzowskie 4)",
		"os. Centrum 11/2":                              "ADDRESS(os. Centrum 11/2)",
		"pl. Defilad 1, 00-901 Warszawa":                "ADDRESS(pl. Defilad 1, 00-901 Warszawa)",
		"Rondo Dmowskiego 4":                            "ADDRESS(Rondo Dmowskiego 4)",
		"Am Bahnhof 12 Minuten warten":                  "",
		"die Hauptstraße 2019 gesperrt":                 "",
		"10 cours de Python":                            "",
		"Camino Real 800 km":                            "",
		"et al. Smith 2019":                             "",
		"connect via Outlook 2016 now":                  "",
		"Mon, 02 Jan 2006 15:04:05 MST":                 "",
		"see RFC 1122, RFC 4291 and others":             "",
		"Copyright 2009, 2010 The Authors":              "",
		"Windows 10, 2019 Edition":                      "",
		"Table 5, 10000 Rows":                           "",
		"5 Grid View":                                   "",
		"this will ship in Firefox 65 on Monday":        "",
		"address: 0x7fff5fbff8c0":                       "",
		"IP address: 7 of 12 Hosts":                     "",
	} {
		if got := found(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
