package fakes

import (
	"errors"
	"net"

	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/wire"
)

// listen opens the address, and the other origins on free ports of the same host.
func (f *Fake) listen(n wire.Network, addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return err
	}
	first, err := wire.Listen(n, addr, wire.Options{Clock: f.config.Clock, Plan: f.config.Plan, Struck: f.struck})
	if err != nil {
		return err
	}
	f.origins = append(f.origins, first)
	for len(f.origins) < f.config.Origins {
		l, err := first.Beside(n, net.JoinHostPort(host, "0"), len(f.origins), f.planOf(len(f.origins)))
		if err != nil {
			return errors.Join(err, f.shut())
		}
		f.origins = append(f.origins, l)
	}
	return nil
}

// planOf is what becomes of the connections to an origin beside the first.
func (f *Fake) planOf(origin int) (p faults.Plan) {
	if origin == f.config.Closed {
		p.Connections = []faults.ConnectionPlan{{Fault: faults.Fault{At: faults.Connect, Action: &faults.ClosedPort{}}}}
	}
	return p
}

// shut ends all listeners.
func (f *Fake) shut() error {
	var all []error
	for _, l := range f.origins {
		all = append(all, l.Close())
	}
	return errors.Join(all...)
}
