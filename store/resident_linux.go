package store

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// adviceOut is MADV_PAGEOUT: hand pages back without changing what they hold.
const adviceOut = 21

// unload hands back the memory through which finished tables and large values were
// written. The engine maps its files and never lets go of a page it has touched; the
// blocks in use are cached decrypted anyway. The advice changes no contents, so it does no
// harm where a mapping has gone meanwhile and another one taken its place.
func unload(dir string) error {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return known(err)
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("find the tables' folder: %w", err)
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return nil // not to be had here, and not needed
	}
	defer func() { _ = maps.Close() }()
	lines := bufio.NewScanner(maps)
	for lines.Scan() {
		if from, size, ok := engineMapping(dir, lines.Text()); ok {
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, size, adviceOut) // only advice
		}
	}
	return nil
}

// engineMapping reads a line of the memory map: "from-to flags offset device inode path".
func engineMapping(dir, line string) (from, size uintptr, ok bool) {
	span, rest, _ := strings.Cut(line, " ")
	if !strings.Contains(rest, " "+dir+"/") || !strings.HasSuffix(rest, ".sst") && !strings.HasSuffix(rest, ".vlog") {
		return 0, 0, false
	}
	begin, end, _ := strings.Cut(span, "-")
	a, errA := strconv.ParseUint(begin, 16, 64)
	b, errB := strconv.ParseUint(end, 16, 64)
	return uintptr(a), uintptr(b - a), errA == nil && errB == nil
}
