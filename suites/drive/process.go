package drive

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// process is one exec client at work on one operation.
//
//	start ─▶ untilOver: it ends, or is ended ─▶ tidy: its group and its streams end ─▶ result
type process struct {
	cmd       *exec.Cmd
	group     int // its process group; the leader is itself
	out, errs *stream
	ends      [3]*os.File // ours: of stdin, stdout, stderr
	flooded   chan string // the stream that was a flood
	heard     chan struct{}
	exited    chan struct{}

	// Written before exited is closed.
	began, ended time.Time
	gaveUp       bool
	err          error // of Wait

	stuck bool // not even SIGKILL ended it
	flood string
}

// start starts the process and everything that listens to it.
func start(ctx context.Context, cmd *exec.Cmd, body []byte, flood int64) (*process, error) {
	p := &process{
		cmd:     cmd,
		flooded: make(chan string, 2),
		heard:   make(chan struct{}),
		exited:  make(chan struct{}),
	}
	p.out = &stream{name: "stdout", flood: flood, flooded: func() { p.flooded <- "stdout" }, answer: &answer{}}
	p.errs = &stream{name: "stderr", flood: flood, flooded: func() { p.flooded <- "stderr" }}

	// Pipes of our own: those of os/exec make Wait wait for whoever holds them open.
	theirs, err := p.pipes()
	defer closeAll(theirs[:])
	if err != nil {
		closeAll(p.ends[:])
		return nil, err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs[0], theirs[1], theirs[2]
	cmd.SysProcAttr = ownGroup()
	p.began = time.Now()
	if err := cmd.Start(); err != nil {
		closeAll(p.ends[:])
		return nil, err
	}
	p.group = cmd.Process.Pid
	go func() {
		p.ends[0].Write(body) // a client that reads less than all of it, or nothing, is free to
		p.ends[0].Close()
	}()
	go func() {
		defer close(p.heard)
		both := make(chan struct{})
		go func() { p.errs.hear(p.ends[2]); close(both) }()
		p.out.hear(p.ends[1])
		<-both
	}()
	go func() {
		p.err = cmd.Wait()
		p.ended, p.gaveUp = time.Now(), ctx.Err() != nil
		close(p.exited)
	}()
	return p, nil
}

// pipes opens the three streams and gives the process's ends of them.
func (p *process) pipes() (theirs [3]*os.File, err error) {
	if theirs[0], p.ends[0], err = os.Pipe(); err != nil {
		return theirs, err
	}
	if p.ends[1], theirs[1], err = os.Pipe(); err != nil {
		return theirs, err
	}
	p.ends[2], theirs[2], err = os.Pipe()
	return theirs, err
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close() // of a nil file: an error, and no harm
	}
}

// reaping is how long a process that got SIGKILL may take to be gone: only one that hangs inside the kernel takes longer than a moment.
const reaping = 5 * time.Second

// untilOver waits until the process has ended, and ends it when ctx does or when it floods a stream.
func (p *process) untilOver(ctx context.Context, grace time.Duration) {
	select {
	case <-p.exited:
		return
	case p.flood = <-p.flooded:
	case <-ctx.Done():
		signalGroup(p.group, syscall.SIGTERM)
		timer := time.NewTimer(grace)
		defer timer.Stop()
		select {
		case <-p.exited:
			return
		case p.flood = <-p.flooded:
		case <-timer.C:
		}
	}
	signalGroup(p.group, syscall.SIGKILL)
	timer := time.NewTimer(reaping)
	defer timer.Stop()
	select {
	case <-p.exited:
	case <-timer.C:
		p.stuck = true
	}
}

// How long a process that has ended may leave company behind: helpers of a runtime notice that their parent has gone, and go too.
const (
	stragglers = 500 * time.Millisecond
	glance     = 20 * time.Millisecond // between two looks
)

// tidy waits until nothing of the process is left, or sees to it. held tells that a stream was kept open by somebody who was not found.
func (p *process) tidy(t traces) (left []leftover, held bool) {
	p.ends[0].Close()
	for waited := time.Duration(0); waited < stragglers; waited += glance {
		if !p.quiet(glance) {
			continue
		}
		if len(t.company()) == 0 {
			return nil, false
		}
		time.Sleep(glance)
	}
	left = t.kill()
	held = !p.quiet(stragglers)
	closeAll(p.ends[1:])
	<-p.heard
	return left, held
}

// quiet tells whether both streams have come to their end, within d.
func (p *process) quiet(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.heard:
		return true
	case <-timer.C:
		return false
	}
}

// result puts together what the process said and what it left.
func (p *process) result(left []leftover, held bool) Result {
	r := Result{Outcome: Error, Began: p.began, Ended: time.Now(), GaveUp: true}
	r.LastWords = strings.TrimSuffix(p.out.words()+p.errs.words(), "\n")
	var troubles []string
	complain := func(format string, args ...any) { troubles = append(troubles, fmt.Sprintf(format, args...)) }
	if p.stuck {
		complain("process %d could not be killed", p.group)
	} else {
		r.Ended, r.GaveUp = p.ended, p.gaveUp
		if p.flood == "" {
			select {
			case p.flood = <-p.flooded: // it ended before we could end it
			default:
			}
		}
		p.outcome(&r, complain)
	}
	if len(left) > 0 {
		complain("left behind and killed: %s", names(left))
	} else if held {
		complain("a stream was held open after the end by a process that could not be found")
	}
	if len(troubles) > 0 {
		r.Trouble = strings.Join(troubles, "; ") + "\n" + r.LastWords
	}
	return r
}

// outcome reads the answer, or makes do with the exit status.
func (p *process) outcome(r *Result, complain func(string, ...any)) {
	said := *r
	answered, err := p.out.answer.result(&said)
	switch {
	case p.flood != "":
		complain("flooded %s: more than %d bytes", p.flood, p.out.flood)
	case err != nil:
		complain("%v", err)
	case answered:
		*r = said
	case r.GaveUp:
		r.Killed = true
		complain("did not come back, and was ended after %v (%v)", r.Ended.Sub(r.Began).Round(time.Millisecond), p.cmd.ProcessState)
	case p.err == nil:
		r.Outcome = OK
	default:
		r.Err = strings.TrimSuffix(p.err.Error()+": "+p.errs.lastLine(), ": ")
	}
}
