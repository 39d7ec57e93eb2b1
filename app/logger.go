package app

import (
	"fmt"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// NewLogger returns a JSON logger on standard error that keeps the given level
// and above: debug, info, warn or error.
func NewLogger(level string) (*zap.Logger, error) {
	l, err := zapcore.ParseLevel(level)
	if err != nil {
		return nil, fmt.Errorf("log level %q: want debug, info, warn or error", level)
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
