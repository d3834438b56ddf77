package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMain makes this test binary its own client under test, called as "brownout.test be MODE", and builds the command once, for what
// needs a process of its own: signals, pipes, terminals, JUnit.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "be" {
		os.Exit(be(os.Args[2]))
	}
	os.Exit(prepared(m))
}

func prepared(m *testing.M) int {
	flag.Parse()
	if many := flag.Lookup("test.parallel"); many.Value.String() == many.DefValue {
		flag.Set(many.Name, "8") // runs mostly wait for their quiet windows
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	dir, err := os.MkdirTemp("", "brownout-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	built := filepath.Join(dir, "brownout")
	build := exec.Command("go", "build", "-race="+strconv.FormatBool(raced), "-o", built, ".")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v: %v\n%s", build, err, out)
		return 1
	}
	os.Setenv("E2E_COMMAND", built)
	return m.Run()
}

// hangGuard ends a command that hangs. Nothing else depends on it.
const hangGuard = 3 * time.Minute

// ended is what came of a command line.
type ended struct {
	code     int
	out, err string
}

// said runs a command line inside this process: for what needs no other.
func said(t *testing.T, args ...string) ended {
	t.Helper()
	var out, errOut bytes.Buffer
	code := execute(t.Context(), args, &out, &errOut)
	return ended{code, out.String(), errOut.String()}
}

// process is the built command at work, known by a mark in the environment of all that it starts.
type process struct {
	*exec.Cmd
	t        *testing.T
	mark     string
	temp     string // its folder for temporary files
	out, err written
	ready    string // the file that a client creates once it hangs
}

// written is what a process has written so far. It is safe for concurrent use.
type written struct {
	mu   sync.Mutex
	text []byte
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text = append(w.text, p...)
	return len(p), nil
}

func (w *written) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return string(w.text)
}

// brownout makes a process that is not started yet.
func brownout(t *testing.T, args ...string) *process {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), hangGuard)
	t.Cleanup(cancel)
	p := &process{
		Cmd: exec.CommandContext(ctx, os.Getenv("E2E_COMMAND"), args...), t: t,
		mark: "E2E_MARK=" + rand.Text(), temp: t.TempDir(), ready: filepath.Join(t.TempDir(), "ready"),
	}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "NO_COLOR=") && !strings.HasPrefix(v, "TERM=") {
			p.Env = append(p.Env, v)
		}
	}
	p.Env = append(p.Env, p.mark, "TMPDIR="+p.temp, "E2E_READY="+p.ready)
	p.Stdout, p.Stderr = &p.out, &p.err
	p.WaitDelay = hangGuard
	return p
}

// wait gives what came of it, once nothing of it is left.
func (p *process) wait() ended {
	p.t.Helper()
	err := p.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatalf("%v: %v", p.Args, err)
	}
	p.nothingLeft()
	e := ended{p.ProcessState.ExitCode(), p.out.String(), p.err.String()}
	for _, never := range []string{"panic:", "goroutine ", "DATA RACE"} {
		if strings.Contains(e.err, never) {
			p.t.Errorf("got %q on stderr, want none:\n%s", never, e.err)
		}
	}
	return e
}

// ran runs the built command to its end.
func ran(t *testing.T, args ...string) ended {
	t.Helper()
	return brownout(t, args...).ran()
}

func (p *process) ran() ended {
	p.t.Helper()
	p.begin()
	return p.wait()
}

func (p *process) begin() {
	p.t.Helper()
	if err := p.Start(); err != nil {
		p.t.Fatal(err)
	}
}

// shows waits until stderr has a text.
func (p *process) shows(text string) {
	p.t.Helper()
	p.eventually(fmt.Sprintf("%q on stderr", text), func() bool { return strings.Contains(p.err.String(), text) })
}

// hangs waits until a client hangs.
func (p *process) hangs() {
	p.t.Helper()
	p.eventually("a client that hangs", func() bool { _, err := os.Stat(p.ready); return err == nil })
}

// eventually waits for what comes sooner or later.
func (p *process) eventually(what string, came func() bool) {
	p.t.Helper()
	const glance = 10 * time.Millisecond
	for waited := time.Duration(0); waited < hangGuard; waited += glance {
		if came() {
			return
		}
		time.Sleep(glance)
	}
	p.Process.Kill()
	p.t.Fatalf("%s did not come; stderr so far:\n%s", what, p.err.String())
}

// nothingLeft wants no process with the mark and no temporary file. A process that was killed may take a moment to be gone.
func (p *process) nothingLeft() {
	p.t.Helper()
	const patience, glance = 10 * time.Second, 20 * time.Millisecond
	left := marked(p.t, p.mark)
	for waited := time.Duration(0); len(left) > 0 && waited < patience; waited += glance {
		time.Sleep(glance)
		left = marked(p.t, p.mark)
	}
	for _, pid := range left {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		p.t.Errorf("process %d is left running: %q", pid, line)
		if own, err := os.FindProcess(pid); err == nil {
			own.Kill()
		}
	}
	files, err := os.ReadDir(p.temp)
	if err != nil || len(files) > 0 {
		p.t.Errorf("got temporary files %v (%v), want none left", files, err)
	}
}

// marked lists the living processes that have the mark in their environment. A zombie has none.
func marked(t *testing.T, mark string) (pids []int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Skip("processes cannot be looked for:", err)
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		environ, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if bytes.Contains(append([]byte{0}, environ...), []byte("\x00"+mark+"\x00")) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// client is the command line of a client that behaves as mode says.
func client(mode string, flags ...string) []string {
	return append(append([]string{"run", "--exec"}, flags...), "--", os.Args[0], "be", mode)
}
