package events

// Milli is a number in thousandths: as an integer it replays to the last bit.
type Milli int64

// Float is the number in ones.
func (m Milli) Float() float64 { return float64(m) / 1000 }

// ExchangeFeatures are what stays known of an exchange when its texts are gone
// (SPEC section 4.5). Nothing in it leads back to what was written.
type ExchangeFeatures struct {
	// Relevance is the cosine of question and answer by the local embedder, -1 to 1;
	// nil when one of them says nothing, or when answers are not scored.
	Relevance *Milli `json:"relevance,omitzero"`
	// Clarity says how well the answer reads; nil when there is none, or when answers
	// are not scored.
	Clarity *Clarity `json:"clarity,omitzero"`
	// Question and Answer are the texts' shapes.
	Question TextShape `json:"question"`
	Answer   TextShape `json:"answer"`
	// Language is that of the question, else of the answer, as a BCP 47 tag; empty when
	// it cannot be told.
	Language string `json:"language,omitzero" privacy:"plain"`
	// Topics are up to five key phrases of the redacted question in lower case, the
	// weightiest first, or those that the producer gave.
	Topics []string `json:"topics,omitzero" privacy:"plain"`
	// Sketch lets questions of one session be compared by the words in them; the
	// words cannot be told from it.
	Sketch Sketch `json:"sketch,omitzero"`
	// Corrections is how many corrections came with the exchange.
	Corrections int64 `json:"corrections,omitzero"`
	// Unscored, Impersonal and Untracked say that quality scoring, personalisation and
	// implicit tracking were off when the exchange came: it gets no quality score,
	// nobody's preferences are learned from it, and it says nothing about the exchange
	// before it.
	Unscored   bool `json:"unscored,omitzero"`
	Impersonal bool `json:"impersonal,omitzero"`
	Untracked  bool `json:"untracked,omitzero"`
	// Weights are those that an arm of an experiment gives the parts of the quality score;
	// nil: the usual ones.
	Weights *ScoreWeights `json:"weights,omitzero"`
	// Trials are the experiments on a score of answers that the exchange's unit is in.
	Trials []Trial `json:"trials,omitzero"`
}

// ScoreWeights are those of the five parts of a quality score (003).
type ScoreWeights struct {
	Relevance   Milli `json:"relevance"`
	Helpfulness Milli `json:"helpfulness"`
	Engagement  Milli `json:"engagement"`
	Clarity     Milli `json:"clarity"`
	Accuracy    Milli `json:"accuracy"`
}

// The scores of answers that experiments may name as metrics, each 0 to 1 (003).
const (
	QualityMetric    = "overall_quality_score"
	EngagementMetric = "engagement_score"
)

// Trial is an experiment that a unit is in, on a score that is known only later, and
// where that goes: ingest alone can say so of a raw unit.
type Trial struct {
	Experiment ID       `json:"experiment" privacy:"plain"`
	Metric     string   `json:"metric" privacy:"plain"`
	UnitID     ID       `json:"unit_id" privacy:"plain"` // its pseudonym
	Assigned   Assigned `json:"assigned"`
	Record     string   `json:"record" privacy:"plain"` // of the outcome
	Partition  int      `json:"partition"`              // likewise
}

// Clarity are the four parts of how clear an answer is, each 0 to 1.
type Clarity struct {
	Sentences  Milli `json:"sentences"`  // are of a length that reads well
	Paragraphs Milli `json:"paragraphs"` // are of a length that reads well
	// Structure is how far a long answer is structured; nil in short ones.
	Structure *Milli `json:"structure,omitzero"`
	Fences    Milli  `json:"fences"` // of code are closed
}

// TextShape is what a text is made of. Words, sentences and paragraphs are of the
// prose, outside fenced code.
type TextShape struct {
	Characters int64 `json:"characters,omitzero"` // of the whole text, in runes
	Words      int64 `json:"words,omitzero"`
	Sentences  int64 `json:"sentences,omitzero"`
	Paragraphs int64 `json:"paragraphs,omitzero"`
	ListItems  int64 `json:"list_items,omitzero"`
	Headings   int64 `json:"headings,omitzero"`
	CodeBlocks int64 `json:"code_blocks,omitzero"`
	CodeLines  int64 `json:"code_lines,omitzero"`
	Links      int64 `json:"links,omitzero"`
	Questions  int64 `json:"questions,omitzero"`
	Examples   int64 `json:"examples,omitzero"` // announced by words such as "for example"
	// ReadingLevel is the school grade that the prose asks for, 0 to 20; nil when
	// there is too little of it.
	ReadingLevel *Milli `json:"reading_level,omitzero"`
	Terms        Milli  `json:"terms,omitzero"` // share of words that are long or technical, 0 to 1
}

// Sketch are the smallest of the keyed hashes of a question's words, in ascending
// order: of a short question all of them. Sketches of different sessions have
// nothing in common.
type Sketch []uint16

// SketchSize is how many hashes a sketch has at most.
const SketchSize = 16

// Alike is how many of the words of two questions they share, 0 to 1; 0 when one of
// them is empty.
func (s Sketch) Alike(t Sketch) Milli {
	if len(s) == 0 || len(t) == 0 {
		return 0
	}
	seen, shared := 0, 0
	for len(s)+len(t) > 0 && seen < SketchSize {
		seen++
		switch {
		case len(t) == 0 || len(s) > 0 && s[0] < t[0]:
			s = s[1:]
		case len(s) == 0 || t[0] < s[0]:
			t = t[1:]
		default:
			s, t, shared = s[1:], t[1:], shared+1
		}
	}
	return Milli(1000 * shared / seen)
}
