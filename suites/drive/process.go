//go:build unix

package drive

import (
	"context"
	"os"
	"os/exec"
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
