package privacy

import "strings"

// peopleBeside reports whether a member beside text[i:end] is one that only people have.
func peopleBeside(text string, i, end int) bool {
	before, behind := around(text, i, end)
	return (members(before) | members(behind)).tellOfPeople()
}

// having is a set of what somebody or something has, by the names of its members or columns.
type having uint8

const (
	ofPeople  having = 1 << iota // hardly anything else has it
	ofOffices                    // people have it, and whatever has an office
	ofPlaces
)

// tellOfPeople reports whether they are those of a person: an address for mail is, unless it is that of a place.
func (h having) tellOfPeople() bool { return h&ofPeople != 0 || h&(ofOffices|ofPlaces) == ofOffices }

// members tells what a stretch of a document names, as members or as columns.
func members(text string) (all having) {
	for i := 0; i < len(text); {
		end := names.run(text, i)
		if end == i {
			i++
			continue
		}
		if i == 0 || strings.IndexByte("\"',;|\t\n<", text[i-1]) >= 0 {
			all |= memberKinds[strings.ToLower(text[i:end])]
		}
		i = end
	}
	return all
}

// memberKinds are the members that tell. A telephone, a manager and a department do not.
var memberKinds = havingOf("age mobile dob birthdate birth_date dateofbirth date_of_birth birthday gender sex ssn nationality salary job occupation "+
	"employer hobbies passport marital_status", "email e_mail mail", "address street city url website rating stars price")

func havingOf(people, offices, places string) map[string]having {
	kinds := make(map[string]having)
	for kind, words := range map[having]string{ofPeople: people, ofOffices: offices, ofPlaces: places} {
		for word := range strings.FieldsSeq(words) {
			kinds[word] = kind
		}
	}
	return kinds
}
