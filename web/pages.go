package web

// pages are all pages, in the order of the menu.
func pages() []place {
	return []place{
		{path: "/{$}", name: "Overview", view: overview},
		{path: "/rules", apart: true, name: "Rules", view: ruleList},
		{path: "/rule", name: "Rule", menu: "/rules", view: ruleSheet},
		{path: "/learnings", name: "Learnings", view: learningList},
		{path: "/learning", name: "Learning", menu: "/learnings", view: learningSheet, deeds: learningDeeds()},
		{path: "/samples", name: "Samples", view: sampleSheet},
		{path: "/routing", name: "Routing", view: routing},
		{path: "/task", name: "Type of step", menu: "/routing", view: taskSheet},
		{path: "/templates", name: "Templates", view: templateList},
		{path: "/template", name: "Template", menu: "/templates", view: templateSheet, deeds: map[string]deed{"/delete": deleteTemplate}},
		{path: "/experiments", name: "Experiments", view: experimentList},
		{path: "/experiment", name: "Experiment", menu: "/experiments", view: experimentSheet,
			deeds: map[string]deed{"/start": startExperiment, "/widen": widenExperiment, "/stop": stopExperiment}},
		{path: "/people", apart: true, name: "People", view: peopleList},
		{path: "/person", name: "Person", menu: "/people", view: person, deeds: personDeeds()},
		{path: "/dead-letters", apart: true, name: "Dead letters", view: letterList},
		{path: "/letter", name: "Dead letter", menu: "/dead-letters", view: letterSheet,
			deeds: map[string]deed{"/redrive": redriveLetter}},
		{path: "/privacy", name: "Privacy", view: privacySheet, deeds: map[string]deed{"/set": setPrivacy}},
		{path: "/system", name: "System", view: system},
		{path: "/signin", view: signIn, deeds: map[string]deed{"/in": enter, "/out": leave}},
	}
}
