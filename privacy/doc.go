// Package privacy takes people and secrets out of an event before anything is stored.
//
// A [Guard] protects one event after another: it drops content whose file the
// user opted out, replaces what the detectors find by tags such as [EMAIL_1],
// and turns the ids of people into keyed pseudonyms. [Mode.Mask] then hides
// what the text mode does not allow to be kept. Whatever cannot be examined is
// dropped. The result is pseudonymised, best effort on free text, and never
// anonymous.
package privacy
