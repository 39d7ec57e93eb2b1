package access_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"learnloop.dev/access"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestARoleIncludesWhatItSays(t *testing.T) {
	all := access.Roles{access.Capture, access.Read, access.Review, access.Admin}
	for have, want := range map[access.Role]access.Roles{
		access.Capture: {access.Capture},
		access.Read:    {access.Read},
		access.Review:  {access.Read, access.Review},
		access.Admin:   all,
	} {
		for _, role := range all {
			may := access.Roles{have}.May(role)
			if wanted := strings.Contains(want.String(), string(role)); may != wanted {
				t.Errorf("%s may %s: %v", have, role, may)
			}
		}
	}
	if (access.Roles{}).May(access.Capture) {
		t.Error("nobody may capture")
	}
}

func TestRolesAreReadByTheirNames(t *testing.T) {
	roles, err := access.ParseRoles([]string{"read", " capture", "read"})
	if err != nil || roles.String() != "read, capture" {
		t.Errorf("%s, %v", roles, err)
	}
	for _, names := range [][]string{nil, {""}, {"root"}, {"read", "Admin"}} {
		if roles, err := access.ParseRoles(names); err == nil {
			t.Errorf("%q: %s", names, roles)
		}
	}
}

func TestATokenOpensUntilItExpiresOrIsRevoked(t *testing.T) {
	var book access.Book
	secret, token := access.Mint(access.Token{Name: "ci", Roles: access.Roles{access.Read}, Created: noon, Expires: noon.Add(time.Hour)})
	if _, err := book.Open(secret, noon); !errors.Is(err, access.ErrUnknown) {
		t.Errorf("before it is entered: %v", err)
	}
	book.Enter(token)
	if got, err := book.Open(secret, noon.Add(59*time.Minute)); err != nil || got.Name != "ci" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := book.Open(secret, noon.Add(time.Hour)); !errors.Is(err, access.ErrExpired) {
		t.Errorf("at its end: %v", err)
	}
	revoked := token
	revoked.Revoked = noon
	book.Enter(revoked)
	book.Enter(token) // heard late
	if _, err := book.Open(secret, noon); !errors.Is(err, access.ErrRevoked) {
		t.Errorf("revoked: %v", err)
	}
	book.Strike(token.ID)
	if _, err := book.Open(secret, noon); !errors.Is(err, access.ErrUnknown) || len(book.All()) != 0 {
		t.Errorf("struck: %v", err)
	}
}

func TestNothingButTheWholeSecretOpens(t *testing.T) {
	var book access.Book
	secret, token := access.Mint(access.Token{Roles: access.Roles{access.Admin}})
	book.Enter(token)
	other, _ := access.Mint(access.Token{})
	grafted := "ll_" + token.ID + "_" + strings.SplitN(other, "_", 3)[2]
	for _, wrong := range []string{"", "ll", "ll__", "ll_" + token.ID, "ll_" + token.ID + "_", token.Digest, secret[:len(secret)-1], secret + "x",
		strings.ToUpper(secret), other, grafted} {
		if _, err := book.Open(wrong, noon); !errors.Is(err, access.ErrUnknown) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	if strings.Contains(fmt.Sprintf("%+v", token), secret) || len(secret) < 50 {
		t.Errorf("%s is kept, or short", secret)
	}
}

func TestALinkSignsInOnceAndNotForLong(t *testing.T) {
	var s access.Sessions
	code, until := s.Invite(noon)
	if s.Redeem("x"+code, noon) || !s.Redeem(code, noon) || s.Redeem(code, noon) {
		t.Error("a code is good exactly once")
	}
	code, _ = s.Invite(noon)
	if s.Redeem(code, until) {
		t.Error("a code is good after its time")
	}
	first, _ := s.Invite(noon)
	for i := range 16 {
		s.Invite(noon.Add(time.Duration(i+1) * time.Second))
	}
	if s.Redeem(first, noon.Add(time.Minute)) {
		t.Error("there are more codes than may be")
	}
}

func TestASessionEndsByItselfOrBySigningOut(t *testing.T) {
	var s access.Sessions
	cookie, opened := s.Open(access.Session{Name: "admin"}, noon)
	if got, found := s.Find(cookie, noon.Add(11*time.Hour)); !found || got != opened {
		t.Errorf("%+v, %v", got, found)
	}
	if _, found := s.Find(cookie, opened.Until); found {
		t.Error("a session outlives its time")
	}
	if _, found := s.Find("", noon); found {
		t.Error("no cookie is a session")
	}
	s.Close(cookie)
	if _, found := s.Find(cookie, noon); found {
		t.Error("a session outlives signing out")
	}
	first, _ := s.Open(access.Session{}, noon)
	for i := range 256 {
		s.Open(access.Session{}, noon.Add(time.Duration(i+1)*time.Second))
	}
	if _, found := s.Find(first, noon.Add(time.Hour)); found {
		t.Error("there are more sessions than may be")
	}
}

func TestATokenSignsOnlyItselfOut(t *testing.T) {
	var s access.Sessions
	operator, _ := s.Open(access.Session{Name: "operator"}, noon)
	var cookies []string
	for i := range 300 {
		cookie, _ := s.Open(access.Session{Token: "a", Name: "agent"}, noon.Add(time.Duration(i+1)*time.Second))
		cookies = append(cookies, cookie)
	}
	good := 0
	for _, cookie := range cookies {
		if _, found := s.Find(cookie, noon.Add(time.Hour)); found {
			good++
		}
	}
	if _, found := s.Find(operator, noon.Add(time.Hour)); !found || good != 8 {
		t.Errorf("the operator is signed in: %v, and the token %d times", found, good)
	}
}

func TestALimitHoldsEachCallerToItsOwnRate(t *testing.T) {
	l := access.Limit{PerSecond: 2, Burst: 3}
	for range 3 {
		if _, ok := l.Take("a", noon); !ok {
			t.Fatal("the burst is held back")
		}
	}
	if wait, ok := l.Take("a", noon); ok || wait != 500*time.Millisecond {
		t.Errorf("beyond the burst: %v, %v", wait, ok)
	}
	if _, ok := l.Take("b", noon); !ok {
		t.Error("another caller is held back")
	}
	if _, ok := l.Take("a", noon.Add(500*time.Millisecond)); !ok {
		t.Error("who waits is held back")
	}
	none := access.Limit{}
	if _, ok := none.Take("a", noon); !ok {
		t.Error("no limit holds somebody back")
	}
}

func TestALimitRemembersABoundedNumberOfCallers(t *testing.T) {
	l := access.Limit{PerSecond: 1, Burst: 2}
	for i := range 30_000 {
		l.Take(fmt.Sprint(i), noon.Add(time.Duration(i)*time.Millisecond))
	}
	if n := l.Known(); n > 10_000 {
		t.Errorf("%d callers are remembered", n)
	}
	if _, ok := l.Take("29999", noon.Add(30*time.Second)); !ok {
		t.Error("a caller of just now has less credit than is left")
	}
}
