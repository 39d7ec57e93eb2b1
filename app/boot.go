package app

import (
	"crypto/rand"
	"os"
	"strings"
)

// bootID names the time since which the machine is up. Where the system does not
// tell, every start counts as one after the machine was down.
func bootID() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return rand.Text()
	}
	return strings.TrimSpace(string(id))
}
