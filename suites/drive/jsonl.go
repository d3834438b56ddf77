//go:build unix

package drive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
)

// JSONL is a carrier for clients that live in a process of their own and talk in lines of JSON; README.md has the whole contract. Each
// client of a play is one process, which is started again when it dies, a few times.
//
// One process is started here and now to say its hello, and is ended again. A command that does not exist, a hello that the contract does
// not allow and a process that does not end are refused.
func JSONL(ctx context.Context, argv []string, o JSONLOptions) (Carrier, error) {
	path, err := program(argv)
	if err != nil {
		return nil, err
	}
	j := &jsonlCarrier{path: path, argv: slices.Clone(argv), options: o.withDefaults(), starting: make(chan struct{}, runtime.GOMAXPROCS(0))}
	s, hello, err := j.open(ctx)
	if err == nil {
		s.bye(j.options.Farewell)
		err = s.untold()
	}
	if err != nil {
		return nil, fmt.Errorf("client %q: %w", argv[0], err)
	}
	hello.Name = cmp.Or(hello.Name, filepath.Base(argv[0]))
	j.hello = hello
	return j, nil
}

type jsonlCarrier struct {
	hello   Hello
	path    string
	argv    []string
	options JSONLOptions
	// starting has a place for each core: runtimes that start together make the calls of other plays late.
	starting chan struct{}
}

func (j *jsonlCarrier) Hello() Hello { return j.hello }

// New starts a process and waits for its hello, so that no call has to.
func (j *jsonlCarrier) New(ctx context.Context, _ Dial) (_ Client, done func() error, err error) {
	c := &jsonlClient{jsonlCarrier: j, calls: newInFlight(), door: make(chan struct{}, 1)}
	if c.now, err = j.again(ctx); err != nil {
		return nil, nil, fmt.Errorf("client %q: %w", j.argv[0], err)
	}
	return c, sync.OnceValue(c.end), nil
}

// again starts a process, which has to be the same client as the first one.
func (j *jsonlCarrier) again(ctx context.Context) (*session, error) {
	s, hello, err := j.open(ctx)
	if err != nil {
		return nil, err
	}
	hello.Name = cmp.Or(hello.Name, filepath.Base(j.argv[0]))
	if other := hello.contradicts(j.hello); other != "" {
		s.fail(other)
		<-s.over
		return nil, s.untold()
	}
	return s, nil
}

// open starts a process and has it say hello. An error tells all that is known of its end; nothing is left of it then.
func (j *jsonlCarrier) open(ctx context.Context) (*session, Hello, error) {
	select {
	case j.starting <- struct{}{}:
		defer func() { <-j.starting }()
	case <-ctx.Done():
		return nil, Hello{}, errors.New("the process was not started: the play gave up while others were starting")
	}
	s, err := newSession(&exec.Cmd{Path: j.path, Args: j.argv}, j.options)
	if err != nil {
		return nil, Hello{}, fmt.Errorf("the process could not be started: %w", err)
	}
	hello, err := s.greet(ctx, j.options.Hello)
	return s, hello, err
}
