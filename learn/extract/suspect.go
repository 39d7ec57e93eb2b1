package extract

import (
	"slices"
	"strings"

	"learnloop.dev/events"
)

// commands are phrases by which a text speaks to the model that reads it. A learning
// is read by models: what sounds like this is for a person to judge.
var commands = []string{
	"ignore previous", "ignore all previous", "ignore the previous", "ignore the above", "ignore all above", "ignore your instructions",
	"ignore any instructions", "ignore all instructions", "ignore prior", "disregard previous", "disregard all", "disregard the above",
	"disregard your", "forget your instructions", "forget all previous", "forget previous", "override your instructions",
	"new instructions:", "system prompt", "you are now", "you must now", "pretend to be", "act as if you", "do not tell the user",
	"reveal your", "print your instructions", "exfiltrate", "<system", "[system]", "system:", "assistant:", "developer mode", "jailbreak",
}

// commanding reports whether a learning speaks to the models that would read it.
func commanding(l *events.Learning) bool {
	said := []string{l.Title, l.Context, l.Observation, l.Implication, l.Action, strings.Join(l.Tags, " ")}
	text := strings.Join(strings.Fields(strings.ToLower(strings.Join(said, " "))), " ")
	return slices.ContainsFunc(commands, func(c string) bool { return strings.Contains(text, c) })
}
