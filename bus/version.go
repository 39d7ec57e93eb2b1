package bus

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// olderThan compares the major and minor parts of two server versions such as 2.15.2 or 2.12.0-RC.1.
func olderThan(a, b string) (bool, error) {
	aMajor, aMinor, err := majorMinor(a)
	if err != nil {
		return false, err
	}
	bMajor, bMinor, err := majorMinor(b)
	if err != nil {
		return false, err
	}
	return cmp.Or(cmp.Compare(aMajor, bMajor), cmp.Compare(aMinor, bMinor)) < 0, nil
}

func majorMinor(version string) (major, minor int, err error) {
	parts := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	if len(parts) == 3 {
		if major, err = strconv.Atoi(parts[0]); err == nil {
			minor, err = strconv.Atoi(parts[1])
		}
	}
	if len(parts) < 3 || err != nil {
		return 0, 0, fmt.Errorf("server version %q is not major.minor.patch", version)
	}
	return major, minor, nil
}
