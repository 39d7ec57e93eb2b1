package app_test

import (
	"testing"

	"learnloop.dev/app"
)

func TestADataFolderSaysWhereItsLoopIsFound(t *testing.T) {
	dir := t.TempDir()
	if at := app.ServerOf(dir); at != "" {
		t.Errorf("before the first start it is at %s", at)
	}
	a := meet(t, dir)
	if at, want := app.ServerOf(dir), a.Addresses().NATS; at != want {
		t.Errorf("it is at %s, want %s", at, want)
	}
	a.stop()
	if at := app.ServerOf(dir); at != "" {
		t.Errorf("after the end it is at %s", at)
	}
}
