package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
)

//go:embed assets
var assets embed.FS

// media are the types of what pages load.
var media = map[string]string{
	"style.css": "text/css; charset=utf-8", "live.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml",
}

// assetPath is the address of what a page loads. It changes with its content, so that
// nobody sees an old one with a new page.
func assetPath(name string) string {
	data, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic("web: no asset " + name)
	}
	sum := sha256.Sum256(data)
	return "/assets/" + name + "?v=" + hex.EncodeToString(sum[:6])
}

// asset serves what pages load.
func asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	data, err := assets.ReadFile("assets/" + name)
	if err != nil {
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", media[name])
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	_, _ = w.Write(data) //nolint:gosec // a file built into the program; the visitor may have gone
}
