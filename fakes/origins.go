package fakes

import (
	"errors"
	"net"
	"net/netip"

	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/wire"
)

// listen opens the address, and the other origins on free ports of hosts beside it.
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
		number := len(f.origins)
		l, err := first.Beside(n, net.JoinHostPort(hostBeside(host, number), "0"), number, f.planOf(number))
		if err != nil {
			l, err = first.Beside(n, net.JoinHostPort(host, "0"), number, f.planOf(number))
		}
		if err != nil {
			return errors.Join(err, f.shut())
		}
		f.origins = append(f.origins, l)
	}
	return nil
}

// hostBeside is a host of its own for another origin: a loopback address is followed by more of them, where the system has them (Linux has
// 127.0.0.0/8). Clients that take one host with two ports for one place then see two.
func hostBeside(host string, number int) string {
	addr, err := netip.ParseAddr(host)
	if err != nil || !addr.Is4() || !addr.IsLoopback() {
		return host
	}
	for range number {
		addr = addr.Next()
	}
	return addr.String()
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
