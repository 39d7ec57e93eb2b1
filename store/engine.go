package store

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
)

// Sizes of the engine, in bytes unless said otherwise. A transaction may take 15 %
// of a memtable: 0.31 MB.
// Writing out a memtable or a table takes several times its size in memory, which
// the engine keeps eight times over while it is busy.
const (
	memtable   = 2 << 20
	memtables  = 2 // tables: one being written, one on its way to disk
	tableSize  = 1 << 20
	levelSize  = 64 << 20 // below this there is one level
	freshLimit = 12       // tables written out before they are merged into the levels
	stallLimit = 24       // tables written out before writers have to wait
	blockSize  = 4 << 10
	blockCache = 24 << 20 // decrypted blocks
	indexCache = 64 << 20 // decrypted table indexes with their bloom filters; all of them must fit
	largeValue = 1 << 10  // from here on a value lies beside the tables, as blocks and pages do: merging tables does not write it again
	valueFile  = 16 << 20 // file for such values
)

func openEngine(o Options) (*badger.DB, error) {
	if len(o.Key) != 32 {
		return nil, fmt.Errorf("the key has %d bytes, want 32", len(o.Key))
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, known(err)
	}
	log := &engineLog{write: o.Logger}
	opts := engineOptions(o, log)
	if err := cmp.Or(fits(opts), intact(opts), clearStubs(opts)); err != nil {
		return nil, err
	}
	db, err := badger.Open(opts)
	if err != nil {
		return nil, opening(o.Dir, err)
	}
	if log.lost.Load() {
		return nil, closing(db, fmt.Errorf("%w: a table was left out", ErrDamaged))
	}
	return db, nil
}

func engineOptions(o Options, log *engineLog) badger.Options {
	opts := badger.DefaultOptions(o.Dir).
		WithLogger(log).
		WithMetricsEnabled(false).
		WithEncryptionKey(o.Key).
		WithSyncWrites(false). // the log is the truth; see tail for the one hole this leaves
		WithDetectConflicts(false).
		WithNumVersionsToKeep(1).
		WithMemTableSize(memtable).
		WithNumMemtables(memtables).
		WithBaseTableSize(tableSize).
		WithBaseLevelSize(levelSize).
		WithNumLevelZeroTables(freshLimit).
		WithNumLevelZeroTablesStall(stallLimit).
		WithBlockSize(blockSize).
		WithNumCompactors(2). // the least the engine accepts
		WithBlockCacheSize(blockCache).
		WithIndexCacheSize(indexCache).
		WithValueLogFileSize(valueFile).
		WithValueThreshold(largeValue).
		WithCompression(options.None). // what is large is compressed already
		WithChecksumVerificationMode(options.OnBlockRead)
	opts.TableSizeMultiplier = 1
	if o.InClear {
		opts = opts.WithEncryptionKey(nil).WithCompression(options.None)
	}
	return opts
}

// Collect gives back the disk space of large values that were replaced, and memory
// that is only held because it was once used. It may take seconds, runs beside
// reading and writing, and is best called when there is little of either.
func (s *Store) Collect() error {
	for {
		err := s.db.RunValueLogGC(0.5)
		done := errors.Is(err, badger.ErrNoRewrite) || errors.Is(err, badger.ErrRejected)
		if err != nil && !done {
			return fmt.Errorf("collect garbage: %w", plain(err))
		}
		if err := unload(s.dir); done || err != nil { // a file at a time was read and written
			return err
		}
	}
}

// unloadAfter is how many bytes of its files the engine may have in memory that nobody
// needs any more.
const unloadAfter = 16 << 20

// around is how many bytes the system maps where a block is read.
const around = 64 << 10

// used notes that bytes of the engine's files were written or read, and unloads them
// when they are many.
func (s *Store) used(bytes int) {
	if s.mapped.Add(int64(bytes)) >= unloadAfter {
		s.mapped.Store(0)
		_ = unload(s.dir) // of no consequence but the memory
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
