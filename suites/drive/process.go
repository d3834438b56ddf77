//go:build unix

package drive

import (
	"context"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// process is a program at work for us, the leader of a group of its own.
//
//	start ─▶ untilOver: it ends, or is ended ─▶ tidy: its group and its streams end
type process struct {
	cmd       *exec.Cmd
	group     int // its process group; the leader is itself
	out, errs *stream
	ends      [3]*os.File // ours: of stdin, stdout, stderr
	doomed    chan string // why it is to be killed at once
	heard     chan struct{}
	exited    chan struct{}

	// Written before exited is closed.
	began, ended time.Time
	gaveUp       bool
	err          error // of Wait

	// Written by untilOver.
	stuck bool   // not even SIGKILL ended it
	doom  string // why it was killed at once; "" = it was not
}

// newProcess makes a process that has not been started. flood is how many bytes each of its streams may carry; 0 = any number.
func newProcess(cmd *exec.Cmd, l listener, floodOut, floodErrs int64) *process {
	p := &process{
		cmd:    cmd,
		doomed: make(chan string, 1),
		heard:  make(chan struct{}),
		exited: make(chan struct{}),
	}
	p.out = &stream{name: "stdout", flood: floodOut, flooded: p.condemn, listener: l}
	p.errs = &stream{name: "stderr", flood: floodErrs, flooded: p.condemn}
	return p
}

// condemn has the process killed at once; the first reason is the one that is told. It may be called at any time, and never waits.
func (p *process) condemn(why string) {
	select {
	case p.doomed <- why:
	default:
	}
}

// start starts the process and everything that listens to it. feed writes its stdin, which ends when feed comes back; after the process
// has ended, writing fails.
func (p *process) start(ctx context.Context, feed func(stdin io.Writer)) error {
	// Pipes of our own: those of os/exec make Wait wait for whoever holds them open.
	theirs, err := p.pipes()
	defer closeAll(theirs[:])
	if err != nil {
		closeAll(p.ends[:])
		return err
	}
	cmd := p.cmd
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs[0], theirs[1], theirs[2]
	cmd.SysProcAttr = ownGroup()
	p.began = time.Now()
	started := make(chan error, 1)
	go func() {
		// The kernel takes the end of the thread that started a process for the end of its parent (prctl(2), PR_SET_PDEATHSIG): the thread
		// is kept for as long as the process lives.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		p.err = cmd.Wait()
		p.ended, p.gaveUp = time.Now(), ctx.Err() != nil
		close(p.exited)
	}()
	if err := <-started; err != nil {
		closeAll(p.ends[:])
		return err
	}
	p.group = cmd.Process.Pid
	go func() {
		feed(p.ends[0])
		p.ends[0].Close()
	}()
	go func() {
		defer close(p.heard)
		both := make(chan struct{})
		go func() { p.errs.hear(p.ends[2]); close(both) }()
		p.out.hear(p.ends[1])
		<-both
	}()
	return nil
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

// untilOver waits until the process has ended, and ends it when ctx does or when it is condemned.
func (p *process) untilOver(ctx context.Context, grace time.Duration) {
	select {
	case <-p.exited:
		return
	case p.doom = <-p.doomed:
	case <-ctx.Done():
		signalGroup(p.group, syscall.SIGTERM)
		timer := time.NewTimer(grace)
		defer timer.Stop()
		select {
		case <-p.exited:
			return
		case p.doom = <-p.doomed:
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
