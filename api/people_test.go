package api

import (
	"context"
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"testing"

	"learnloop.dev/learn"
	"learnloop.dev/pipeline/forget"
	"learnloop.dev/privacy"
)

// capitals stores people in small letters and shows them in capitals; "old"
// before a capital name is a former one.
type capitals struct{}

func (capitals) Show(_ context.Context, names []string) ([]string, error) {
	shown := slices.Clone(names)
	for i, name := range names {
		if user, ok := strings.CutPrefix(name, "s_"); ok {
			shown[i] = "p_" + strings.ToUpper(user)
		}
	}
	return shown, nil
}

func (capitals) Find(_ context.Context, user string) (Found, error) {
	for _, prefix := range []string{"p_", "old_"} {
		if name, ok := strings.CutPrefix(user, prefix); ok {
			return Found{"s_" + strings.ToLower(name), true}, nil
		}
	}
	return Found{"s_" + user, false}, nil
}

func TestAPersonIsFoundByIDAndByPresentAndFormerNames(t *testing.T) {
	h := furnished(t)
	for args, want := range map[string]string{
		`{"user":"anna"}`: `"key":"user.p_ANNA"`, `{"user":"p_ANNA"}`: `"key":"user.p_ANNA"`, `{"user":"old_ANNA"}`: `"key":"user.p_ANNA"`,
		`{"user":"eve"}`: `"key":"user.p_EVE"`, `{"kind":"user","id":"old_ANNA"}`: `"id":"p_ANNA"`, `{"key":"user.old_ANNA"}`: `"id":"p_ANNA"`,
	} {
		m, err := h.nc.RequestMsgWithContext(briefly(t), message(subjectOf("contexts.get"), args))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(m.Data), want) {
			t.Errorf("%s: %s, want %s", args, m.Data, want)
		}
	}
}

func TestOnlyOperatorsRotateAndTheWindowIsRead(t *testing.T) {
	var got []RotateOrder
	h := furnished(t, func(d *Deps) {
		d.Rotate = func(_ context.Context, o RotateOrder) (*Rotation, error) {
			got = append(got, o)
			return &Rotation{KeyID: "abcd", Former: []FormerKey{}}, nil
		}
	})
	const path = "/api/privacy/rotate-key"
	if a := h.do(t, "POST "+path, ""); a.status != http.StatusUnauthorized {
		t.Errorf("without the token: %d %s", a.status, a.body)
	}
	bearer := "Authorization: Bearer " + token
	for window, fine := range map[string]bool{"": true, "7d": true, "0": true, "-1d": false, "soon": false, "99999d": false} {
		a := h.do(t, "POST "+path+"?actor=anna&window="+window, "", bearer)
		if ok := a.status == http.StatusOK; ok != fine {
			t.Errorf("window %q: %d %s", window, a.status, a.body)
		}
	}
	for _, o := range got {
		if o.Actor != "anna" || o.Window != nil && *o.Window != 0 && *o.Window != 7*privacy.Day {
			t.Errorf("%+v", o)
		}
	}
	if len(got) != 3 {
		t.Errorf("rotated %d times", len(got))
	}
}

// The order names the person, so that nothing is proved before it is gone.
func TestAReportIsShownOnceTheOrderIsGone(t *testing.T) {
	h := furnished(t, func(d *Deps) {
		d.KnownBy = func(context.Context, string, []string) (Known, error) { return Known{}, nil }
		d.Issuer = struct{ Issuer }{}
	})
	id, bearer := rand.Text(), "Authorization: Bearer "+token
	path := "/api/forget/" + id
	if a := h.get(t, path, bearer); a.status != http.StatusNotFound {
		t.Errorf("without an order: %d %s", a.status, a.body)
	}
	h.set(t, learn.Settings, forget.ReportKey(id), `{}`)
	h.set(t, learn.Settings, forget.JobKey(id), `{}`)
	if a := h.get(t, path, bearer); a.status != http.StatusOK || strings.Contains(a.body, `"report"`) {
		t.Errorf("before the order is gone: %d %s", a.status, a.body)
	}
	bucket, err := h.js.KeyValue(t.Context(), learn.Settings)
	if err == nil {
		err = bucket.Purge(t.Context(), forget.JobKey(id))
	}
	if err != nil {
		t.Fatal(err)
	}
	if a := h.get(t, path, bearer); a.status != http.StatusOK || !strings.Contains(a.body, `"report"`) {
		t.Errorf("afterwards: %d %s", a.status, a.body)
	}
}
