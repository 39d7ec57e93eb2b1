package web

import "strings"

// Names are all pages, by the names of their pictures.
func Names() (list []string) {
	for _, p := range pages() {
		list = append(list, pictureOf(p.path))
	}
	return list
}

func pictureOf(path string) string {
	if path = strings.Trim(path, "/{$}"); path != "" {
		return path
	}
	return "overview"
}
