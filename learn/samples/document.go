package samples

import (
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// DocumentVersion is that of a training set (source document 002, section 9.1).
const DocumentVersion = "1.0.0"

// Document writes a training set: lines, or the JSON document of 002, whose count is
// known at its end. It keeps nothing but one write.
type Document struct {
	W     io.Writer
	Lines bool
	Count int // examples written so far

	buf []byte
}

// Begin writes what comes before the examples.
func (d *Document) Begin() error {
	if !d.Lines {
		d.buf = append(d.buf, `{"version":"`+DocumentVersion+`","samples":[`...)
	}
	return d.flush()
}

// Write writes some examples.
func (d *Document) Write(examples ...jsontext.Value) error {
	for _, e := range examples {
		if !d.Lines && d.Count > 0 {
			d.buf = append(d.buf, ',')
		}
		if d.buf = append(d.buf, e...); d.Lines {
			d.buf = append(d.buf, '\n')
		}
		d.Count++
	}
	return d.flush()
}

// End writes what comes behind them.
func (d *Document) End() error {
	if !d.Lines {
		d.buf = append(d.buf, `],"sample_count":`+strconv.Itoa(d.Count)+"}\n"...)
	}
	return d.flush()
}

func (d *Document) flush() error {
	if len(d.buf) == 0 {
		return nil
	}
	_, err := d.W.Write(d.buf)
	d.buf = d.buf[:0]
	if err != nil {
		return fmt.Errorf("write training set at sample %d: %w", d.Count, err)
	}
	return nil
}
