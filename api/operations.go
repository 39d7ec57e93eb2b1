package api

import "net/http"

// register lists every operation of which this process has the parts.
func (a *API) register(r *Registry) {
	d := a.deps
	connected, issuing := d.Conn != nil, d.Conn != nil && d.Issuer != nil
	for _, group := range []struct {
		has  bool
		adds []func(*Registry)
	}{
		{d.Door != nil, []func(*Registry){a.registerCapture}},
		{true, []func(*Registry){a.registerHealth}},
		{connected, []func(*Registry){
			a.registerContexts, a.registerChanges, a.registerInsight, a.registerDaily, a.registerSamples, a.registerExport,
			a.registerPatterns, a.registerExperiments, a.registerFeedback, a.registerConversations, a.registerTokens,
		}},
		{issuing && d.People != nil, []func(*Registry){a.registerPreferences}},
		{d.Contexts != nil, []func(*Registry){a.registerRules}},
		{d.Learnings != nil, []func(*Registry){a.registerLearnings, a.registerEntries, a.registerVotes}},
		{d.Recall != nil, []func(*Registry){a.registerRecall, a.registerInjection, a.registerLift}},
		{d.Advice != nil, []func(*Registry){a.registerRoute, a.registerTemplates}},
		{d.Preferences != nil, []func(*Registry){a.registerPersonal}},
		{d.DeadLetters != nil, []func(*Registry){a.registerLetters}},
		{connected && d.DeadLetters != nil && d.Driver != nil, []func(*Registry){a.registerRedrive}},
		{d.Settings != nil, []func(*Registry){a.registerPrivacy}},
		{d.Rotate != nil, []func(*Registry){a.registerRotation}},
		{issuing, []func(*Registry){a.registerReset, a.registerExperimentEdits}},
		{issuing && d.Advice != nil, []func(*Registry){a.registerTemplateDeletion}},
		{connected && d.Installation != nil, []func(*Registry){a.registerTransfer}},
		{issuing && d.KnownBy != nil, []func(*Registry){a.registerErasure}},
	} {
		if !group.has {
			continue
		}
		for _, add := range group.adds {
			add(r)
		}
	}
}

func (a *API) registerCapture(r *Registry) {
	Add(r, Operation[Publication, Taken]{
		Name: publishing, Method: http.MethodPost, Path: "/v1/events", Tag: "events", Access: Capture, Unlisted: true,
		Summary: "Take events in",
		Description: "CloudEvents in binary, structured or batched mode. They are protected here and on disk when this " +
			"answers. What is refused leaves a dead letter. Kinds that operators reserve need the admin token.",
		Statuses: []int{http.StatusAccepted, http.StatusOK},
		Do:       a.publish,
	})
}

func (a *API) registerContexts(r *Registry) {
	Add(r, Operation[ContextArgs, Context]{
		Name: "contexts.get", Method: http.MethodGet, Path: "/api/contexts/{kind}/{id}", Tag: "contexts", Access: Read,
		Summary:     "What generators know about one key",
		Description: "A rule nothing is known about has an empty context. Over NATS a key will do, and for operators a raw user id.",
		Aliases:     map[string]string{"rule_id": "id", "user_id": "user"},
		Do:          a.getContext,
	})
	Add(r, Operation[SummaryArgs, Context]{
		Name: "contexts.summary", Method: http.MethodGet, Path: "/api/contexts/summary", Tag: "contexts", Access: Read,
		Summary: "What generators know about all rules together",
		Do:      a.getSummary,
	})
	Add(r, Operation[ListArgs, ContextList]{
		Name: "contexts.list", Method: http.MethodGet, Path: "/api/contexts", Tag: "contexts", Access: Read,
		Summary:     "Which contexts there are",
		Description: "Templates have a list of their own, templates.list; here they are listed under the prefix template.",
		Do:          a.listContexts,
	})
	Add(r, Operation[RuleArgs, Context]{
		Name: "rules.get", Method: http.MethodGet, Path: "/api/rules/{id}", Tag: "contexts", Access: Read,
		Summary: "What is known about one rule",
		Aliases: map[string]string{"rule_id": "id"},
		Do:      a.getRule,
	})
}

func (a *API) registerChanges(r *Registry) {
	Add(r, Operation[ChangesArgs, Changes]{
		Name: "changes", Method: http.MethodGet, Path: "/api/changes", Tag: "contexts", Access: Read,
		Summary: "What changes, as it does",
		Description: "Server-sent events over HTTP: contexts, learnings, and to operators settings and dead_letters, each with the keys " +
			"that changed. To whom accepts application/json, and over NATS, one answer: the topics in which something changed.",
		Do: a.changes,
	})
}

func (a *API) registerInsight(r *Registry) {
	Add(r, Operation[StatisticsArgs, Statistics]{
		Name: "statistics.get", Method: http.MethodGet, Path: "/api/statistics", Tag: "insight", Access: Read,
		Summary:     "Statistics of any period",
		Description: "Exact to the timestamp, from the records kept. People appear as pseudonyms, and to operators alone: by_user is empty for others.",
		Aliases:     map[string]string{"rule_ids": "rules", "rule_id": "rules", "category": "categories", "start": "from", "end": "to"},
		Same:        a.sameStatistics,
		Do:          a.statistics,
	})
	Add(r, Operation[ExplainArgs, Explanation]{
		Name: "explain", Method: http.MethodGet, Path: "/api/explain/{key}", Tag: "insight", Access: Read,
		Summary: "The events behind every line of a context",
		Do:      a.explain,
	})
	Add(r, Operation[ReplayArgs, Replay]{
		Name: "replays.get", Method: http.MethodGet, Path: "/api/replays/{id}", Tag: "insight", Access: Read,
		Summary: "What became of the events of a replay",
		Aliases: map[string]string{"replayid": "id", "replay_id": "id"},
		Do:      a.replay,
	})
	Add(r, Operation[NoArgs, Status]{
		Name: "status", Method: http.MethodGet, Path: "/api/status", Tag: "health", Access: Admin,
		Summary: "How the loop is doing: streams, readers, positions",
		Do:      a.status,
	})
}

func (a *API) registerLetters(r *Registry) {
	Add(r, Operation[LettersArgs, Letters]{
		Name: "dlq.list", Method: http.MethodGet, Path: "/api/dlq", Tag: "dead letters", Access: Admin,
		Summary:     "Events that were refused, and why",
		Description: "The newest first. Dead letters never hold what was in the event. The cursor is before.",
		Aliases:     map[string]string{"cursor": "before"},
		Do:          a.letters,
	})
	Add(r, Operation[LetterArgs, Letter]{
		Name: "dlq.get", Method: http.MethodGet, Path: "/api/dlq/{sequence}", Tag: "dead letters", Access: Admin,
		Summary: "One refused event",
		Do:      a.letter,
	})
}

func (a *API) registerRotation(r *Registry) {
	Add(r, Operation[RotateArgs, Rotation]{
		Name: "privacy.rotate-key", Method: http.MethodPost, Path: "/api/privacy/rotate-key", Tag: "privacy", Access: Admin,
		Summary: "Show people under new names",
		Description: "Takes effect at once. Nothing that is stored changes, and no count does. For a while the former names " +
			"still find the people; then their key is destroyed.",
		Do: a.rotate,
	})
}

func (a *API) registerHealth(r *Registry) {
	Add(r, Operation[NoArgs, Health]{
		Name: "health", Method: http.MethodGet, Path: "/healthz", Tag: "health", Access: Public,
		Summary: "Whether the process answers",
		Do:      a.alive,
	})
	Add(r, Operation[NoArgs, Health]{
		Name: "ready", Method: http.MethodGet, Path: "/readyz", Tag: "health", Access: Public,
		Summary:     "Whether every part runs",
		Description: "503 with what is missing, until it does.",
		Do:          a.ready,
	})
}

// AnonymousSubjects lists the NATS subjects of the operations that need no
// credentials.
func AnonymousSubjects() []string {
	var all Registry
	var a API
	a.registerCapture(&all)
	a.registerHealth(&all)
	a.registerContexts(&all)
	a.registerChanges(&all)
	a.registerRules(&all)
	a.registerInsight(&all)
	a.registerDaily(&all)
	a.registerSamples(&all)
	a.registerPatterns(&all)
	a.registerExperiments(&all)
	a.registerFeedback(&all)
	a.registerConversations(&all)
	a.registerLearnings(&all)
	a.registerEntries(&all)
	a.registerVotes(&all)
	a.registerRecall(&all)
	a.registerInjection(&all)
	a.registerLift(&all)
	a.registerRoute(&all)
	a.registerTemplates(&all)
	a.registerPersonal(&all)
	a.registerLetters(&all)
	var open []string
	for _, e := range all.entries {
		if e.access.anonymous() {
			open = append(open, subjectOf(e.name))
		}
	}
	return open
}
