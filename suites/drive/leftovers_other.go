//go:build unix && !linux

package drive

import (
	"errors"
	"syscall"
)

// company tells whether anything is left of the group. Without /proc nobody can be named, and a process that left the group cannot be found.
func (t traces) company() []leftover {
	if t.group <= 1 || errors.Is(syscall.Kill(-t.group, 0), syscall.ESRCH) {
		return nil
	}
	return []leftover{{t.group, "the rest of process group"}}
}

// kill ends what is left of the group.
func (t traces) kill() []leftover {
	left := t.company()
	if len(left) > 0 {
		signalGroup(t.group, syscall.SIGKILL)
	}
	return left
}
