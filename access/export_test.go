package access

// Known is how many callers are remembered.
func (l *Limit) Known() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.known)
}
