package app

import (
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

func TestStreamsReadAnewAfterAKillAreToldOnce(t *testing.T) {
	core, logged := observer.New(zap.WarnLevel)
	w := serverWarnings{log: zap.New(core)}
	for range 14 {
		w.pass("Filestore [LEARN_DLQ] Stream state outdated, last block has additional entries, will rebuild")
	}
	w.pass("disk is slow")
	w.started()
	all := logged.All()
	if len(all) != 2 || all[1].ContextMap()["streams"] != int64(14) {
		t.Fatalf("%+v", all)
	}
	w.pass("Filestore [X] Stream state outdated")
	if logged.Len() != 3 {
		t.Error("a warning of a running server is kept back")
	}
}

func TestAnOrderlyStartWarnsOfNothing(t *testing.T) {
	core, logged := observer.New(zap.WarnLevel)
	(&serverWarnings{log: zap.New(core)}).started()
	if logged.Len() != 0 {
		t.Errorf("%+v", logged.All())
	}
}
