package app

import (
	"fmt"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// NewLogger returns a JSON logger on standard error that keeps the given level
// and above: debug, info, warn or error.
func NewLogger(level string) (*zap.Logger, error) {
	l, err := parseLevel(level)
	if err != nil {
		return nil, err
	}
	c := zap.NewProductionConfig()
	c.Level = zap.NewAtomicLevelAt(l)
	c.Sampling = nil
	c.DisableStacktrace = true
	c.EncoderConfig.EncodeTime = zapcore.RFC3339NanoTimeEncoder
	log, err := c.Build()
	if err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	return log, nil
}

// parseLevel reads the name of a level.
func parseLevel(name string) (zapcore.Level, error) {
	l, err := zapcore.ParseLevel(name)
	if err != nil || l > zapcore.ErrorLevel {
		return l, fmt.Errorf("log: want debug, info, warn or error, got %q", name)
	}
	return l, nil
}
