//go:build unix

package drive

import (
	"fmt"
	"strings"
	"syscall"

	"github.com/brownout-dev/brownout/faults"
)

// ownGroup makes a new process the leader of a group of its own. Where the kernel can do it, the process does not outlive this one, however
// this one ends; what it has started itself may.
func ownGroup() *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true}
	endWithUs(a)
	return a
}

// signalGroup signals all of a group; one that is gone already is no error. To kill(2), 0 and 1 would mean our own group and everybody.
func signalGroup(group int, s syscall.Signal) {
	if group > 1 {
		_ = syscall.Kill(-group, s)
	}
}

// traces are what the processes of a call, or of a whole play, are known by.
type traces struct {
	group     int                // the process group; 0 = none
	mark      string             // of the play, in their environment
	operation faults.OperationID // in their environment as well; "" = any
}

// leftover is a process that outlived the one we started.
type leftover struct {
	pid     int
	command string
}

func names(left []leftover) string {
	texts := make([]string, len(left))
	for i, l := range left {
		texts[i] = fmt.Sprintf("%q (pid %d)", l.command, l.pid)
	}
	return strings.Join(texts, ", ")
}
