package app

import (
	"bytes"
	"testing"
)

func TestMemoryThatALoadNeededIsGivenBack(t *testing.T) {
	before := relieve(0)
	load := bytes.Repeat([]byte{1}, 3*relief)
	if held := heldBytes(); held < before+2*relief || load[relief] == 0 {
		t.Fatalf("the load took %d bytes", held-before)
	}
	load = nil
	if held := relieve(before); held > before+relief {
		t.Errorf("%d bytes are held, before the load it were %d", held, before)
	}
	_ = load
}
