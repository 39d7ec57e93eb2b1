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

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
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

// tellCut tells of files of messages that ended in the middle of one, which the server has cut off there.
// After a kill there is no inventory to compare them with. A file becomes shorter for better reasons too:
// the server knows.
func (s *Server) tellCut(nc *nats.Conn) error {
	asked := map[string]bool{}
	for _, b := range s.found {
		info, err := os.Stat(b.file)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() >= b.size || asked[b.stream] {
			continue
		}
		if err != nil {
			return err
		}
		asked[b.stream] = true
		lost, err := lostBytes(nc, b.stream)
		if err != nil {
			s.log.Warnf("whether messages of stream %s were lost is not known: %v", b.stream, err)
		}
		if lost > 0 {
			s.log.Warnf("%d bytes of stream %s could not be read and were cut off: messages are lost, unless the last stop was a kill in the middle of storing them",
				lost, b.stream)
		}
	}
	s.found = nil
	return nil
}

// lostBytes is what the server could not read of a stream.
func lostBytes(nc *nats.Conn, stream string) (uint64, error) {
	reply, err := nc.Request("$JS.API.STREAM.INFO."+stream, []byte(`{"deleted_details":true}`), commitTimeout)
	if err != nil {
		return 0, err
	}
	var answer struct {
		State struct {
			Lost struct {
				Bytes uint64 `json:"bytes"`
			} `json:"lost"`
		} `json:"state"`
	}
	err = json.Unmarshal(reply.Data, &answer)
	return answer.State.Lost.Bytes, err
}
