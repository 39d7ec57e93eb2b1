package web

// pages are all pages, in the order of the menu.
func pages() []place {
	return []place{
		{path: "/{$}", name: "Overview", view: overview},
		{path: "/signin", view: signIn, deeds: map[string]deed{"/in": enter, "/out": leave}},
	}
}
