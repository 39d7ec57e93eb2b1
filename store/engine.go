package store

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
)

// Sizes of the engine. A transaction may take 15 % of a memtable.
const (
	memtable   = 32 << 20
	memtables  = 2        // one being written, one on its way to disk
	blockCache = 8 << 20  // decrypted blocks
	indexCache = 64 << 20 // decrypted table indexes with their bloom filters; all of them must fit
	valueFile  = 16 << 20 // file for the rare values of a megabyte and more
)

func openEngine(o Options) (db *badger.DB, err error) {
	if len(o.Key) != 32 {
		return nil, fmt.Errorf("the key has %d bytes, want 32", len(o.Key))
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, known(err)
	}
	log := &engineLog{write: o.Logger}
	defer func() { // the engine panics on some broken tables
		if cause := recover(); cause != nil {
			db, err = nil, fmt.Errorf("%w: reading the tables failed", ErrDamaged)
		}
	}()
	db, err = badger.Open(engineOptions(o, log))
	if err != nil {
		return nil, opening(o.Dir, err)
	}
	if log.lost.Load() {
		return nil, closing(db, fmt.Errorf("%w: a table was left out", ErrDamaged))
	}
	return db, nil
}

func engineOptions(o Options, log *engineLog) badger.Options {
	return badger.DefaultOptions(o.Dir).
		WithLogger(log).
		WithMetricsEnabled(false).
		WithEncryptionKey(o.Key).
		WithSyncWrites(false). // the log is the truth; see tail for the one hole this leaves
		WithDetectConflicts(false).
		WithNumVersionsToKeep(1).
		WithMemTableSize(memtable).
		WithNumMemtables(memtables).
		WithNumCompactors(2). // the least the engine accepts
		WithBlockCacheSize(blockCache).
		WithIndexCacheSize(indexCache).
		WithValueLogFileSize(valueFile).
		WithCompression(options.Snappy).
		WithChecksumVerificationMode(options.OnBlockRead)
}

// Collect gives back the disk space of large values that were replaced. It may
// take seconds and runs beside reading and writing.
func (s *Store) Collect() error {
	for {
		switch err := s.db.RunValueLogGC(0.5); err {
		case nil:
		case badger.ErrNoRewrite, badger.ErrRejected:
			return nil
		default:
			return fmt.Errorf("collect garbage: %w", plain(err))
		}
	}
}

// engineLog passes on what the engine warns about.
type engineLog struct {
	write func(string)
	lost  atomic.Bool // a table was left out
}

// Errorf passes an error on.
func (l *engineLog) Errorf(format string, args ...any) {
	if strings.HasPrefix(format, "Ignoring table") {
		l.lost.Store(true)
	}
	l.Warningf(format, args...)
}

// Warningf passes a warning on, without the keys it may quote.
func (l *engineLog) Warningf(format string, args ...any) {
	if l.write == nil {
		return
	}
	if strings.Contains(strings.ToLower(format), "key") {
		l.write("badger: " + strings.TrimSpace(format))
		return
	}
	l.write("badger: " + strings.TrimSpace(fmt.Sprintf(format, args...)))
}

// Infof drops what is normal.
func (*engineLog) Infof(string, ...any) {}

// Debugf drops what is normal.
func (*engineLog) Debugf(string, ...any) {}
