package drive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// company gives the processes left of the group. Its usual answer, none, costs one system call.
func (t traces) company() []leftover {
	if t.group <= 1 || errors.Is(syscall.Kill(-t.group, 0), syscall.ESRCH) {
		return nil
	}
	return traces{group: t.group}.find()
}

// find looks through /proc for living processes that we started: of our own user, younger than this process, and in the group or with the
// marks in their environment, which a process hands on to all that it starts, whatever groups and sessions they flee into. In doubt
// a process is not ours: one that stays is a nuisance, one of somebody else's that is killed is a disaster.
func (t traces) find() (found []leftover) {
	entries, err := os.ReadDir("/proc")
	self, ok := statOf(os.Getpid())
	if err != nil || !ok {
		return nil
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid <= 1 || pid == os.Getpid() || !ours(e) {
			continue
		}
		s, ok := statOf(pid)
		if ok && s.alive && s.started > self.started && (t.owns(s) || t.marked(pid)) {
			found = append(found, leftover{pid, command(pid)})
		}
	}
	return found
}

func ours(e os.DirEntry) bool {
	info, err := e.Info()
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// procStat is what matters here of /proc/PID/stat.
type procStat struct {
	group   int
	started uint64 // clock ticks since the machine began
	alive   bool   // a zombie is not: it only waits for its parent to look
}

// statOf reads "PID (name) state parent group ... started ...", where the name may hold anything, brackets too (proc(5), fields 3, 5 and 22).
func statOf(pid int) (s procStat, ok bool) {
	text := string(procFile(pid, "stat"))
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) < 20 {
		return s, false
	}
	s.alive = fields[0] != "Z" && fields[0] != "X"
	group, err := strconv.Atoi(fields[2])
	started, startErr := strconv.ParseUint(fields[19], 10, 64)
	s.group, s.started = group, started
	return s, err == nil && startErr == nil
}

// owns tells whether a process is of the group, which is neither 0 or 1, that are none, nor the one we are in ourselves.
func (t traces) owns(s procStat) bool {
	return t.group > 1 && t.group != syscall.Getpgrp() && s.group == t.group
}

// marked tells whether a process carries the marks. Traces without the mark of a play mark nobody.
func (t traces) marked(pid int) bool {
	if len(t.mark) < len(newKey()) {
		return false
	}
	environ := append([]byte{0}, procFile(pid, "environ")...)
	has := func(variable string) bool { return bytes.Contains(environ, []byte("\x00"+variable+"\x00")) }
	return has(markName+t.mark) && (t.operation == "" || has("BROWNOUT_OPERATION="+string(t.operation)))
}

// command is a process's command line, short enough for a message.
func command(pid int) string {
	line := strings.TrimSpace(strings.ReplaceAll(string(procFile(pid, "cmdline")), "\x00", " "))
	if line == "" {
		line = strings.TrimSpace(string(procFile(pid, "comm")))
	}
	if len(line) > toldWidth {
		line = line[:toldWidth] + "..."
	}
	return line
}

// procLimit is more than the longest environment that we hand to a process.
const procLimit = 1 << 20

// procFile gives what /proc tells of a process; nothing, if it has gone or is not ours to see.
func procFile(pid int, name string) []byte {
	f, err := os.Open(fmt.Sprintf("/proc/%d/%s", pid, name))
	if err != nil {
		return nil
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, procLimit))
	return text
}

// rounds is how often kill looks again: a process may start another one while it is being killed.
const rounds = 10

// kill ends all that find finds, and gives their names once they are gone.
func (t traces) kill() (killed []leftover) {
	seen := map[int]bool{}
	for range rounds {
		found := t.find()
		if len(found) == 0 {
			break
		}
		for _, l := range found {
			if !seen[l.pid] {
				seen[l.pid] = true
				killed = append(killed, l)
			}
			_ = syscall.Kill(l.pid, syscall.SIGKILL)
		}
		time.Sleep(glance)
	}
	return killed
}
