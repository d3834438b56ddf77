//go:build unix

package drive

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
)

// childHello is what a child says of itself where a test does not have it say something else.
const childHello = `{"type":"hello","name":"child","version":"1","features":["cancel","policy"]}`

// beJSONL is a jsonl client. It does with a call what the call's method says, to begin with nothing else: args are its hello, and what it does
// before that.
func beJSONL(file string, args []string) int {
	a := &jsonlChild{file: file, pending: map[string]bool{}}
	hello := childHello
	if len(args) > 0 {
		hello = args[0]
	}
	for _, before := range args[min(1, len(args)):] {
		a.obey(before, "", nil)
	}
	if hello != "" {
		fmt.Println(hello)
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		var m struct {
			Type, ID, Method, Body string
		}
		if err != nil {
			if a.deaf {
				time.Sleep(aeon)
			}
			return 0
		}
		json.Unmarshal(line, &m)
		switch m.Type {
		case "call":
			a.expect(m.ID)
			a.obey(m.Method, m.ID, line)
		case "cancel":
			if !a.deaf {
				a.answer(m.ID, "unknown", "cancelled")
			}
		case "bye":
			if a.deaf {
				continue
			}
			for i := range childCalls {
				a.answer(fmt.Sprintf("c%d", i), "unknown", "bye")
			}
		}
	}
}

type jsonlChild struct {
	file   string
	deaf   bool // to cancel and bye
	serial bool // takes one call at a time

	mu      sync.Mutex
	pending map[string]bool // asked and not answered
}

func (a *jsonlChild) forget(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.pending, id)
}

func (a *jsonlChild) expect(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pending[id] = true
}

// childCalls is more than a child is ever asked for.
const childCalls = 1000

// serialTimeout is a client's own patience with a dependency that does not answer.
const serialTimeout = time.Second

// answer answers a call, unless it has been answered.
func (a *jsonlChild) answer(id, outcome, why string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.pending[id] {
		return
	}
	delete(a.pending, id)
	line, _ := json.Marshal(map[string]any{"type": "result", "id": id, "outcome": outcome, "body": fmt.Sprint(os.Getpid()), "error": why})
	fmt.Println(string(line))
}

// obey does what a method says; its argument follows a blank.
func (a *jsonlChild) obey(method, id string, line []byte) {
	verb, arg, _ := strings.Cut(method, " ")
	ok := func() { a.answer(id, "ok", "") }
	switch verb {
	case "OK":
		ok()
	case "TELL": // the line as it came
		a.forget(id)
		body, _ := json.Marshal(string(line))
		fmt.Printf("{\"type\":\"result\",\"id\":%q,\"outcome\":\"ok\",\"body\":%s}\n", id, body)
	case "SAY": // as it is, but for the call's id
		a.forget(id)
		fmt.Println(strings.ReplaceAll(arg, "ID", id))
	case "LATIN-1":
		fmt.Printf("{\"type\":\"result\",\"id\":%q,\"outcome\":\"ok\",\"body\":\"\xe9\"}\n", id)
	case "LENGTH":
		a.answer(id, "ok", fmt.Sprint(len(line)))
	case "LONG":
		fmt.Printf(`{"type":"result","id":%q,"outcome":"ok","body":"`, id)
		io.CopyN(os.Stdout, letters{}, 10<<20)
		fmt.Println(`"}`)
	case "ENDLESS":
		io.Copy(os.Stdout, letters{})
	case "HELLO-WITH-PID":
		fmt.Printf("{\"type\":\"hello\",\"name\":\"child\",\"version\":\"%d\"}\n", os.Getpid())
	case "FORESEE": // says it when the test says so, and reads nothing meanwhile
		os.WriteFile(a.file, nil, 0o600)
		await(a.file + ".go")
		fmt.Println(arg)
	case "GET": // as a client would
		var call struct{ URL string }
		json.Unmarshal(line, &call)
		do := func() {
			outcome := "failed"
			if reply, err := (&http.Client{Timeout: serialTimeout}).Get(call.URL); err == nil {
				if reply.Body.Close(); reply.StatusCode == http.StatusOK {
					outcome = "ok"
				}
			}
			a.answer(id, outcome, "")
		}
		if a.serial {
			do()
		} else {
			go do()
		}
	case "SERIAL":
		a.serial = true
	case "WORDS": // on stderr, before the answer
		fmt.Fprintln(os.Stderr, arg)
		ok()
	case "FLOOD":
		noise := bytes.Repeat([]byte("all work and no play\n"), 1000)
		for {
			os.Stderr.Write(noise)
		}
	case "NOISE": // lines and lines that make no sense
		noise := bytes.Repeat([]byte("{}\n"), 1000)
		for {
			os.Stdout.Write(noise)
		}
	case "WAIT": // until the call is cancelled
		os.WriteFile(a.file, nil, 0o600)
	case "DEAF": // as WAIT, and does not hear of an end either
		a.deaf = true
		os.WriteFile(a.file, nil, 0o600)
	case "ALL": // answers all that has been asked, the last one first
		for i := childCalls; i > 0; i-- {
			a.answer(fmt.Sprintf("c%d", i), "ok", "")
		}
	case "AGAIN":
		ok()
		a.expect(id)
		ok()
	case "EXIT":
		fmt.Fprintln(os.Stderr, "Traceback: ValueError: invalid literal for int()")
		code := 0
		fmt.Sscan(arg, &code)
		os.Exit(code)
	case "ANSWER-AND-EXIT":
		ok()
		os.Exit(0)
	case "CRASH":
		fmt.Print(`{"type":"result","id":"`)
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "HANG":
		os.WriteFile(a.file, nil, 0o600)
		time.Sleep(aeon)
	case "STAY": // whatever is said and signalled
		signal.Ignore(syscall.SIGTERM)
		ok()
		time.Sleep(aeon)
	case "CLOSE-STDOUT":
		os.Stdout.Close()
		time.Sleep(aeon)
	case "CLOSE-STDIN":
		os.Stdin.Close()
		ok()
		time.Sleep(aeon)
	case "LEAVE-CHILD":
		leave(a.file, os.Stdout, nil, nil)
		ok()
	case "LEAVE-SESSION":
		leave(a.file, os.Stdout, nil, &syscall.SysProcAttr{Setsid: true})
		ok()
	case "LEAVE-DAEMON":
		leave(a.file, nil, nil, &syscall.SysProcAttr{Setsid: true})
		ok()
	default:
		fmt.Fprintln(os.Stderr, "unknown method", method)
		os.Exit(99)
	}
}
