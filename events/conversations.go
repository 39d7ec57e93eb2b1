package events

import "github.com/go-json-experiment/json/jsontext"

// ResponseSign is an explicit sign about an answer.
type ResponseSign string

// The explicit signs of source document 003.
const (
	ThumbsUp   ResponseSign = "thumbs_up"
	ThumbsDown ResponseSign = "thumbs_down"
	Copied     ResponseSign = "copy"
	Regenerate ResponseSign = "regenerate"
)

// ResponseFeedback is an explicit sign about one answer (003, ExplicitFeedback).
type ResponseFeedback struct {
	ExchangeID   ID           `json:"exchange_id" privacy:"id"`
	FeedbackType ResponseSign `json:"feedback_type" privacy:"enum"`
	FeedbackText string       `json:"feedback_text,omitzero" privacy:"text"`
	SessionID    ID           `json:"session_id,omitzero" privacy:"session"`
	UserID       ID           `json:"user_id,omitzero" privacy:"person"`
	Withheld     *Withheld    `json:"derived,omitzero"` // producers cannot send it
	Moment
}

// Withheld says what a reaction must not be used for, since quality scoring or
// personalisation was off when it came: no score follows from it, or nobody's preferences.
type Withheld struct {
	Unscored   bool `json:"unscored,omitzero"`
	Impersonal bool `json:"impersonal,omitzero"`
}

// Identity is the envelope's source and id.
func (*ResponseFeedback) Identity() []string { return nil }

// Parts addresses the feedback to its person, else its session, else to whoever
// owns the exchange.
func (f *ResponseFeedback) Parts() []Part {
	key := either(f.UserID, f.SessionID)
	part := Part{Group: ByPerson, Key: key, Kind: FeedbackResponse.Kind, Data: f}
	if key == "" {
		part.Exchange = string(f.ExchangeID)
	}
	return []Part{part}
}

// Person is the user who reacted.
func (f *ResponseFeedback) Person() string { return string(f.UserID) }

// FollowUp is what the user's next message does.
type FollowUp string

// The follow-up types of source document 003.
const (
	Clarification FollowUp = "clarification"
	Continuation  FollowUp = "continuation"
	NewTopic      FollowUp = "new_topic"
	End           FollowUp = "end"
)

// Engagement is what the user did after an answer (003, ImplicitFeedback).
type Engagement struct {
	ExchangeID        ID        `json:"exchange_id" privacy:"id"`
	SessionID         ID        `json:"session_id" privacy:"session"`
	ResponseTimeMS    *float64  `json:"response_time_ms,omitzero"` // until the next message
	FollowUpType      FollowUp  `json:"follow_up_type,omitzero" privacy:"enum"`
	UserMessageLength *int64    `json:"user_message_length,omitzero"` // of the next message, in characters
	SessionPosition   int64     `json:"session_position,omitzero"`    // of the exchange, from 1
	UserID            ID        `json:"user_id,omitzero" privacy:"person"`
	Withheld          *Withheld `json:"derived,omitzero"` // producers cannot send it
	Moment
}

// Identity is the envelope's source and id.
func (*Engagement) Identity() []string { return nil }

// Parts addresses the engagement to its person, else its session.
func (e *Engagement) Parts() []Part {
	return []Part{{Group: ByPerson, Key: either(e.UserID, e.SessionID), Kind: FeedbackEngagement.Kind, Data: e}}
}

// Person is the user who went on, or did not.
func (e *Engagement) Person() string { return string(e.UserID) }

// Exchange is one question and its answer. Its texts are turned into features
// at ingest and dropped.
type Exchange struct {
	ExchangeID       ID               `json:"exchange_id" privacy:"id"`
	SessionID        ID               `json:"session_id" privacy:"session"`
	UserText         string           `json:"user_text" privacy:"text"`
	AgentText        string           `json:"agent_text" privacy:"text"`
	UserID           ID               `json:"user_id,omitzero" privacy:"person"`
	SessionPosition  int64            `json:"session_position,omitzero"` // from 1
	ProcessingTimeMS *float64         `json:"processing_time_ms,omitzero"`
	Corrections      []jsontext.Value `json:"corrections,omitzero" privacy:"open"` // strings or objects
	Model            string           `json:"model,omitzero" privacy:"id"`
	RetrievedIDs     []ID             `json:"retrieved_ids,omitzero" privacy:"id"`
	// Topics are what the exchange is about, where the producer classifies by itself;
	// they move into Features at ingest.
	Topics []string `json:"topics,omitzero" privacy:"text"`
	// Features are what ingest computed from the redacted texts; producers cannot send them.
	Features *ExchangeFeatures `json:"features,omitzero"`
	Moment
}

// Identity is the exchange id.
func (e *Exchange) Identity() []string { return named(e.ExchangeID) }

// Parts addresses the exchange to its person, else its session.
func (e *Exchange) Parts() []Part {
	return []Part{{Group: ByPerson, Key: either(e.UserID, e.SessionID), Kind: ExchangeRecorded.Kind, Data: e}}
}

// Person is the user who asked.
func (e *Exchange) Person() string { return string(e.UserID) }
