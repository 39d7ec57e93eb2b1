package events

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// plainIntegers writes whole numbers such as 3.0 and 1e3 without point and
// exponent: to JSON Schema they are integers, to Go they are not. Data that is
// not JSON comes back as it is.
func plainIntegers(data []byte) []byte {
	var out bytes.Buffer
	d := jsontext.NewDecoder(bytes.NewReader(data))
	e := jsontext.NewEncoder(&out)
	for {
		tok, err := d.ReadToken()
		if err != nil {
			break
		}
		if tok.Kind() == '0' {
			err = e.WriteValue(jsontext.Value(plainInteger(tok.String())))
		} else {
			err = e.WriteToken(tok)
		}
		if err != nil {
			return data
		}
	}
	return out.Bytes()
}

// plainInteger returns a number's text, in digits alone if it is whole and fits
// 64 bits.
func plainInteger(text string) string {
	if text == "-0" {
		return "0"
	}
	if !strings.ContainsAny(text, ".eE") {
		return text
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > math.MaxUint64 {
		return text
	}
	return strconv.FormatFloat(f+0, 'f', -1, 64)
}
