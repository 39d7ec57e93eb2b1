package events

import "testing"

func TestSketchesTellHowManyWordsTwoQuestionsShare(t *testing.T) {
	long := make(Sketch, SketchSize)
	for i := range long {
		long[i] = uint16(i * 10)
	}
	for name, c := range map[string]struct {
		a, b Sketch
		want Milli
	}{
		"the same":              {Sketch{1, 5, 9}, Sketch{1, 5, 9}, 1000},
		"half":                  {Sketch{1, 5, 9}, Sketch{1, 5, 7}, 500},
		"nothing shared":        {Sketch{1, 2}, Sketch{3, 4}, 0},
		"one of them is empty":  {Sketch{1, 2}, nil, 0},
		"both are empty":        {nil, nil, 0},
		"the smallest decide":   {long, long[:8], 500},
		"the same, and as long": {long, long, 1000},
	} {
		t.Run(name, func(t *testing.T) {
			if got, back := c.a.Alike(c.b), c.b.Alike(c.a); got != c.want || back != c.want {
				t.Errorf("%d, and %d the other way round; want %d", got, back, c.want)
			}
		})
	}
}

func TestProducersCannotSendFeatures(t *testing.T) {
	data := `{"exchange_id":"e","session_id":"s","user_text":"u","agent_text":"a","features":{"question":{},"answer":{}}}`
	if p, r := Decode(ExchangeRecorded, []byte(data)); p != nil || r.Reason != ReasonSchema {
		t.Errorf("payload %v, reason %q", p, r.Reason)
	}
}
