package web

import (
	"net/http"

	h "learnloop.dev/web/markup"
)

// signIn asks for the admin token.
func signIn(v visit) (sheet, error) {
	if v.operator {
		return sheet{title: "Sign in", body: para("You are signed in.")}, nil
	}
	return sheet{title: "Sign in", body: signInForm(h.Node{})}, nil
}

func signInForm(wrong h.Node) h.Node {
	return section(wrong,
		h.El("form", h.At("method", "post"), h.At("action", "/signin/in"),
			h.El("p", h.El("label", h.At("for", "token"), h.Text("Admin token")),
				h.El("input", h.At("id", "token"), h.At("name", "token"), h.At("type", "password"), h.At("autocomplete", "current-password"),
					h.Flag("required", true))),
			h.El("button", h.Text("Sign in"))),
		h.El("p", minor("It stands in admin.token of the data folder of the loop.")))
}

func enter(v visit) (string, sheet, error) {
	if !v.site.deps.Gate.Enter(v.answer, v.request, v.field("token")) {
		return "", sheet{title: "Sign in", status: http.StatusForbidden,
			body: signInForm(h.El("p", h.At("class", "wrong"), h.At("role", "alert"), h.Text("That is not the admin token.")))}, nil
	}
	return "/?said=in", sheet{}, nil
}

func leave(v visit) (string, sheet, error) {
	v.site.deps.Gate.Leave(v.answer, v.request)
	return "/?said=out", sheet{}, nil
}
