package web

import (
	"net/http"
	"strconv"

	h "learnloop.dev/web/markup"
)

// signIn asks for a token, unless the address has the code of a link: then for a word.
func signIn(v visit) (sheet, error) {
	if v.who.Name != "" {
		return sheet{title: "Sign in", body: para("You are signed in.")}, nil
	}
	return sheet{title: "Sign in", body: signInForm(v.query("t"), h.Node{})}, nil
}

func signInForm(code string, wrong h.Node) h.Node {
	if code != "" {
		return section(para("The link lets this browser in as an operator, once."),
			h.El("form", h.At("method", "post"), h.At("action", "/signin/in"),
				h.El("input", h.At("name", "token"), h.At("type", "hidden"), h.At("value", code)),
				h.El("button", h.Text("Sign in"))))
	}
	return section(wrong,
		h.El("form", h.At("method", "post"), h.At("action", "/signin/in"),
			h.El("p", h.El("label", h.At("for", "token"), h.Text("Token")),
				h.El("input", h.At("id", "token"), h.At("name", "token"), h.At("type", "password"), h.At("autocomplete", "current-password"),
					h.Flag("required", true))),
			h.El("button", h.Text("Sign in"))),
		h.El("p", minor("That of operators stands in admin.token of the data folder of the loop; learnloop dashboard prints a link that needs none.")))
}

func enter(v visit) (string, sheet, error) {
	if status := v.site.deps.Gate.Enter(v.answer, v.request, v.field("token")); status != http.StatusOK {
		says := "That is no token, or a link that was used or is too old."
		if wait, err := strconv.ParseInt(v.answer.Header().Get("Retry-After"), 10, 64); err == nil && status == http.StatusTooManyRequests {
			says += " Too many wrong ones came from here: wait " + plural(wait, "second", "seconds") + " before you try again."
		}
		return "", sheet{title: "Sign in", status: status,
			body: signInForm("", h.El("p", h.At("class", "wrong"), h.At("role", "alert"), h.Text(says)))}, nil
	}
	return "/?said=in", sheet{}, nil
}

func leave(v visit) (string, sheet, error) {
	v.site.deps.Gate.Leave(v.answer, v.request)
	return "/?said=out", sheet{}, nil
}
