package outcomes

import "learnloop.dev/learn"

// The questions the model answers, one part per partition; all but one of them are empty.
const (
	AskSummary  = "summary"  // Window → Summary
	AskPatterns = "patterns" // PatternArgs → Patterns
)

func answers() map[string]learn.Answer {
	return map[string]learn.Answer{
		AskSummary:  answerSummary,
		AskPatterns: answerPatterns,
	}
}
