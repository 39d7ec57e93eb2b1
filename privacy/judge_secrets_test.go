package privacy_test

import "strings"

const secretNames = "password db_password DB_PASSWORD smtpPassword user_pass api_key apiKey X-Api-Key client_secret clientSecret SECRET_KEY_BASE " +
	"access_token " +
	"authToken refresh_token aws_secret_access_key private_key encryption_key webhook_secret jwt_secret GITHUB_TOKEN NPM_TOKEN passphrase access_key master_key"

// assignments are notations in which ¶ is the name of a secret and ¤ its value.
var assignments = []string{"¶=¤", "¶: ¤", "¶ = ¤", `¶="¤"`, "¶: '¤'", `"¶": "¤"`, "export ¶=¤", "'¶' => '¤',", `¶ := "¤"`, "<¶>¤</¶>", "- name: " +
	"¶\n  value: ¤", "ENV ¶ ¤",
	"--¶ ¤", "--¶=¤", `{"¶":"¤"}`, `var ¶ = "¤";`, "const ¶ = `¤`", `¶ "¤"`, "https://x.example/cb?state=1&¶=¤", "| ¶ | ¤ |", "my ¶ is ¤", "The ¶ is: ¤",
	`setProperty("¶", "¤")`, `environ["¶"] = "¤"`, "setenv ¶ ¤", `{\"¶\": \"¤\"}`, "+¶: ¤", "-¶=¤"}

// secretValue is what people and machines choose.
func (c chance) secretValue() string {
	return c.fill(c.pick("wwwwwwwwwwwwwww#", "hhhhhhhhhhhhhhhhhhhhhhhhhhhhhh7h", "wwwwwwwwwwwwwwwwwwwwww5=", "Summer####!", "dragon####",
		"P@ssw#rt", "wwwwwwwwww/wwwwwwwww+wwwww9w"))
}

// issued are tokens as their issuers make them.
var issued = strings.Fields("AKIA{16A} ASIA{16A} ghp_{36w} gho_{36w} github_pat_{22w}_{59w} glpat-{20w} xoxb-{12#}-{12#}-{24w} " +
	"https://hooks.slack.com/services/T{8A}/B{8A}/{23w}7 sk_live_{23w}7 rk_test_{23w}7 AIza{34w}7 sk-{47w}7 sk-proj-{73w}7 sk-ant-api03-{92w}7 SG.{22w}.{42w}7 " +
	"SK{31h}7 npm_{35w}7 pypi-AgEIcHlwaS5vcmc{59w}7 dckr_pat_{26w}7 hf_{33w}7 dop_v1_{63h}7 shpat_{31h}7 sq0atp-{21w}7 key-{31h}7 {31h}7-us1# 8{8#}:AA{32w}7 " +
	"lin_api_{39w}7 ntn_{45w}7 hvs.{89w}7 dapi{31h}7 glsa_{31w}7_{8h} NRAK-{26A}7 sntrys_{59w}7 dp.pt.{42w}7 pscale_tkn_{42w}7 PMAK-{23h}7-{34h} " +
	"rubygems_{47h}7 pul-{39h}7 sbp_{39h}7 fo1_{42w}7 figd_{39w}7 pat{14w}.{63h}7 gsk_{51w}7 r8_{36w}7 pplx-{47w}7 xai-{79w}7 GOCSPX-{27w}7 ya29.{99w}7 " +
	"eyJhbGciOiJIUzI1NiJ9.eyJzdWIi{39w}7.{43w} EZAK{53w}7 LTAI{19w}7 CFPAT-{42w}7 tfp_{58w}7 rdme_{69w}7 sgp_{16h}_{39h}7 sqp_{39h}7 AKCp{68w}7 " +
	"sk-or-v1-{63h}7 lsv2_pt_{31h}7_{10h} nvapi-{63w}7 tvly-{31w}7 bkua_{39h}7 nfp_{35w}7 rnd_{31w}7 napi_{63w}7")

// token makes a token from its picture: {22w} is twenty-two characters.
func (c chance) token(picture string) string {
	var b strings.Builder
	for picture != "" {
		before, rest, found := strings.Cut(picture, "{")
		b.WriteString(before)
		if !found {
			break
		}
		inner, after, _ := strings.Cut(rest, "}")
		n := 0
		for _, r := range inner[:len(inner)-1] {
			n = n*10 + int(r-'0')
		}
		b.WriteString(c.fill(strings.Repeat(inner[len(inner)-1:], n)))
		picture = after
	}
	return b.String()
}

// credentials stand in commands, headers and addresses of services.
var credentials = []string{"Authorization: Bearer ¤", "postgres://app:¤@db.internal:5432/x", "curl -u admin:¤ http://x", "mysql -uroot -p¤ shop",
	"redis://:¤@cache:6379/0",
	"Server=tcp:db;User Id=sa;Password=¤;Encrypt=True", "PGPASSWORD=¤ psql -h db", "sshpass -p ¤ ssh host", "machine api.example login bob password ¤",
	"https://x.example/f?sv=2020&sig=¤&se=2024", "X-Auth-Token: ¤", "docker login -u bob -p ¤", "tool --token ¤ run", "https://bob:¤@git.example/a.git"}

// innocents are lines of machines in which nothing is anybody's.
var innocents = []string{"hhhhhhhh-hhhh-4hhh-ahhh-hhhhhhhhhhhh", "sha256:hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh",
	"commit hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh",
	"ts=17######## level=info", "created_at: 16##########, seq ####", "20##-M-DT1#:2#:3#.###Z INFO pool-#-thread-# flushed #### rows in ### ms",
	"upgrade 1.##.# to 2.##.#",
	"numpy==1.##.#", "image: registry:5000/team/app:1.#.##-build.####", "### ## # ####\n## ### #### #\n# ## ### ####", "0.######, #.####, ##.##, 0.####",
	`"GET /api/v2/items/####?page=## HTTP/1.1" 200 #### "-" "Mozilla/5.0"`, "controller.go:###] syncing pod default/web-hhhhhhhhhh", "@@ -###,## " +
		"+###,## @@ func main() {",
	"at com.acme.Service.run(Service.java:###) ~[app-1.#.##.jar]", "INSERT INTO t (id, qty) VALUES (####, ##);", "Total: $#,###.## / EUR #.###,##",
	`etag: W/"hhhhhhhhhhhhhhhh"`,
	"lat ##.######, lon -##.######", "order ######## shipped", "self.weights[##][##] = 0.######", "const x = arr.map((v, i) => v * 0.#### + ####);",
	"color: #hhhhhh; margin: ##px ##px;", "0xhhhhhhhhhhhhhhhh: hhhhhhhh hhhhhhhh hhhhhhhh", "gcc -O2 -std=c11 -o build/main src/main.c -lm", "## # * " +
		"* # /usr/bin/backup --keep ##",
	"hhhhhhh (HEAD -> main) fix: bump parser to 1.#.#", "D.M.20## 1#:##", "RFC ####, section #.#.#", "if x[##] > #### { return y.z(##, 0xhhhh) }",
	"goroutine ## [running]:",
	"password must have # characters", "token, err := parse(r)", "if user.Password == other.Password {", "func (s *Server) Secret() string { return s.secret }"}
