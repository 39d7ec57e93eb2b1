package bus

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nats-io/nats-server/v2/server"
)

// ErrStoreDamaged means that a stream on disk cannot be read.
var ErrStoreDamaged = errors.New("store is damaged")

// block is a file of messages of a stream.
type block struct {
	stream string
	file   string
	size   int64
	keyed  bool // its key is there
}

// blocks lists the files of messages below a store, whatever its path is called.
func blocks(dir string) ([]block, error) {
	names, err := fs.Glob(os.DirFS(dir), path.Join(server.JetStreamStoreDir, "*", "streams", "*", "msgs", "*.blk"))
	if err != nil {
		return nil, err
	}
	list := make([]block, 0, len(names))
	for _, name := range names {
		file := filepath.Join(dir, filepath.FromSlash(name))
		info, err := os.Stat(file)
		if err != nil {
			return nil, err
		}
		_, err = os.Stat(strings.TrimSuffix(file, ".blk") + ".key")
		list = append(list, block{streamOfBlock(file), file, info.Size(), err == nil})
	}
	return list, nil
}

// mend removes files of messages that were begun and have no key yet: there is no message in them. The
// server does not read a stream that has such a file, and would let us begin it anew.
func mend(dir string) error {
	list, err := blocks(dir)
	if err != nil {
		return err
	}
	for _, b := range list {
		switch {
		case b.keyed:
		case b.size > 0:
			return fmt.Errorf("%w: %s of stream %s has no key", ErrStoreDamaged, filepath.Base(b.file), b.stream)
		default:
			if err := os.Remove(b.file); err != nil {
				return err
			}
		}
	}
	return nil
}

// complete refuses a store of which the server left out a stream with messages: it goes on without, and
// whoever looks for the stream begins it anew.
func (s *Server) complete(dir string) error {
	list, err := blocks(dir)
	if err != nil {
		return err
	}
	all, err := s.nats.Jsz(&server.JSzOptions{Accounts: true, Streams: true})
	if err != nil {
		return fmt.Errorf("%w: list streams: %w", ErrServer, err)
	}
	var known []string
	for _, account := range all.AccountDetails {
		for _, stream := range account.Streams {
			known = append(known, stream.Name)
		}
	}
	for _, b := range list {
		if b.size > 0 && !slices.Contains(known, b.stream) {
			return fmt.Errorf("%w: the server cannot read stream %s", ErrStoreDamaged, b.stream)
		}
	}
	return nil
}
