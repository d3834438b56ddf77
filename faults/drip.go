package faults

import (
	"slices"
	"time"
)

// Drip sends a reply a few bytes at a time. It is whole in the end, but a timeout that starts again at every byte never fires: only a
// deadline over the whole operation does. At reply-head the head drips and the body follows at once; at reply-body it is the other way
// round, and chunk sizes drip as well.
type Drip struct {
	Every time.Duration // before each portion
	Bytes int           // a portion; 0 = 1
	Gzip  bool          // the body is compressed, so that the client's decoder sits between the bytes and whoever reads them
}

var _ Sender = (*Drip)(nil)

func (*Drip) Kind() Kind {
	return Kind{
		Name: "drip", Main: "every",
		Phases: []Phase{ReplyBody, ReplyHead},
		Wire:   "the whole reply, its body or its head a few bytes at a time, then FIN",
	}
}

func (d *Drip) Fields() []Field {
	return []Field{
		{Name: "every", Wants: "a duration above zero, such as 100ms", Value: aboveZero{durationOf(&d.Every)}},
		{Name: "bytes", Wants: "1 or more bytes; 1 by default", Value: aboveZero{numberOf(&d.Bytes)}},
		{Name: "gzip", Wants: "true or false", Value: flagOf(&d.Gzip)},
	}
}

func (d *Drip) Check() error {
	switch {
	case d.Every <= 0:
		return unfit(d, "every")
	case d.Bytes < 0:
		return unfit(d, "bytes")
	}
	return nil
}

func (d *Drip) String() string { return spell(d) }

func (d *Drip) Send(at Phase, x Exchange, w Raw) (whole bool, err error) {
	r := *x.Reply()
	if d.Gzip {
		r = r.compressed()
	}
	slow, rest := r.head(x.Now(), len(r.Body)), r.body()
	if at == ReplyBody {
		if _, err := w.Write(slow); err != nil {
			return false, err
		}
		slow, rest = rest, nil
	}
	for portion := range slices.Chunk(slow, max(1, d.Bytes)) {
		if !x.Wait(d.Every) {
			return false, nil
		}
		if _, err := w.Write(portion); err != nil {
			return false, err
		}
	}
	if len(rest) > 0 {
		_, err = w.Write(rest)
	}
	return err == nil, err
}
