package wire

import (
	"fmt"
	"slices"

	"github.com/Shopify/toxiproxy/v2/stream"
	"github.com/Shopify/toxiproxy/v2/toxics"

	"github.com/brownout-dev/brownout/faults"
)

// treatment is what the plan has for one connection: a door that it never gets through, or toxics on its way, or nothing.
type treatment struct {
	faults  []faults.Fault                     // all of them
	door    faults.Treatment                   // zero: it is served
	through [stream.NumDirections]toxicList    // in order
	limits  [stream.NumDirections]faults.Fault // which strike when they cut, if ever; the others as soon as it is accepted
}

type toxicList []*toxics.ToxicWrapper

// chained tells whether there are toxics.
func (t treatment) chained() bool {
	return len(t.through[stream.Upstream])+len(t.through[stream.Downstream]) > 0
}

// atOnce gives the faults that strike as soon as the connection is accepted.
func (t treatment) atOnce() []faults.Fault {
	return slices.DeleteFunc(slices.Clone(t.faults), func(f faults.Fault) bool { return slices.Contains(t.limits[:], f) })
}

// treat makes the treatment of the connection with that number; the toxics are fresh.
func treat(p faults.Plan, number int) (treatment, error) {
	var t treatment
	for _, f := range p.Connection(number) {
		if isWindow(f) {
			continue
		}
		t.faults = append(t.faults, f)
		switch a := f.Action.(type) {
		case faults.Door:
			t.door = a.Door().Door
			if !ofConnection(t.door) {
				return t, fmt.Errorf("%s: no connection can be treated that way", f)
			}
		case faults.Chain:
			if err := t.add(f, a); err != nil {
				return t, fmt.Errorf("%s: %w", f, err)
			}
		default:
			return t, fmt.Errorf("%s: no listener can do that: want a fault with toxics or a door", f)
		}
	}
	if t.door != 0 && len(t.faults) > 1 {
		return t, fmt.Errorf("%s and %s on one connection: the door comes before all else, so the other could never strike", t.faults[0], t.faults[1])
	}
	return t, nil
}

func (t *treatment) add(f faults.Fault, c faults.Chain) error {
	list := c.Toxics()
	if len(list) == 0 {
		return fmt.Errorf("gives no toxics, so it would do nothing")
	}
	for _, toxic := range list {
		brewed, direction, err := brew(toxic)
		if err != nil {
			return err
		}
		t.through[direction] = append(t.through[direction], brewed)
		if _, ok := brewed.Toxic.(*toxics.LimitDataToxic); ok {
			if t.limits[direction].Action != nil {
				return fmt.Errorf("a second limit %s on one connection: only the smaller could ever strike", direction)
			}
			t.limits[direction] = f
		}
	}
	return nil
}

func ofConnection(d faults.Treatment) bool {
	return d == faults.AcceptAndClose || d == faults.AcceptAndReset || d == faults.AcceptAndStall
}

// isWindow tells the faults of the whole listener, which last for a while, from those of single connections.
func isWindow(f faults.Fault) bool {
	d, ok := f.Action.(faults.Door)
	return ok && (d.Door().Door == faults.Refuse || d.Door().Door == faults.Blackhole)
}

// window gives the one fault of the whole listener; ok is false if there is none.
func window(p faults.Plan) (f faults.Fault, ok bool, err error) {
	for _, c := range p.Connections {
		if !isWindow(c.Fault) {
			continue
		}
		if ok {
			return f, ok, fmt.Errorf("%s and %s: both begin with the play, so only one of them can hold", f, c.Fault)
		}
		f, ok = c.Fault, true
	}
	return f, ok, nil
}

// check refuses connection faults that cannot be done, by making the treatment of every connection that the plan tells from others.
func check(p faults.Plan) error {
	if err := p.Check(); err != nil {
		return err
	}
	if _, _, err := window(p); err != nil {
		return fmt.Errorf("connections: %w", err)
	}
	numbers := []int{1}
	for _, c := range p.Connections {
		numbers = append(numbers, c.Number, c.Number+1)
	}
	for _, n := range numbers {
		if _, err := treat(p, n); err != nil {
			return fmt.Errorf("connections: %w", err)
		}
	}
	return nil
}
