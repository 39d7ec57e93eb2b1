package docs

import "strings"

// Body is what a page of the manual's folder would show of a text.
func Body(text string) string {
	r := &renderer{file: index, slugs: map[string]int{}}
	r.blocks(strings.Split(text, "\n"))
	return r.out.String()
}
