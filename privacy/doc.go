// Package privacy takes people and secrets out of an event before anything is stored.
//
// A [Guard] protects one event after another: it drops content whose file the
// user opted out, replaces what the detectors find by tags such as [EMAIL_1],
// and turns the ids of people into keyed pseudonyms. [Mode.Mask] then hides
// what the text mode does not allow to be kept. Whatever cannot be examined is
// dropped. The result is pseudonymised, best effort on free text, and never
// anonymous.
//
// Payload structs say with a tag how the strings below a field are treated:
//
//	privacy:"text"     redacted; the same as no tag, "tag" and "open"
//	privacy:"id"       replaced by a keyed hash when anything is found in it
//	privacy:"person"   replaced by the pseudonym of a user
//	privacy:"session"  replaced by the pseudonym of a session
//	privacy:"unit"     replaced by the pseudonym of an experiment unit
//	privacy:"enum"     left alone: the schema lists the words it allows
//	privacy:"plain"    left alone: checked elsewhere
//	privacy:"blind"    left alone if it is a hash of ours, else like an id
//	privacy:"figures"  JSON of which the numbers are left alone
//
// A [jsontext.Value] is walked at any depth, names, strings, numbers and JSON
// within strings. Typed numbers are left to the schema.
//
// A detector is one function that looks around an anchor byte. Another one
// needs a file with that function, an [Entity], and a line in scan.go. Three
// things make a finding: a shape that hardly anything else has, a checksum, or
// a cue, which is a word on the same line or the name of the JSON member. So
// bare digits are a phone behind "call me at", nine digits are an official
// number where one is named, a date is found beside a birth. Names of people
// are found by cue anywhere, and by a list of usual names in prose only.
// Percent-encoding, numeric escapes, full-width and zero-width characters
// hide nothing.
//
// [jsontext.Value]: https://pkg.go.dev/github.com/go-json-experiment/json/jsontext#Value
package privacy
