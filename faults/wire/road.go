package wire

import (
	"bytes"
	"io"
	"sync"
	"time"

	"github.com/Shopify/toxiproxy/v2/stream"
	"github.com/Shopify/toxiproxy/v2/toxics"
)

// readSize is how many bytes a road takes in at once, as Toxiproxy does.
const readSize = 32 << 10

// road carries bytes one way, through toxics that are set when it is built and never change:
//
//	source ─▶ feed ─▶ toxic ─▶ toxic ─▶ emit ─▶ sink
//
// It runs Toxiproxy's toxics on stubs and channels of its own and not on a toxiproxy.ToxicLink, which cannot be ended from outside: a link
// whose sink fails, or whose limit_data is spent, leaves toxics blocked for ever on a channel that nobody reads. Here whoever stops
// taking bytes goes on draining, so that every goroutine of a road ends once its source has.
type road struct {
	in     chan *stream.StreamChunk
	out    <-chan *stream.StreamChunk
	stages []*stage
	piece  int   // the most bytes taken in at once
	limit  int64 // after how many bytes a toxic ends the road; 0: none does

	dropped  chan struct{}
	dropOnce sync.Once
}

// stage is one toxic at work.
type stage struct {
	toxic *toxics.ToxicWrapper
	stub  *toxics.ToxicStub
	done  chan struct{} // the toxic has ended
}

func newRoad(through []*toxics.ToxicWrapper) *road {
	r := &road{piece: readSize, dropped: make(chan struct{})}
	sizes := []int{0} // of the channels, each as the toxic after it wants it
	for i, t := range through {
		sizes[i] = t.BufferSize
		sizes = append(sizes, 0)
		switch t := t.Toxic.(type) {
		case *toxics.BandwidthToxic:
			// A tenth of a second's worth, the portions that the toxic would cut itself: so that it never sleeps longer than that.
			r.piece = int(min(int64(r.piece), t.Rate*100))
		case *toxics.LimitDataToxic:
			r.limit = t.Bytes
		}
	}
	r.in = make(chan *stream.StreamChunk, sizes[0])
	last := r.in
	for i, t := range through {
		next := make(chan *stream.StreamChunk, sizes[i+1])
		s := &stage{toxic: t, stub: toxics.NewToxicStub(last, next), done: make(chan struct{})}
		if stateful, ok := t.Toxic.(toxics.StatefulToxic); ok {
			s.stub.State = stateful.NewState()
		}
		r.stages = append(r.stages, s)
		last = next
	}
	r.out = last
	return r
}

// goroutines are what has to run for the road to work, apart from feed and emit.
func (r *road) goroutines() []func() {
	list := []func(){r.interrupt}
	for _, s := range r.stages {
		list = append(list, s.run)
	}
	return list
}

// run lets the toxic work until its input has ended, or it has itself; what comes after that is dropped.
func (s *stage) run() {
	s.stub.Run(s.toxic)
	close(s.done)
	s.stub.Close()
	for range s.stub.Input {
	}
}

// feed takes bytes from source until that ends. What comes after the road has been dropped is read all the same, and lost.
func (r *road) feed(source io.Reader) error {
	defer close(r.in)
	buffer := make([]byte, r.piece)
	for {
		n, err := source.Read(buffer)
		if n > 0 {
			select {
			case r.in <- &stream.StreamChunk{Data: bytes.Clone(buffer[:n]), Timestamp: time.Now()}:
			case <-r.dropped:
			}
		}
		if err != nil {
			return err
		}
	}
}

// emit gives to sink what has come through, each piece by a write of its own. It returns when the road has ended: cut is true if a limit
// has ended it, with the last byte that it lets through.
func (r *road) emit(sink io.Writer) (cut bool) {
	sent := int64(0)
	for chunk := range r.out {
		if r.isDropped() {
			continue
		}
		sent += int64(len(chunk.Data))
		if _, err := sink.Write(chunk.Data); err != nil {
			r.drop()
		}
	}
	return !r.isDropped() && r.limit > 0 && sent == r.limit
}

// drop loses what is under way.
func (r *road) drop() { r.dropOnce.Do(func() { close(r.dropped) }) }

func (r *road) isDropped() bool {
	select {
	case <-r.dropped:
		return true
	default:
		return false
	}
}

// interrupt ends the waits of a dropped road's toxics, from the last to the first so that each can still give away what it holds. Bandwidth
// is not interrupted, for it would write to the log; it does not wait long.
func (r *road) interrupt() {
	for i := len(r.stages) - 1; i >= 0; i-- {
		s := r.stages[i]
		select {
		case <-r.dropped:
		case <-s.done:
			continue
		}
		if _, ok := s.toxic.Toxic.(*toxics.BandwidthToxic); ok {
			continue
		}
		select {
		case s.stub.Interrupt <- struct{}{}:
		case <-s.done:
		}
	}
}
