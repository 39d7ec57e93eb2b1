// Package access knows who may come in: tokens with roles, sessions of browsers, and
// how often somebody may ask. It knows no door; those ask it.
package access

import (
	"fmt"
	"slices"
	"strings"
)

// Role is something that a caller may do.
type Role string

// The roles. Review includes read, and admin everything.
const (
	Capture Role = "capture" // tell the loop what happened
	Read    Role = "read"    // read what was learned
	Review  Role = "review"  // and decide about learnings
	Admin   Role = "admin"   // everything: change, clear, forget, see people
)

// Roles are what one caller may do; none may do nothing.
type Roles []Role

// ParseRoles reads roles by their names, each once.
func ParseRoles(names []string) (Roles, error) {
	known := Roles{Capture, Read, Review, Admin}
	var roles Roles
	for _, name := range names {
		role := Role(strings.TrimSpace(name))
		if !slices.Contains(known, role) {
			return nil, fmt.Errorf("role %q: want one of %s", name, known)
		}
		if !slices.Contains(roles, role) {
			roles = append(roles, role)
		}
	}
	if len(roles) == 0 {
		return nil, fmt.Errorf("no role: want one of %s", known)
	}
	return roles, nil
}

// May reports whether one of the roles is, or includes, the wanted one.
func (r Roles) May(want Role) bool {
	return slices.ContainsFunc(r, func(have Role) bool {
		return have == want || have == Admin || have == Review && want == Read
	})
}

// String lists the roles.
func (r Roles) String() string {
	names := make([]string, len(r))
	for i, role := range r {
		names[i] = string(role)
	}
	return strings.Join(names, ", ")
}
