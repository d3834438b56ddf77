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
	if errors.Is(syscall.Kill(-t.group, 0), syscall.ESRCH) {
		return nil
	}
	return traces{group: t.group}.find()
}

// find looks through /proc for living processes of our own user that belong to the group or carry the marks in their environment, which
// a process hands on to all that it starts, whatever groups and sessions they flee into.
func (t traces) find() (found []leftover) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() || !ours(e) {
			continue
		}
		group, alive := status(pid)
		if alive && (t.group != 0 && group == t.group || t.mark != "" && t.marked(pid)) {
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

// status reads a process's group from /proc/PID/stat: "PID (name) state parent group ...". The name may hold anything, brackets too. A
// zombie is not alive: it only waits for its parent to look.
func status(pid int) (group int, alive bool) {
	text := string(procFile(pid, "stat"))
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) < 3 {
		return 0, false
	}
	group, err := strconv.Atoi(fields[2])
	return group, err == nil && fields[0] != "Z" && fields[0] != "X"
}

func (t traces) marked(pid int) bool {
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
