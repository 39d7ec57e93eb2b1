package privacy

import "fmt"

// Entity is the kind of thing a detector finds.
type Entity uint8

// What the detectors find; the zero Entity is nothing.
const (
	_ Entity = iota
	Email
	Card
	IBAN
	SSN
	IP
	MAC
	Phone
	Secret
	NationalID
	Crypto
	DOB
	Person
	Address
	entities
)

var entityNames = [entities]string{Email: "EMAIL", Card: "CARD", IBAN: "IBAN", SSN: "SSN",
	IP: "IP", MAC: "MAC", Phone: "PHONE", Secret: "SECRET", NationalID: "NATIONAL_ID", Crypto: "CRYPTO",
	DOB: "DOB", Person: "PERSON", Address: "ADDRESS"}

// String returns the name used in tags.
func (e Entity) String() string {
	if e == 0 || e >= entities {
		return "NONE"
	}
	return entityNames[e]
}

// MarshalText writes the name used in tags.
func (e Entity) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads the name used in tags.
func (e *Entity) UnmarshalText(text []byte) error {
	found, ok := entityNamed(string(text))
	if !ok {
		return fmt.Errorf("read entity %q: unknown", text)
	}
	*e = found
	return nil
}

func entityNamed(name string) (Entity, bool) {
	for e := Email; e < entities; e++ {
		if entityNames[e] == name {
			return e, true
		}
	}
	return 0, false
}

// Finding is one sensitive stretch of a text; the offsets count bytes of that text.
type Finding struct {
	Entity Entity `json:"type"`
	Start  int    `json:"start"`
	End    int    `json:"end"` // exclusive
}

// Counts holds how often each entity was found, indexed by Entity.
type Counts [entities]int

// Total is the number of findings of every kind.
func (c Counts) Total() int {
	sum := 0
	for _, n := range c {
		sum += n
	}
	return sum
}
