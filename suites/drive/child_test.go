//go:build unix

package drive

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain makes this test binary its own test client: called as "drive.test be MODE FILE" it behaves as the mode says. FILE is unique to
// a test, so that its processes can be told from all others, and is created once the mode has taken its stand.
func TestMain(m *testing.M) {
	if len(os.Args) > 3 && os.Args[1] == "be" {
		os.Exit(be(os.Args[2], os.Args[3]))
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // or each child of a race-checked binary takes a second to end
	os.Exit(m.Run())
}

// child is the command line of a client that behaves as mode says.
func child(mode, file string, more ...string) []string {
	return append([]string{os.Args[0], "be", mode, file}, more...)
}

const (
	okLine     = `{"outcome":"ok","status":201,"body":"hello"}`
	failedLine = `{"outcome":"failed","status":404}`
	// aeon is how long a child hangs that nobody ends: longer than a test, short enough that one which escapes does not stay for ever.
	aeon = 2 * time.Minute
)

func be(mode, file string) int {
	ready := func() { // whole at once, for whoever waits for it
		os.WriteFile(file+".new", []byte(strconv.Itoa(os.Getpid())), 0o600)
		os.Rename(file+".new", file)
	}
	hang := func() { ready(); time.Sleep(aeon) }
	switch mode {
	case "exit":
		fmt.Fprintln(os.Stderr, "curl: (22) the requested URL returned error: 502")
		code := 0
		fmt.Sscan(os.Args[4], &code)
		return code
	case "kill-itself":
		syscall.Exec("/bin/sh", []string{"sh", "-c", "kill -" + os.Args[4] + " $$"}, os.Environ()) // Go's runtime takes most signals for itself
	case "crash":
		fmt.Println(okLine[:12])
		syscall.Kill(os.Getpid(), syscall.SIGABRT)
		hang()
	case "say": // each further argument is written as it is
		for _, text := range os.Args[4:] {
			os.Stdout.WriteString(text)
		}
	case "say-and-fail":
		fmt.Println(os.Args[4])
		return 7
	case "say-on-term":
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGTERM)
		ready()
		<-c
		fmt.Println(`{"outcome":"unknown","error":"told to stop"}`)
	case "quit-on-term": // without a word, and with exit status 0
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGTERM)
		ready()
		<-c
	case "hang":
		hang()
	case "hang-after-answer":
		fmt.Println(okLine)
		hang()
	case "ignore-term":
		signal.Ignore(syscall.SIGTERM)
		fmt.Println("I shall not be moved")
		hang()
	case "flood":
		to := map[string]*os.File{"stdout": os.Stdout, "stderr": os.Stderr}[os.Args[4]]
		line := bytes.Repeat([]byte("all work and no play\n"), 1000)
		for {
			to.Write(line)
		}
	case "binary":
		junk := make([]byte, 64<<10)
		for i := range junk {
			junk[i] = byte(i * 7)
		}
		os.Stdout.Write(junk)
	case "long-line":
		io.CopyN(os.Stdout, letters{}, 10<<20)
		fmt.Println()
		fmt.Println(okLine)
	case "long-answer":
		fmt.Print(`{"outcome":"ok","body":"`)
		io.CopyN(os.Stdout, letters{}, 10<<20)
		fmt.Println(`"}`)
	case "leave-child": // in the group, with our streams
		leave(file, os.Stdout, os.Environ(), nil)
		fmt.Println(okLine)
	case "leave-session": // out of the group, with our streams
		leave(file, os.Stdout, os.Environ(), &syscall.SysProcAttr{Setsid: true})
		fmt.Println(okLine)
	case "leave-daemon": // out of the group, without our streams
		leave(file, nil, os.Environ(), &syscall.SysProcAttr{Setsid: true})
		fmt.Println(okLine)
	case "leave-stranger": // as leave-session, without our environment
		leave(file, os.Stdout, []string{}, &syscall.SysProcAttr{Setsid: true})
		fmt.Println(okLine)
	case "close-stdin":
		os.Stdin.Close()
		fmt.Println(okLine)
	case "read-nothing":
		fmt.Println(okLine)
	case "read-nothing-and-hang":
		hang()
	case "tell": // what it was given
		body, err := io.ReadAll(os.Stdin)
		if err != nil {
			return 1
		}
		given := map[string]any{"argv": os.Args[4:], "stdin": fmt.Sprintf("%d %x", len(body), sha256.Sum256(body))}
		for _, v := range os.Environ() {
			if name, value, _ := strings.Cut(v, "="); strings.HasPrefix(name, "BROWNOUT_") {
				given[name] = value
			}
		}
		text, _ := json.Marshal(given)
		answer, _ := json.Marshal(map[string]any{"outcome": "ok", "body": string(text)})
		fmt.Println(string(answer))
	case "jsonl":
		return beJSONL(file, os.Args[4:])
	case "get":
		return get(os.Args[4])
	case "census": // how many of us are at work
		mine := filepath.Join(filepath.Dir(file), fmt.Sprintf("at-work-%d", os.Getpid()))
		os.WriteFile(mine, nil, 0o600)
		time.Sleep(30 * time.Millisecond) // so that others have the chance to be seen; nothing is judged on it
		all, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "at-work-*"))
		os.Remove(mine)
		fmt.Printf("{\"outcome\":\"ok\",\"body_bytes\":%d,\"body_sha256\":\"%064d\"}\n", len(all), 0)
	default:
		fmt.Fprintln(os.Stderr, "unknown mode", mode)
		return 99
	}
	return 0
}

// leave starts a child that outlives its parent, and waits until it has taken its stand.
func leave(file string, stdout *os.File, environ []string, a *syscall.SysProcAttr) {
	argv := child("hang", file)
	c := exec.Command(argv[0], argv[1:]...)
	if stdout != nil {
		c.Stdout = stdout
	}
	c.Env, c.SysProcAttr = environ, a
	c.Start()
	await(file)
}

// await returns when the file is there; a child that never comes so far fails its test, not the machine.
func await(file string) {
	for range int(aeon / (5 * time.Millisecond)) {
		if _, err := os.Stat(file); err == nil {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// processesWith gives the living processes that have a word in their command line. It looks for itself: what it checks is our own looking.
func processesWith(word string) (found []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		line, _ := os.ReadFile(f)
		if slices.Contains(strings.Split(string(line), "\x00"), word) && f != fmt.Sprintf("/proc/%d/cmdline", os.Getpid()) {
			found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}
