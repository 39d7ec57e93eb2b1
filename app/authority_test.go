package app

import (
	"testing"

	"learnloop.dev/privacy"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

func TestAProtectionThatIsOffIsWarnedOfOnce(t *testing.T) {
	core, logged := observer.New(zap.WarnLevel)
	s := privacy.Defaults()
	s.AnonymizeUsers = false
	a := newAuthority(inForce{Privacy: s, Entitlement: Default().Entitlement}, true, zap.New(core))
	a.apply(privacyKey, []byte(`{"anonymize_users":false}`)) // what the start put into the log comes back
	if logged.Len() != 1 {
		t.Fatalf("%+v", logged.All())
	}
	a.apply(privacyKey, []byte(`{"anonymize_users":true}`))
	a.apply(privacyKey, []byte(`{"anonymize_users":false}`))
	if logged.Len() != 2 {
		t.Errorf("switched off again: %+v", logged.All())
	}
}
