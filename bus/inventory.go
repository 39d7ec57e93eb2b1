package bus

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"
)

// inventoryFile lists the files of messages as an orderly stop left them, by path
// below the store, with their sizes in bytes. It is there between a stop and the next
// start: the server takes a file that was cut off meanwhile for whole, and passes over
// what is missing.
const (
	inventoryFile = "blocks.json"
	formerFile    = "blocks.was" // the same while the server runs: of no use, and its space is not given free
)

// takeInventory writes down what the server left.
func takeInventory(dir string) error {
	list, err := blocks(dir)
	if err != nil {
		return err
	}
	sizes := make(map[string]int64, len(list))
	for _, b := range list {
		name, err := filepath.Rel(dir, b.file)
		if err != nil {
			return err
		}
		sizes[name] = b.size
	}
	data, err := json.Marshal(sizes)
	if err != nil {
		return err
	}
	former := filepath.Join(dir, formerFile)
	if err := os.WriteFile(former, data, 0o600); err != nil {
		return err
	}
	return os.Rename(former, filepath.Join(dir, inventoryFile))
}

// forgetInventory puts aside how the files were: from now on they change.
func forgetInventory(dir string) error {
	err := os.Rename(filepath.Join(dir, inventoryFile), filepath.Join(dir, formerFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// compareInventory names what is missing since the last stop, if that was an orderly one.
func compareInventory(dir string) (missing []string, err error) {
	path := filepath.Join(dir, inventoryFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var sizes map[string]int64
	if json.Unmarshal(data, &sizes) != nil {
		sizes = nil // cut off itself: it says nothing
	}
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		size := sizes[name]
		info, err := os.Stat(filepath.Join(dir, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, fmt.Sprintf("%s of stream %s is gone since the last stop: its messages are lost", filepath.Base(name), streamOfBlock(name)))
		case err != nil:
			return nil, err
		case info.Size() < size:
			missing = append(missing, fmt.Sprintf("%s of stream %s was cut off since the last stop, from %d to %d bytes: messages in it are lost",
				filepath.Base(name), streamOfBlock(name), size, info.Size()))
		}
	}
	return missing, nil
}

// streamOfBlock is the stream that a file of messages belongs to.
func streamOfBlock(file string) string { return filepath.Base(filepath.Dir(filepath.Dir(file))) }
