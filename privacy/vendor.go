package privacy

import (
	"strings"
	"unicode/utf8"
)

// vendor is a published token format: a prefix, and how many characters of which kind follow.
type vendor struct {
	prefix string
	min    int
	set    *charset
}

// maxSample is how many characters decide whether a token is one.
const maxSample = 64

var tokenDots = setOf(isAlnum, "_-.")

// vendors are formats that their issuers document, a longer prefix before its own beginning.
var vendors = [...]vendor{
	{"AGE-SECRET-KEY-1", 50, &upperNum},
	{"AKIA", 16, &upperNum}, {"ASIA", 16, &upperNum}, {"ABIA", 16, &upperNum}, {"ACCA", 16, &upperNum}, // AWS
	{"AIza", 30, &base64URL}, {"GOCSPX-", 20, &base64URL}, {"ya29.", 20, &tokenDots}, // Google
	{"ATATT3", 30, &base64URL}, {"ATCTT3", 30, &base64URL}, // Atlassian
	{"NRAK-", 20, &upperNum},  // New Relic
	{"PMAK-", 24, &base64URL}, // Postman
	{"SG.", 40, &tokenDots},   // SendGrid
	{"SK", 32, &hexes},        // Twilio
	{"dapi", 32, &hexes},      // Databricks
	{"dckr_pat_", 20, &base64URL},
	{"dop_v1_", 40, &hexes}, {"doo_v1_", 40, &hexes}, {"dor_v1_", 40, &hexes}, // DigitalOcean
	{"figd_", 20, &base64URL},
	{"ghp_", 30, &words}, {"gho_", 30, &words}, {"ghu_", 30, &words}, {"ghs_", 30, &words}, {"ghr_", 30, &words},
	{"github_pat_", 22, &names},
	{"glpat-", 20, &tokenDots}, {"gldt-", 20, &base64URL}, {"glrt-", 20, &base64URL}, {"glptt-", 20, &base64URL}, // GitLab
	{"glsa_", 20, &names}, {"glc_", 32, &base64URL}, // Grafana
	{"gsk_", 40, &words},                               // Groq
	{"hf_", 30, &words},                                // Hugging Face
	{"hvs.", 24, &base64URL}, {"hvb.", 24, &base64URL}, // Vault
	{"key-", 32, &hexes},     // Mailgun
	{"lin_api_", 32, &words}, // Linear
	{"npm_", 30, &words},
	{"ntn_", 40, &words}, {"secret_", 43, &words}, // Notion
	{"pypi-Ag", 32, &base64URL},
	{"r8_", 36, &words}, // Replicate
	{"rubygems_", 40, &hexes},
	{"sbp_", 40, &hexes},                                                                           // Supabase
	{"shpat_", 32, &hexes}, {"shpss_", 32, &hexes}, {"shpca_", 32, &hexes}, {"shppa_", 32, &hexes}, // Shopify
	{"sk-ant-", 20, &base64URL}, {"sk-", 20, &base64URL}, // Anthropic, OpenAI
	{"sk_live_", 16, &words}, {"sk_test_", 16, &words}, {"rk_live_", 16, &words}, {"rk_test_", 16, &words}, // Stripe
	{"sq0atp-", 22, &base64URL}, {"sq0csp-", 22, &base64URL}, // Square
	{"tskey-", 20, &base64URL}, // Tailscale
	{"whsec_", 24, &words},     // Stripe
	{"xai-", 40, &words},
	{"xapp-", 20, &base64URL}, {"xoxa-", 10, &base64URL}, {"xoxb-", 10, &base64URL}, {"xoxe-", 10, &base64URL}, // Slack
	{"xoxp-", 10, &base64URL}, {"xoxr-", 10, &base64URL}, {"xoxs-", 10, &base64URL},
}

// vendorsBy groups the formats by their first character; seconds has a bit for each second one.
var vendorsBy, seconds = vendorIndex()

func vendorIndex() (index [256][]vendor, seconds [256][2]uint64) {
	for _, v := range vendors {
		first, second := v.prefix[0], v.prefix[1]
		index[first] = append(index[first], v)
		seconds[first][second>>6] |= 1 << (second & 63)
	}
	return index, seconds
}

// vendorToken finds a token of a known format.
func vendorToken(v view, i int) Finding {
	first, second := v.text[i], v.next(i+1)
	if second >= utf8.RuneSelf || seconds[first][second>>6]>>(second&63)&1 == 0 || !v.startsWord(i) {
		return Finding{}
	}
	for _, known := range vendorsBy[first] {
		if !strings.HasPrefix(v.text[i:], known.prefix) {
			continue
		}
		from := i + len(known.prefix)
		sample := known.set.run(v.text[:min(len(v.text), from+maxSample)], from)
		if sample-from < known.min || !random(v.text[from:sample]) {
			continue
		}
		if end := trimDots(v.text, known.set.run(v.text, sample)); v.endsWord(end) {
			return Finding{Secret, i, end}
		}
	}
	return Finding{}
}

func trimDots(text string, end int) int {
	for end > 0 && text[end-1] == '.' {
		end--
	}
	return end
}

// random refuses what only illustrates a format: one character over and over, or words.
func random(token string) bool {
	return !monotone(token) && (strings.ContainsAny(token, "0123456789") || strings.ToLower(token) != token)
}

// monotone reports whether one character fills the text.
func monotone(text string) bool {
	return text != "" && strings.Count(text, text[:1]) == len(text)
}
