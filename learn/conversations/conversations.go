// Package conversations learns how each person likes to be answered.
//
// It hears exchanges, whose texts were turned into features before, and what people
// did about the answers; scores every answer; and tells generators per person what
// style, topics and mistakes the scores speak of.
//
// Folding keeps evidence, one row a record. What follows from it is worked out when it
// is asked for, from all evidence of a person in the order of event time: so it does
// not matter in which order the evidence came, or what was taken back since.
package conversations

import (
	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// Name is the model's name, in subjects and in questions to it.
const Name = "conversations"

// KindUser is the kind of the keys that contexts are published of.
const KindUser = learn.KindPerson

// The kinds of keys that are the model's own affair.
const (
	kindWish     = "wish"     // what a person set or deleted by hand
	kindPeople   = "people"   // whom there is evidence of
	kindExchange = "exchange" // whose an exchange is
)

// Model learns from exchanges, responses, engagement and corrected preferences.
func Model() learn.Model {
	return learn.Define(learn.Spec[known]{
		Name:    Name,
		Version: 1,
		Group:   events.ByPerson,
		Kinds:   []string{KindUser},
		Folds: []learn.Fold{
			learn.Sum(events.ExchangeRecorded, record),
			learn.Sum(events.FeedbackResponse, react),
			learn.Sum(events.FeedbackEngagement, engage),
			learn.Sum(events.ControlPreferenceCorrected, wishFor),
			learn.Sum(events.ControlDaySummed, keepDay),
			learn.Sum(events.ControlPersonSummed, keepPerson),
		},
		Know:     know,
		Render:   render,
		Trace:    trace,
		Answers:  answers(),
		Condense: condense,
		Conclude: conclude,
	})
}

func userKey(name string) learn.Key { return learn.Key{Kind: KindUser, ID: name} }

func wishKey(name string) learn.Key { return learn.Key{Kind: kindWish, ID: name} }

func peopleKey() learn.Key { return learn.Key{Kind: kindPeople} }

func exchangeKey(id events.ID) learn.Key { return learn.Key{Kind: kindExchange, ID: string(id)} }
