package events

func (f *FixFeedback) check(s sent) bool {
	switch f.Decision {
	case Accepted, Rejected, Modified, Skipped:
	default:
		return false
	}
	return f.SuggestionID != "" && f.DeviationID != "" && f.RuleID != "" && f.Category != "" &&
		within(f.OriginalConfidence, 0, 1) &&
		s.text("original_text", f.OriginalText) && s.text("suggested_text", f.SuggestedText) &&
		s.blankOnly("original_text", "suggested_text", "final_text", "user_modification",
			"user_comment", "language", "model")
}

func (f *ResponseFeedback) check(s sent) bool {
	switch f.FeedbackType {
	case ThumbsUp, ThumbsDown, Copied, Regenerate:
	default:
		return false
	}
	return f.ExchangeID != "" && s.blankOnly("feedback_text")
}

func (e *Engagement) check(s sent) bool {
	switch e.FollowUpType {
	case "", Clarification, Continuation, NewTopic, End:
	default:
		return false
	}
	return e.ExchangeID != "" && e.SessionID != "" &&
		within(e.ResponseTimeMS, 0, maxNumber) && within(e.UserMessageLength, 0, maxCount) &&
		within(&e.SessionPosition, 0, maxCount) && s.blankOnly()
}

func (v *Vote) check(s sent) bool {
	return v.LearningID != "" && v.TaskID != "" && (v.Helpful || s.has("helpful", 'f')) && s.blankOnly("comment")
}

func (i *Injection) check(s sent) bool {
	switch i.Arm {
	case "", ArmTreatment, ArmHoldout, ArmPlacebo:
	default:
		return false
	}
	for _, item := range i.Items {
		if !item.check() {
			return false
		}
	}
	if a := i.Shares; a != nil && !(within(&a.Holdout, 0, 1) && within(&a.Placebo, 0, 1)) {
		return false
	}
	return i.TaskID != "" && i.OutcomeID != "" && i.Items != nil && s.blankOnly("generator")
}

func (i InjectedItem) check() bool {
	return (i.LearningID != "" || i.ContextKey != "") &&
		within(i.Propensity, 0, 1) && within(i.Chance, 0, 1) && within(&i.Beside, -maxPoints, maxPoints)
}

func (t *Task) check(s sent) bool {
	switch t.Status {
	case Completed, Failed, Cancelled:
	default:
		return false
	}
	ran := true
	for i := range t.Subtasks {
		if !t.Subtasks[i].check() {
			return false
		}
		ran = ran && t.Subtasks[i].Success != nil
	}
	for _, c := range t.Corrections {
		if c.Instruction == "" || !filled(c.Tags) {
			return false
		}
	}
	return t.TaskID != "" && t.Subtasks != nil && s.text("goal", t.Goal) &&
		(ran || s.eachHas("subtasks", "success")) &&
		s.blankOnly("goal", "subtasks", "corrections")
}

func (t *Subtask) check() bool {
	return t.ID != "" && filled(t.DependsOn) && filled(t.PromptFeatures) &&
		filled(t.FailureReasons) && within(&t.ModelTier, 0, maxTier) && within(&t.VerificationTier, 0, maxTier) &&
		within(&t.RetryCount, 0, maxRetries) && within(t.DurationSeconds, 0, maxCount) &&
		within(t.TokensUsed, 0, maxNumber)
}

func (s *Sample) check(data sent) bool {
	return s.SampleID != "" && s.SampleFamily != "" && !s.CreatedAt.IsZero() && s.Feedback.check() &&
		s.Input.Kind() == '{' && s.Output.Kind() == '{' &&
		(s.Meta == nil || s.Meta.Kind() == '{' || s.Meta.Kind() == 'n') &&
		data.blankOnly("input", "output", "state", "meta")
}

func (f *SampleFeedback) check() bool {
	switch f.Source {
	case ByUser, BySystem:
	default:
		return false
	}
	switch f.Type {
	case Approval, Rejection, Correction, Score:
	default:
		return false
	}
	switch f.QualityLabel {
	case "", Good, Acceptable, Poor:
		return true
	}
	return false
}

func (e *Exchange) check(s sent) bool {
	for _, c := range e.Corrections {
		if k := c.Kind(); k != '"' && k != '{' {
			return false
		}
	}
	return e.ExchangeID != "" && e.SessionID != "" && filled(e.RetrievedIDs) &&
		within(e.ProcessingTimeMS, 0, maxNumber) && within(&e.SessionPosition, 0, maxCount) &&
		s.text("user_text", e.UserText) && s.text("agent_text", e.AgentText) &&
		s.blankOnly("user_text", "agent_text", "corrections", "model", "topics")
}
