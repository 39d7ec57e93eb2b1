package events

import (
	"strconv"
	"strings"
)

// Tasks are facts of many steps, and read again as often as decisions.

func (t *Task) reread(r *rereader) {
	word(r, `"task_id":`, &t.TaskID)
	word(r, `"goal":`, &t.Goal)
	word(r, `"status":`, &t.Status)
	each(r, `"subtasks":`, &t.Subtasks)
	each(r, `"corrections":`, &t.Corrections)
	word(r, `"template":`, &t.Template)
	word(r, `"user_id":`, &t.UserID)
	r.time(`"timestamp":`, &t.Timestamp)
}

func (t *Subtask) reread(r *rereader) {
	word(r, `"id":`, &t.ID)
	word(r, `"description":`, &t.Description)
	r.count(`"model_tier":`, &t.ModelTier)
	r.count(`"verification_tier":`, &t.VerificationTier)
	words(r, `"depends_on":`, &t.DependsOn)
	word(r, `"model_used":`, &t.ModelUsed)
	r.answer(`"success":`, &t.Success)
	r.count(`"retry_count":`, &t.RetryCount)
	r.number(`"duration_seconds":`, &t.DurationSeconds)
	r.countThere(`"tokens_used":`, &t.TokensUsed)
	words(r, `"failure_reasons":`, &t.FailureReasons)
	words(r, `"prompt_features":`, &t.PromptFeatures)
}

func (c *TaskInstruction) reread(r *rereader) {
	words(r, `"tags":`, (*[]string)(&c.Tags))
	word(r, `"instruction":`, &c.Instruction)
}

// list goes through an array, and reads an item at each turn.
func (r *rereader) list(item func()) {
	r.step('[')
	for first := true; r.at < len(r.data) && r.data[r.at] != ']'; first = false {
		if !first {
			r.step(',')
		}
		item()
	}
	r.step(']')
	r.next = ','
}

// roomy is how many items there is room for at first; most arrays have fewer.
const roomy = 4

// words reads an array of strings.
func words[S ~string](r *rereader, name string, to *[]S) {
	if r.member(name) {
		*to = make([]S, 0, roomy)
		r.list(func() { *to = append(*to, S(r.string())) })
	}
}

// each reads an array of objects.
func each[T any, P interface {
	*T
	known
}](r *rereader, name string, to *[]T) {
	if !r.member(name) {
		return
	}
	*to = make([]T, 0, roomy)
	r.list(func() {
		*to = append(*to, *new(T))
		r.open()
		P(&(*to)[len(*to)-1]).reread(r)
		r.close()
	})
}

// count reads a number that is not negative.
func (r *rereader) count(name string, to *int64) {
	if !r.member(name) {
		return
	}
	n, err := strconv.ParseInt(r.digits(false), 10, 64)
	if err != nil {
		r.lose()
	}
	*to = n
}

// countThere reads one that is told from an absent one.
func (r *rereader) countThere(name string, to **int64) {
	at, n := r.at, int64(0)
	if r.count(name, &n); r.at > at {
		*to = &n
	}
}

// answer reads true, false, or null for neither.
func (r *rereader) answer(name string, to **bool) {
	if !r.member(name) {
		return
	}
	switch rest := string(r.data[r.at:min(r.at+len("false"), len(r.data))]); {
	case strings.HasPrefix(rest, "true"):
		r.at += len("true")
		*to = new(true)
	case rest == "false":
		r.at += len("false")
		*to = new(false)
	case strings.HasPrefix(rest, "null"):
		r.at += len("null")
	default:
		r.lose()
	}
}
