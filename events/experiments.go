package events

// Exposure says that a unit met an experiment (003, assignment).
type Exposure struct {
	Experiment ID     `json:"experiment" privacy:"id"`
	UnitID     ID     `json:"unit_id" privacy:"unit"`
	Variant    string `json:"variant,omitzero" privacy:"id"`
	// Assigned is what ingest derived from the raw unit; producers cannot send it.
	Assigned *Assigned `json:"derived,omitzero"`
	Moment
}

// Identity is the envelope's source and id.
func (*Exposure) Identity() []string { return nil }

// Parts addresses the exposure to its experiment.
func (e *Exposure) Parts() []Part {
	return []Part{{Group: ByExperiment, Key: string(e.Experiment), Kind: ExperimentExposed.Kind, Data: e}}
}

// Person is nobody: a unit has a pseudonym of its own.
func (*Exposure) Person() string { return "" }

// Unit is who or what was exposed.
func (e *Exposure) Unit() string { return string(e.UnitID) }

// Measurement is what a metric said about one unit (003, record_outcome).
type Measurement struct {
	Experiment ID      `json:"experiment" privacy:"id"`
	UnitID     ID      `json:"unit_id" privacy:"unit"`
	Value      float64 `json:"value"`
	Metric     string  `json:"metric,omitzero" privacy:"id"`  // default: the primary metric
	Variant    string  `json:"variant,omitzero" privacy:"id"` // for external assignment
	ExchangeID ID      `json:"exchange_id,omitzero" privacy:"id"`
	// Assigned is what ingest derived from the raw unit; producers cannot send it.
	Assigned *Assigned `json:"derived,omitzero"`
	Moment
}

// Identity is the experiment, the unit and the metric: one outcome for each.
func (m *Measurement) Identity() []string {
	return []string{string(m.Experiment), string(m.UnitID), m.Metric}
}

// Parts addresses the outcome to its experiment.
func (m *Measurement) Parts() []Part {
	return []Part{{Group: ByExperiment, Key: string(m.Experiment), Kind: ExperimentOutcome.Kind, Data: m}}
}

// Person is nobody: a unit has a pseudonym of its own.
func (*Measurement) Person() string { return "" }

// Unit is who or what was measured.
func (m *Measurement) Unit() string { return string(m.UnitID) }
