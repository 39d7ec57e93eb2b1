// Package conversations learns how each person likes to be answered.
//
// It hears exchanges, whose texts were turned into features before, and what people
// did about the answers; scores every answer; and tells generators per person what
// style, topics and mistakes the scores speak of.
package conversations
