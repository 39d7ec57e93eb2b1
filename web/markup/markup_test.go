package markup_test

import (
	"fmt"
	"strings"
	"testing"

	"learnloop.dev/web/markup"
)

// hostile is what people write who want to be more than text.
var hostile = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`, `</title><svg onload=alert(1)>`,
	`<!--`, `]]>`, `&lt;script&gt;`, "\x00<b>", "\xff\xfe<i>", "a\r\nb", "javascript:alert(1)", "\u2028\u202e<a>",
}

func TestTextStaysText(t *testing.T) {
	for _, s := range hostile {
		got := string(markup.Document(markup.El("p", markup.At("title", s), markup.Text(s))))
		inner := strings.TrimSuffix(strings.TrimPrefix(got, `<!doctype html><html><p title="`), `</p></html>`)
		if strings.ContainsAny(strings.Replace(inner, `">`, "", 1), "<>\"'\x00\r") {
			t.Errorf("%q leaves as %s", s, got)
		}
	}
}

func TestWhatIsEscapedAlreadyIsEscapedAgain(t *testing.T) {
	if got := string(markup.Document(markup.Text("&lt;"))); got != "<!doctype html><html>&amp;lt;</html>" {
		t.Errorf("got %s", got)
	}
}

func TestAddressesLeadHereOrToHTTP(t *testing.T) {
	for _, c := range []struct{ given, want string }{
		{"/rules/a%2Fb?x=1&y=2#z", "/rules/a%2Fb?x=1&amp;y=2#z"},
		{"https://learnloop.dev/", "https://learnloop.dev/"},
		{"?page=2", "?page=2"},
		{"#main", "#main"},
		{"javascript:alert(1)", "about:invalid"},
		{"JaVaScRiPt:alert(1)", "about:invalid"},
		{"java\nscript:alert(1)", "about:invalid"},
		{" javascript:alert(1)", "about:invalid"},
		{"data:text/html,x", "about:invalid"},
		{"//elsewhere.example", "about:invalid"},
		{`/\elsewhere.example`, "about:invalid"},
		{"/\t/elsewhere.example", "about:invalid"},
		{"rules", "about:invalid"},
		{"", "about:invalid"},
	} {
		for name, got := range map[string]string{
			"href":   string(markup.Document(markup.At("href", c.given))),
			"action": string(markup.Document(markup.At("action", c.given))),
		} {
			if want := fmt.Sprintf(`<!doctype html><html %s="%s"></html>`, name, c.want); got != want {
				t.Errorf("%q: got %s, want %s", c.given, got, want)
			}
		}
	}
}

func TestWhatCouldRunIsTheProgrammersFault(t *testing.T) {
	for name, write := range map[string]func(){
		"an attribute with a program": func() { markup.At("onclick", "x") },
		"an attribute with styles":    func() { markup.At("style", "x") },
		"a document within":           func() { markup.At("srcdoc", "x") },
		"an element with styles":      func() { markup.El("style", markup.Text("x")) },
		"a script in the page":        func() { markup.El("script", markup.Text("x")) },
		"a frame":                     func() { markup.El("iframe") },
		"a name with a space":         func() { markup.El("p onclick=x") },
		"an attribute with a space":   func() { markup.At("title onclick", "x") },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("nothing was said")
				}
			}()
			write()
		})
	}
}

func TestWhatIsNothingLeavesNothing(t *testing.T) {
	got := string(markup.Document(markup.El("input", markup.Flag("checked", false), markup.Flag("required", true)), markup.Node{}, nil))
	if got != `<!doctype html><html><input required=""></html>` {
		t.Errorf("got %s", got)
	}
	if !(markup.Node{}).Empty() || !markup.Join().Empty() || markup.Text("x").Empty() {
		t.Error("Empty does not tell nothing from something")
	}
}

func FuzzNothingEscapes(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := string(markup.Document(markup.El("a", markup.At("href", s), markup.At("title", s), markup.Text(s))))
		if n := strings.Count(got, "<"); n != 5 {
			t.Errorf("%q opens %d elements: %s", s, n, got)
		}
		if n := strings.Count(got, `"`); n != 4 {
			t.Errorf("%q ends an attribute: %s", s, got)
		}
	})
}

func Example() {
	comment := `<script>alert("ours")</script>`
	fmt.Printf("%s\n", markup.Document(markup.El("p", markup.At("class", "quote"), markup.Text(comment))))
	// Output: <!doctype html><html><p class="quote">&lt;script&gt;alert(&#34;ours&#34;)&lt;/script&gt;</p></html>
}
