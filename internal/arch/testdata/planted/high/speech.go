package high

import (
	"fmt"

	speaker "vendor.one/v2/part"
)

type heard struct{ Words, ID string }

func say(h heard) {
	speaker.Say("id", h.ID)
	speaker.Say("words", h.Words) // breaks: speech
	speaker.Anything(h)           // breaks: speech
}

func fail(h heard) error {
	_ = fmt.Sprintf("%s", h.Words)
	return fmt.Errorf("%s %s", h.ID, string(h.Words)) // breaks: speech
}
