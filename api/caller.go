package api

// Caller is part of the arguments of operations that show or let some callers do more
// than others: who calls, as the doors know it.
type Caller struct{ visitor Visitor }

// meet keeps who calls.
func (c *Caller) meet(v Visitor) { c.visitor = v }

// introduced is an In that wants to know who calls.
type introduced interface{ meet(v Visitor) }

// operator reports whether the caller may see people and publish what is reserved.
func (a *API) operator(c Caller) bool { return c.visitor.May(Admin) }

// actor names who gave an order.
func (c Caller) actor() string { return c.visitor.Name + " over " + c.visitor.Door }
