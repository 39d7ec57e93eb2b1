package events

// The kinds. Payload types stand in files by source document.
var (
	FeedbackFix        = &Type[FixFeedback]{"feedback.fix", "000"}
	FeedbackResponse   = &Type[ResponseFeedback]{"feedback.response", "003"}
	FeedbackEngagement = &Type[Engagement]{"feedback.engagement", "003"}
	FeedbackLearning   = &Type[Vote]{"feedback.learning", "001"}

	DiscoveryObserved  = &Type[Discovery]{"discovery.observed", "001"}
	TaskOutput         = &Type[AgentOutput]{"task.output", "001"}
	LearningCreated    = &Type[Learning]{"learning.created", "001"}
	LearningProposed   = &Type[Proposal]{"learning.proposed", "001"}
	LearningReviewed   = &Type[Review]{"learning.reviewed", "001"}
	LearningRevised    = &Type[Revision]{"learning.revised", "001"}
	LearningArchived   = &Type[Archival]{"learning.archived", "001"}
	LearningSuperseded = &Type[Succession]{"learning.superseded", "001"}
	InjectionRecorded  = &Type[Injection]{"injection.recorded", "001"}

	SampleCaptured = &Type[Sample]{"sample.captured", "002"}

	ExchangeRecorded  = &Type[Exchange]{"exchange.recorded", "003"}
	ExperimentExposed = &Type[Exposure]{"experiment.exposed", "003"}
	ExperimentOutcome = &Type[Measurement]{"experiment.outcome", "003"}

	TaskFinished  = &Type[Task]{"task.finished", "004"}
	TaskCorrected = &Type[TaskCorrection]{"task.corrected", "004"}
	RouteChosen   = &Type[RouteChoice]{"route.chosen", "004"}
	TemplateAdded = &Type[Template]{"template.added", "004"}

	ControlTick                = &Type[Tick]{"control.clock.tick", "all"}
	ControlCleared             = &Type[DataCleared]{"control.data.cleared", "all"}
	ControlExpired             = &Type[DataExpired]{"control.data.expired", "all"}
	ControlImported            = &Type[DataImported]{"control.data.imported", "all"}
	ControlReset               = &Type[DataReset]{"control.data.reset", "all"}
	ControlDaySummed           = &Type[DaySummed]{"control.day.summed", "all"}
	ControlPersonSummed        = &Type[PersonSummed]{"control.person.summed", "all"}
	ControlExperimentChanged   = &Type[ExperimentChanged]{"control.experiment.changed", "all"}
	ControlExperimentDecided   = &Type[ExperimentDecided]{"control.experiment.decided", "all"}
	ControlExperimentExpired   = &Type[ExperimentExpired]{"control.experiment.expired", "all"}
	ControlPatternDeleted      = &Type[PatternDeleted]{"control.pattern.deleted", "all"}
	ControlPreferenceCorrected = &Type[PreferenceCorrected]{"control.preference.corrected", "all"}
	ControlPrior               = &Type[Prior]{"control.prior", "all"}
	ControlSettings            = &Type[SettingsChanged]{"control.settings.changed", "all"}
	ControlForgotten           = &Type[SubjectForgotten]{"control.subject.forgotten", "all"}
)

// vocabulary lists every kind, ordered by name.
var vocabulary = []Spec{
	ControlTick,
	ControlCleared,
	ControlExpired,
	ControlImported,
	ControlReset,
	ControlDaySummed,
	ControlExperimentChanged,
	ControlExperimentDecided,
	ControlExperimentExpired,
	ControlPatternDeleted,
	ControlPersonSummed,
	ControlPreferenceCorrected,
	ControlPrior,
	ControlSettings,
	ControlForgotten,
	DiscoveryObserved,
	ExchangeRecorded,
	ExperimentExposed,
	ExperimentOutcome,
	FeedbackEngagement,
	FeedbackFix,
	FeedbackLearning,
	FeedbackResponse,
	InjectionRecorded,
	LearningArchived,
	LearningCreated,
	LearningProposed,
	LearningReviewed,
	LearningRevised,
	LearningSuperseded,
	RouteChosen,
	SampleCaptured,
	TaskCorrected,
	TaskFinished,
	TaskOutput,
	TemplateAdded,
}
