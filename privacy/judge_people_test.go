package privacy_test

import "strings"

// givenNames and familyNames are our own choice, of many countries: some of them usual, some not.
const (
	givenNames = "James Mary Robert Patricia John Linda Ebony Rashid Latoya Marcus Delphine Gaspard Océane Thibault Lieselotte Ottokar Heike Wolfgang " +
		"Concetta Ruggero Ludovica Ignacio Rocío Macarena Joaquim Inês Gonçalo Sanne Joost Femke Zbigniew Grażyna Wiesław Ebba Torbjörn Siv Aksel " +
		"Ingeborg Kirsi Pekka Emre Zeynep Oluwaseun Ngozi Priyanka Rajesh Siddharth Mei-Ling Hiroshi Yuki Dmitri Svetlana Bohdan Vojtěch Zdeňka " +
		"Giorgos Eleni Ahmed Fatima Yusuf Leila David Susan Karen Brian Kevin Laura Emily Jessica Daniel Sarah Thomas Nancy Steven Megan"
	familyNames = "Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Okafor Adeyemi Mbeki Chatterjee Venkataraman Bhattacharya Nakamura " +
		"Takahashi Nguyen Tran Papadopoulos Kowalczyk Wiśniewski Nováková Dvořák Lindqvist Sørensen Halvorsen Virtanen Korhonen Yılmaz Demirci " +
		"Schwarzenberger Hofstetter Zimmermann Lefebvre Beaumont Delacroix Rossi Esposito Ferrari Carvalho Figueiredo van_Dijk de_Vries O'Connor " +
		"MacGregor Fitzgerald Haddad Abdullah Rosenberg Goldstein Petrov Kuznetsova Harris Clark Lewis Robinson Walker Young Allen King Wright Scott"
)

func (c chance) given() string { return c.pick(strings.Fields(givenNames)...) }

func (c chance) family() string {
	return strings.ReplaceAll(c.pick(strings.Fields(familyNames)...), "_", " ")
}

func (c chance) person() string { return c.given() + " " + c.family() }

// nameCues announce a name.
var nameCues = []string{"My name is ¤ and I need help.", "Author: ¤", "Signed-off-by: ¤ <x@y.org>", `{"full_name": "¤"}`, "Dear ¤,\nthank you",
	"Best regards,\n¤",
	"Kind regards\n¤\n", "customer_name=¤", "Patient: ¤", "Full name: ¤", "Contact person: ¤", "This is Dr. ¤ speaking.", "Co-authored-by: ¤ <a@b.net>",
	`{"user":{"name":"¤"}}`, "<fullName>¤</fullName>", "Account holder: ¤", "Hi, I'm ¤ from support.", "| Employee name | ¤ |", "From: ¤ <me@corp.example>",
	"Assigned to: ¤", "¤ <me@corp.example> wrote:", "Reviewed-by: ¤ <r@x.io>", "full_name: '¤'", "Mrs. ¤ phoned", "mein Name ist ¤.", "je m'appelle ¤.",
	"me llamo ¤.", "mi chiamo ¤.", "ik heet ¤.", "nazywam się ¤.", "jag heter ¤."}

// prose has somebody in a sentence, with nothing that announces a name.
var prose = []string{"I talked to ¤ about the delay yesterday.", "According to ¤, nothing has changed since March.", "The committee elected ¤ as its chair.",
	"Can you forward this to ¤ before noon?", "She and ¤ reviewed the draft together.", "The invoice was paid by ¤ in May.", "¤ joined the team last week.",
	"We received a complaint from ¤ about the heating.", "It was ¤ who found the bug.", "Our guest tonight, ¤, wrote three novels.", "Nobody told ¤.",
	"Thanks to ¤ for the review!", "Gestern hat ¤ angerufen.", "Selon ¤, le dossier est complet.", "Ayer ¤ pidió una cita.", "Ieri ¤ ha chiesto un appuntamento.",
	"Volgens ¤ is alles klaar.", "Wczoraj ¤ dzwonił w sprawie umowy.", "When ¤ arrived, the meeting was over.", "The claim of ¤ was denied."}

// nobody has capitals and no person.
var nobody = []string{"The Nova Scotia Power Company closed its office in Port Hope.", "We moved from San Diego to New Orleans in June.",
	"Visual Studio Code and Google Chrome were updated on Monday.", "The Treaty of Versailles ended World War One.", "They study at the University of Salamanca.",
	"Install Docker Desktop before you run Apache Kafka.", "In March the Black Sea was calm.", "Der Deutsche Bundestag tagt in Berlin.", "Le Conseil " +
		"Municipal a voté.",
	"The Eiffel Tower is in Paris; Big Ben is in London.", "Our Premium Support Plan includes Priority Tickets.", "See Table Two and Figure Nine.",
	"Click File, then Save As, then Portable Document Format.", "The Golden Gate Bridge opened in May.", "Machine Learning and Computer Vision are electives.",
	"Linear Regression beats Random Forest here.", "The Red Cross and Amnesty International agreed.", "We drove a Ford Focus to Lake Tahoe.",
	"Open Source Summit Europe takes place in Vienna.", "Ask the Help Desk or the Front Office.", "Dear Customer, your Order Number is below.",
	"Kind regards,\nThe Support Team", "Name: Annual Report", "name: Build And Test", "Author: TBD", "Hello World", "Good Morning America starts at seven."}

// abroad are names in other scripts beside what announces them there.
var abroad = []string{"Имя: |Тимур Доронин", "Меня зовут |Лариса Савина", "Автор: |Казимир Копылов", "ФИО: |Нифонт Артемьев", "Мене звати |Орест " +
	"Петришин", "姓名：|葛雅鑫",
	"我叫|麦婷婷", "联系人：|邱弘文", "氏名：|西野ハル", "名前: |田島莉子", "私の名前は|丹羽淳", "이름: |견재호", "제 이름은 |승현재", "성명: |위주현", "الاسم: |فاطمة بن حمودة", "اسمي |وليد حسن",
	"שמי |ליליה זאבי", "שם: |אבי כהן", "Όνομα: |Ελένη Παπαδοπούλου", "Με λένε |Γιώργος Νικολάου", "ชื่อ: |สุธาดา งามดี", "نام: |آیدا کدیور", `full_name: |叶梓豪`,
	"My name is |Қанат Әлиев", "Author: |Ελένη Παππά", "Dear |Дмитрий Котов", "Full name: |강동건", "customer_name: |渡辺美羽"}

// streets are addresses of many countries.
var streets = []string{"4894 Steven Fork Road, Springfield, IL 62704", "12 Elm St.", "221B Baker Street, London NW1 6XE", "7 Klein Paddock", "9 " +
	"Walter Mews, Leeds LS22 1PR",
	"17 rue Victor Hugo, 69002 Lyon", "3 bis avenue de la Gare", "8, impasse des Lilas, 31000 Toulouse", "Hauptstraße 12a, 10115 Berlin", "Karl-Jaspers-Str. 63",
	"Am Alten Markt 3, 50667 Köln", "Lindenallee 8", "Calle Mayor 5, 28013 Madrid", "Avenida de la Constitución, 12", "Paseo del Prado 40", "Via " +
		"Garibaldi 7, 20121 Milano",
	"Piazza Navona 3", "Keizersgracht 123, 1015 CJ Amsterdam", "Dorpsstraat 4", "ul. Kwiatowa 12/4, 00-950 Warszawa", "Rua Augusta, 1500", "Avenida " +
		"Paulista 1578, 01310-200 São Paulo",
	"Storgatan 12, 111 22 Stockholm", "Vesterbrogade 3, 1620 København", "Karl Johans gate 22, 0159 Oslo", "Mannerheimintie 5, 00100 Helsinki",
	"Sousedská 62, 89022 Kamenice",
	"14 Kohler Parade, Perth WA 6000", "500 King St W, Toronto ON M5V 1L9", "10 Dame Lane, Dublin, D02 AF30", "1600 Pennsylvania Avenue NW, Washington, DC 20500",
	"Bahnhofstrasse 21, 8001 Zürich", "Mariahilfer Straße 88, 1070 Wien", "Atatürk Caddesi No: 15", "Václavské náměstí 19"}

var streetFrames = []string{"Please send it to ¤.", "I live at ¤ now.", "Address: ¤", `{"address": "¤"}`, "shipping_address: ¤", "He moved from ¤ " +
	"last year.", "The office at ¤ is closed.",
	"Delivery to ¤ failed", "Er wohnt in ¤.", "¤"}
