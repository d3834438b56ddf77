package wire

import "github.com/brownout-dev/brownout/faults/clock"

// Request is one request's part of a connection.
type Request struct {
	line  *line
	use   int
	times Times
	// from and to are the part of all bytes handed over for the client that is this request's final reply; unsaid while it is open.
	from, to int64
	last     bool // no other request has begun since
}

// Times are the moments of one request as its connection saw them. Those that have not come are Never.
type Times struct {
	// FirstByte is when its first byte was read from the client: by the first read since the reply before it (or since the connection
	// was accepted). For a pipelined request, which came with the bytes of the one before, it is that read.
	FirstByte clock.Moment
	// ReplyFirst and ReplyLast are taken just before the reply's first and its most recent bytes are written, at the client's side of
	// any toxics: a client cannot have had them earlier, so that an honest wait is never measured short.
	ReplyFirst, ReplyLast clock.Moment
	// Gone is when the client was seen to have closed or reset the connection, unless the fake ended it first or another request came.
	Gone clock.Moment
}

// unsaid is the end of a range that has none yet.
const unsaid = int64(-1)

// Use is which request on its connection it is, from 1.
func (r *Request) Use() int { return r.use }

// Replying says that whatever is written from now on is the final reply; what came before was interim (100, 103).
func (r *Request) Replying() {
	r.line.mu.Lock()
	defer r.line.mu.Unlock()
	if r.from == unsaid {
		r.from = r.line.stamps.handed
	}
}

// Replied says that the whole reply has been handed to the connection: what is written later is not a part of it.
func (r *Request) Replied() {
	r.line.mu.Lock()
	defer r.line.mu.Unlock()
	r.endReply(r.line.stamps.handed)
}

// Over says that all that was read so far belongs to this request or to those before it, also what came after its reply: the rest of a body.
func (r *Request) Over() {
	r.line.mu.Lock()
	defer r.line.mu.Unlock()
	r.line.stamps.reading, r.line.stamps.first = false, clock.Never
}

func (r *Request) endReply(at int64) {
	if r.to == unsaid {
		r.to = at
	}
}

// Times is safe at any time, also after the connection has ended.
func (r *Request) Times() Times {
	r.line.mu.Lock()
	defer r.line.mu.Unlock()
	t := r.times
	if r.last {
		t.Gone = r.line.goneAt
	}
	return t
}

// stamps are the moments of a line's bytes. Replies are told apart by counting bytes, because toxics hold them up but keep their order
// and number. The line's lock guards them.
type stamps struct {
	handed, sent int64 // bytes for the client: given by the server; written to the client's connection
	uses         int
	first        clock.Moment // of the first read since the last write
	latest       clock.Moment // of the last read
	reading      bool         // a read has come since the last write
	open         []*Request   // whose replies may still be under way, in order
	current      *Request
}

func (s *stamps) read(at clock.Moment) {
	s.latest = at
	if !s.reading {
		s.reading, s.first = true, at
	}
}

// write is called before n bytes are written to the client.
func (s *stamps) write(at clock.Moment, n int) {
	from, to := s.sent, s.sent+int64(n)
	s.sent, s.reading, s.first = to, false, clock.Never
	open := s.open[:0]
	for _, r := range s.open {
		if r.from != unsaid && r.from < to && (r.to == unsaid || from < r.to) {
			if !r.times.ReplyFirst.Happened() {
				r.times.ReplyFirst = at
			}
			r.times.ReplyLast = at
		}
		if r.to == unsaid || to < r.to {
			open = append(open, r)
		}
	}
	clear(s.open[len(open):])
	s.open = open
}

func (s *stamps) begin(l *line) *Request {
	if s.current != nil {
		s.current.last = false
		s.current.endReply(s.handed)
	}
	s.uses++
	r := &Request{line: l, use: s.uses, from: unsaid, to: unsaid, last: true}
	r.times.FirstByte = s.first
	if s.first == clock.Never {
		r.times.FirstByte = s.latest
	}
	s.first = clock.Never
	s.current = r
	s.open = append(s.open, r)
	return r
}
