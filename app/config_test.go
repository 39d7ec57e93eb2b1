package app

import (
	"strings"
	"testing"
)

func TestAFolderMayLookLikeANumber(t *testing.T) {
	for name, load := range map[string]func() (Config, error){
		"environment": func() (Config, error) { return Load("", []string{"LEARNLOOP_DATA=2026"}, nil) },
		"flag":        func() (Config, error) { return Load("", nil, []string{`data="2026"`}) },
		"setting":     func() (Config, error) { return Load("", []string{"LEARNLOOP_DATA=true"}, []string{"data=2026"}) },
	} {
		if c, err := load(); err != nil || c.Data != "2026" {
			t.Errorf("%s: %q, %v", name, c.Data, err)
		}
	}
}

func TestTheEnvironmentIsReadUnderItsDocumentedNames(t *testing.T) {
	c, err := Load("", []string{
		"LEARNLOOP_DATA=d", "LEARNLOOP_HTTP=127.0.0.1:1", "LEARNLOOP_NATS=127.0.0.1:2", "LEARNLOOP_SERVER=nats://h:3",
		"LEARNLOOP_READY_FILE=r", "LEARNLOOP_PARTITIONS=7", "LEARNLOOP_PRIVACY__TEXT_MODE=full",
		"LEARNING_STORE_RAW_FEEDBACK_TEXT=True", "LEARNING_RETENTION_FEEDBACK=5",
		"LEARNING_RETENTION_SCORES=6", "LEARNING_RETENTION_METRICS=7", "LEARNING_AGGREGATE_AFTER_DAYS=8",
		"LEARNING_ENABLE_EXPLICIT_FEEDBACK=False", "LEARNING_ENABLE_IMPLICIT_TRACKING=false", "LEARNING_ENABLE_PERSONALIZATION=FALSE",
		"LEARNLOOP_TESTDATA=/x", "LEARNLOOP_E2E=1", "LEARNLOOP_BENCH_MILLION=1", "LEARNLOOP_SERVICE_PORT=tcp://10.0.0.1:8420", "PATH=/bin",
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Data != "d" || c.HTTP != "127.0.0.1:1" || c.NATS != "127.0.0.1:2" || c.Server != "nats://h:3" || c.ReadyFile != "r" || c.Partitions != 7 {
		t.Errorf("%+v", c)
	}
	if p := c.Privacy; p.TextMode != "full" || !p.StoreRawFeedbackText || p.RetentionDays.FeedbackExplicit != 5 ||
		p.RetentionDays.FeedbackImplicit != 5 || p.RetentionDays.QualityScores != 6 || p.RetentionDays.LearningMetrics != 7 || p.AggregateAfterDays != 8 ||
		p.EnableExplicitFeedback || p.EnableImplicitTracking || p.EnablePersonalization {
		t.Errorf("%+v", p)
	}
}

func TestWhatCannotBeUsedIsRefusedByItsName(t *testing.T) {
	for pair, says := range map[string]string{
		"log=loud": "log: want debug", "log=fatal": "log: want debug", "partitions=many": "partitions", "nonsense=1": "there is no setting nonsense",
		"http=0.0.0.0:1": "can be reached", "privacy.mood=1": "privacy.mood", "data=": "data: want a folder",
		"privacy.anonymize_pii=false": "confirmed", "privacy.text_mode=nope": "privacy.text_mode: want strict, pattern or full",
		"privacy=zzz": "privacy: want settings by name", "privacy.enabled=perhaps": "privacy.enabled: want true or false",
		"partitions=zzz": "partitions: want a whole number", "http=127.0.0.1:zz": `http: want a port from 0 to 65535, got "zz"`,
		"nats=127.0.0.1:99999": "nats: want a port", "privacy.max_data_age=long": "privacy.max_data_age: want days",
		"privacy.retention_days=7": "privacy.retention_days: want settings by name", "privacy.opt_out_patterns=x": "privacy.opt_out_patterns: want a list",
		"x": "want key=value",
	} {
		if _, err := Load("", nil, []string{pair}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", pair, err, says)
		}
	}
	if _, err := Load("", []string{"LEARNLOOP_NONSENSE__X=1"}, nil); err == nil || !strings.Contains(err.Error(), "nonsense") {
		t.Errorf("an unknown group in the environment: %v", err)
	}
}
