package privacy

import "testing"

func TestFormsMailAndTablesAnnounceNames(t *testing.T) {
	for text, want := range map[string]string{
		"Full name: Qorl Xand":                     "PERSON(Qorl Xand)",
		"Assigned to: Qorl Xand":                   "PERSON(Qorl Xand)",
		"Patient: Qorl Xand, room 4":               "PERSON(Qorl Xand)",
		"Name: Qorl Xand":                          "PERSON(Qorl Xand)",
		"name: Jane Xand":                          "PERSON(Jane Xand)",
		"From: Qorl Xand":                          "PERSON(Qorl Xand)",
		"Qorl Xand <q@x.com> wrote:":               "PERSON(Qorl Xand) EMAIL(q@x.com)",
		"<fullName>Qorl Xand</fullName>":           "PERSON(Qorl Xand)",
		"<name>Jane Xand</name>":                   "PERSON(Jane Xand)",
		"| Patient | Qorl Xand |":                  "PERSON(Qorl Xand)",
		`{"user":{"id":7,"name":"Qorl Xand"}}`:     "PERSON(Qorl Xand)",
		`{"patient":"Qorl Xand"}`:                  "PERSON(Qorl Xand)",
		"Hi, I'm Qorl Xand from support.":          "PERSON(Qorl Xand)",
		"reported by Qorl Xand":                    "PERSON(Qorl Xand)",
		"Kind regards\nQorl Xand":                  "PERSON(Qorl Xand)",
		"Author: Qorl O’Xand":                      "PERSON(Qorl O’Xand)",
		"we asked Qorl Xand about it":              "PERSON(Qorl Xand)",
		"Qorl Xand said no":                        "PERSON(Qorl Xand)",
		"my brother Qorl is late":                  "PERSON(Qorl)",
		"name: Build Image":                        "",
		"Name: Annual Report":                      "",
		"Owner: Platform Team":                     "",
		"<name>Maven Surefire Plugin</name>":       "",
		`{"project":{"name":"Qorl Xand"}}`:         "",
		"To: be done":                              "",
		"This is Open Source":                      "",
		"raw_name is None":                         "",
		"asked Customer Support about it":          "",
		"func (c *Client) String() string // said": "",
	} {
		if got := found(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestScriptsWithoutCapitalsHaveNamesToo(t *testing.T) {
	for text, want := range map[string]string{
		"姓名：葛雅鑫，男":                 "PERSON(葛雅鑫)",
		"我叫麦婷婷。":                   "PERSON(麦婷婷)",
		"私の名前は丹羽淳です":               "PERSON(丹羽淳)",
		"お客様各位、丹羽 淳様":              "PERSON(丹羽 淳様)",
		"제 이름은 홍길동입니다":             "PERSON(홍길동)",
		"이름: 형정은":                  "PERSON(형정은)",
		"최종현님, 안녕하세요":              "PERSON(최종현님)",
		"الاسم: فاطمة بن حمودة":    "PERSON(فاطمة بن حمودة)",
		"שמי ליליה זאבי.":          "PERSON(ליליה זאבי)",
		"ชื่อ สุธาดา งามดี":        "PERSON(สุธาดา งามดี)",
		"ФИО: Нифонт Артемьев":     "PERSON(Нифонт Артемьев)",
		"Меня зовут Лариса Савина": "PERSON(Лариса Савина)",
		"Ім'я: Орест Петришин":     "PERSON(Орест Петришин)",
		"Με λένε Γιώργος Νίκου":    "PERSON(Γιώργος Νίκου)",
		`{"full_name":"叶梓豪"}`:      "PERSON(叶梓豪)",
		"お客様":                      "",
		"我喜欢苹果。":                   "",
		"Это хороший день":         "",
	} {
		if got := found(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
