package web

import (
	"maps"
	"net/http"
	"slices"
	"strconv"

	"learnloop.dev/api"
	h "learnloop.dev/web/markup"
)

// personDeeds are what is done for a person.
func personDeeds() map[string]deed {
	return map[string]deed{"/set": setPreference, "/unlearn": unlearn, "/optout": optOut, "/forget": forget}
}

func setPreference(v visit) (string, sheet, error) {
	value, err := strconv.ParseFloat(v.field("value"), 64)
	if err != nil {
		return "", sheet{
			title: "A preference is a number from 0 to 1", status: http.StatusUnprocessableEntity,
			body: h.El("p", link("/people", "Back to people")),
		}, err
	}
	user := v.field("user")
	return at("/person", "user", user, "said", "saved"), sheet{}, v.ask("preferences.correct",
		map[string]any{"user": user, "preference_type": "style", "preference_key": v.field("key"), "preference_value": value}, nil)
}

func unlearn(v visit) (string, sheet, error) {
	user := v.field("user")
	return at("/person", "user", user, "said", "deleted"), sheet{}, v.ask("preferences.delete", map[string]any{"user": user}, nil)
}

func optOut(v visit) (string, sheet, error) {
	return "/people?said=saved", sheet{}, v.ask("privacy.opt-out", map[string]any{"user": v.field("user"), "actor": "dashboard"}, nil)
}

// forget shows what forgetting a person would take; who confirms has it done.
func forget(v visit) (string, sheet, error) {
	user, token := v.field("user"), v.field("confirm")
	args := map[string]any{"user": user}
	if token != "" {
		args["confirm"] = token
	}
	var f api.Forgetting
	if err := v.ask("forget", args, &f); err != nil {
		return "", sheet{}, err
	}
	if !f.Cleared {
		return "", sheet{title: "Forget a person", body: toForget(user, &f)}, nil
	}
	return "", sheet{title: "Forgotten", body: forgotten(&f)}, nil
}

func toForget(user string, f *api.Forgetting) h.Node {
	kinds := counted(f)
	if f.Confirm == nil {
		return kinds
	}
	return h.Join(kinds, section(para("This cannot be taken back. The question stands for five minutes."),
		act("/person/forget", "Forget for good", "danger", hidden{"user", user}, hidden{"confirm", f.Confirm.Token})))
}

// counted are the records that are removed, by kind.
func counted(f *api.Forgetting) h.Node {
	var rows []h.Node
	for _, kind := range slices.Sorted(maps.Keys(f.Counts)) {
		rows = append(rows, row(code(string(kind)), amount(int64(f.Counts[kind]))))
	}
	if len(rows) == 0 {
		return para("There is no record of this person.")
	}
	return section(table(plural(int64(f.Records), "record", "records"), []string{"Kind", "#Records"}, rows))
}

func forgotten(f *api.Forgetting) h.Node {
	if f.Report == nil {
		return section(para("It is being done; learnloop forget --status tells when a search of everything has proved it."), facts(fact{"Order", code(f.ID)}))
	}
	s := f.Report.Scan
	return h.Join(counted(f), section(heading("Proof"), facts(
		fact{"Messages searched", amount(int64(s.Messages))}, fact{"Keys searched", amount(int64(s.Keys))},
		fact{"Traces found", amount(int64(s.Found))})))
}
