//go:build unix

package drive

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// session is one process of a jsonl client, from its start until nothing of it is left.
//
//	newSession ─▶ greet ─▶ calls go out, answers come in, in any order ─▶ bye, or a death ─▶ over
//
// All of it is safe for concurrent use but for what its two goroutines keep to themselves: write, which alone writes stdin, and take, which
// alone reads stdout.
type session struct {
	*process
	mark    string             // in the environment of the process and of all that it starts
	outbox  chan outgoing      // to write; nobody buffers: who has something to say waits until it is taken
	hello   chan Hello         // what it said first
	dismiss context.CancelFunc // has it ended by SIGTERM, then SIGKILL
	over    chan struct{}

	cutter
	at   time.Time // when what is being read was read
	met  bool      // it has said hello
	deaf bool      // it has said something that cannot be made sense of; the rest is not listened to

	mu      sync.Mutex
	asked   map[string]*asked
	closing bool // no more calls are taken
	leaving bool // it was told bye

	// Written before over is closed.
	how    string // it came to its end otherwise than it should; "" = as it should
	blamed bool   // a call under way told of it
}

// outgoing is a line to write.
type outgoing struct {
	line []byte
	call *asked // that begins when the line is written; nil = none
	last bool   // stdin ends after it
}

func newSession(cmd *exec.Cmd, o JSONLOptions) (*session, error) {
	ctx, dismiss := context.WithCancel(context.Background())
	s := &session{
		mark:    newKey(),
		outbox:  make(chan outgoing),
		hello:   make(chan Hello, 1),
		dismiss: dismiss,
		over:    make(chan struct{}),
		asked:   map[string]*asked{},
	}
	cmd.Env = append(inherited(), markName+s.mark)
	// What comes on stdout needs no bound but that of a line: each is the answer to a call, or the last one.
	s.process = newProcess(cmd, s, 0, o.Flood)
	if err := s.start(ctx, s.write); err != nil {
		dismiss()
		return nil, err
	}
	go func() {
		defer close(s.over)
		defer dismiss()
		s.untilOver(ctx, o.Grace)
		s.close()
		left, held := s.tidy(traces{group: s.group, mark: s.mark})
		left = append(left, traces{mark: s.mark}.kill()...) // daemons, which hold no stream
		s.conclude(o, aftermath(left, held))
	}()
	return s, nil
}

// greet says hello and waits for the answer. A process that gives none in time is killed.
func (s *session) greet(ctx context.Context, within time.Duration) (Hello, error) {
	timer := time.NewTimer(within)
	defer timer.Stop()
	outbox, gaveUp := s.outbox, ctx.Done()
	for {
		select {
		case outbox <- outgoing{line: []byte(helloLine)}:
			outbox = nil
		case h := <-s.hello:
			return h, nil
		case <-timer.C:
			s.fail(fmt.Sprintf(`said no hello within %v: want {"type":"hello",...} as its first line`, within))
		case <-gaveUp:
			s.fail("had not said hello when the play gave up on it")
			gaveUp = nil
		case <-s.over:
			return Hello{}, s.untold()
		}
	}
}

// write writes all lines, one at a time, until the last one or the end of the process.
func (s *session) write(stdin io.Writer) {
	for {
		select {
		case m := <-s.outbox:
			if err := s.put(stdin, m); err != nil {
				s.lost("stdin")
				return
			}
			if m.last {
				return
			}
		case <-s.over:
			return
		}
	}
}

// put writes a line. A call begins just before the line break, the last of its bytes: after that an answer could be there first.
func (s *session) put(stdin io.Writer, m outgoing) error {
	all := len(m.line) - 1
	if _, err := stdin.Write(m.line[:all]); err != nil {
		return err
	}
	if m.call != nil {
		s.begin(m.call)
	}
	_, err := stdin.Write(m.line[all:])
	return err
}

// lingering is how long a process may outlive a stream of its own: one that has died is gone by then, on a busy machine too.
const lingering = 2 * time.Second

// lost is called when a stream has come to its end before the process was told bye.
func (s *session) lost(stream string) {
	timer := time.NewTimer(lingering)
	defer timer.Stop()
	select {
	case <-s.exited:
	case <-timer.C:
		s.mu.Lock()
		leaving := s.leaving
		s.mu.Unlock()
		if !leaving {
			s.fail("closed its " + stream + " and stayed")
		}
	}
}

// fail has the process killed for what it did, unless there was a reason already.
func (s *session) fail(why string) {
	s.close()
	s.condemn(brief(why))
}

// close lets no more calls in.
func (s *session) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing = true
}

// bye tells the process to go, and waits until nothing of it is left; d is how long it may take of its own accord.
func (s *session) bye(d time.Duration) {
	s.mu.Lock()
	s.leaving = !s.closing // a session that is coming to its end already has its own reason
	s.closing = true
	s.mu.Unlock()
	timer := time.NewTimer(d)
	defer timer.Stop()
	outbox := s.outbox
	for {
		select {
		case outbox <- outgoing{line: []byte(byeLine), last: true}:
			outbox = nil
		case <-timer.C:
			s.dismiss()
		case <-s.over:
			return
		}
	}
}
