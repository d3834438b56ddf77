//go:build unix

package drive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"
)

// Exec is a carrier that starts one process per operation. argv is taken as it is but for the words {url} {method} {body} {operation}
// {key} {deadline_ms} {deadline_s}; README.md has the whole contract. A command that does not exist is refused here.
//
// Each process is the leader of a group of its own. When the play gives up on a call the group gets SIGTERM, and after the grace SIGKILL;
// what is left of the group when the process has ended is killed and named.
func Exec(h Hello, argv []string, o ExecOptions) (Carrier, error) {
	path, err := program(argv)
	if err != nil {
		return nil, err
	}
	h.Driver = "exec"
	if h.Name == "" {
		h.Name = filepath.Base(argv[0])
	}
	if !h.Has(ProcessPerCall) {
		h.Features = append(slices.Clone(h.Features), ProcessPerCall)
	}
	if o.AtOnce <= 0 {
		o.AtOnce = DefaultAtOnce * runtime.GOMAXPROCS(0)
	}
	if o.Grace <= 0 {
		o.Grace = DefaultGrace
	}
	if o.Flood <= 0 {
		o.Flood = DefaultFlood
	}
	return &execCarrier{hello: h, path: path, argv: slices.Clone(argv), options: o, places: make(chan struct{}, o.AtOnce), starts: make(chan struct{}, startingAtOnce*runtime.GOMAXPROCS(0))}, nil
}

// program finds the command of an argv as a shell would.
func program(argv []string) (path string, err error) {
	if len(argv) == 0 {
		return "", errors.New("no command: want the client's command and its arguments")
	}
	path, err = exec.LookPath(argv[0])
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err == nil {
		return path, nil
	}
	if looked := new(exec.Error); errors.As(err, &looked) {
		err = looked.Err // without the name, which stands in front of it already
	}
	return "", fmt.Errorf("command %q cannot be run: %w: want a program's name or path", argv[0], err)
}

type execCarrier struct {
	hello   Hello
	path    string
	argv    []string
	options ExecOptions
	places  chan struct{} // one for each process
	starts  chan struct{} // one for each process that is starting
}

func (e *execCarrier) Hello() Hello { return e.hello }

// New starts nothing yet: processes come with the calls. They dial for themselves.
func (e *execCarrier) New(context.Context, Dial) (_ Client, done func() error, err error) {
	c := &execClient{execCarrier: e, mark: newKey(), calls: newInFlight()}
	return c, sync.OnceValue(c.end), nil
}

// execClient is the client of one play.
type execClient struct {
	*execCarrier
	mark  string // in the environment of every process of this play and of all that it starts
	calls *inFlight
}

func (c *execClient) Do(ctx context.Context, call Call) Result {
	land, ok := c.calls.begin(call.Operation)
	if !ok {
		return refused("called after its play had ended")
	}
	defer land()
	waiting, stopWaiting := c.calls.patient(ctx, 0)
	defer stopWaiting()
	leave, ok := c.enter(waiting)
	if !ok {
		r := refused(fmt.Sprintf("no process was started: all %d places were taken until the play gave up", cap(c.places)))
		r.GaveUp = true
		return r
	}
	defer leave()
	if call.Key == "" {
		call.Key = newKey() // a shell has no way to make one
	}
	if waiting.Err() != nil { // both were ready, and chance chose
		r := refused("no process was started: the play had given up")
		r.GaveUp = true
		return r
	}
	argv, err := arguments(c.argv, call)
	if err != nil {
		return refused(err.Error())
	}
	environ, err := environment(call, c.mark)
	if err != nil {
		return refused(err.Error())
	}
	ctx, cancel := c.calls.patient(ctx, call.Patience)
	defer cancel()
	heard := &answer{}
	p := newProcess(&exec.Cmd{Path: c.path, Args: argv, Env: environ}, heard, c.options.Flood, c.options.Flood)
	// A client that reads less than all of the body, or nothing, is free to.
	if err := p.start(ctx, func(stdin io.Writer) { stdin.Write(call.Body) }); err != nil {
		return refused(fmt.Sprintf("command %q could not be started: %v", c.argv[0], err))
	}
	p.untilOver(ctx, c.options.Grace)
	left, held := p.tidy(traces{p.group, c.mark, call.Operation})
	return p.result(heard, left, held)
}

// enter waits until there is room for another process, and for another that starts.
func (c *execClient) enter(ctx context.Context) (leave func(), ok bool) {
	select {
	case c.places <- struct{}{}:
	case <-ctx.Done():
		return nil, false
	}
	select {
	case c.starts <- struct{}{}:
	case <-ctx.Done():
		<-c.places
		return nil, false
	}
	started := sync.OnceFunc(func() { <-c.starts })
	timer := time.AfterFunc(startTime, started)
	return func() { timer.Stop(); started(); <-c.places }, true
}

// end ends the processes of the play and kills what they left behind unseen: daemons that closed their streams.
func (c *execClient) end() error {
	err := c.calls.end(c.options.Grace + farewell)
	if left := (traces{mark: c.mark}).kill(); len(left) > 0 {
		err = errors.Join(err, fmt.Errorf("left behind and killed: %s", names(left)))
	}
	return err
}
