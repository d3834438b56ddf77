package faults

import (
	"fmt"
	"strings"
)

// Plan says which operations, routes and connections get which faults. The zero Plan lets everything through.
type Plan struct {
	Operations  map[OperationID]Script `yaml:"operations,omitempty"`  // by exact id; goes before Routes
	Routes      []RoutePlan            `yaml:"routes,omitempty"`      // the first that matches
	Connections []ConnectionPlan       `yaml:"connections,omitempty"` // each that matches, in order
}

// RoutePlan gives a script to operations by their method and path.
type RoutePlan struct {
	Route  Route  `yaml:"route"`
	Script Script `yaml:"script"`
}

// ConnectionPlan gives faults to a connection as a whole.
type ConnectionPlan struct {
	Number int   `yaml:"number"` // counted from 1 in order of acceptance; 0 = every connection
	Fault  Fault `yaml:"fault"`
}

// Route is a method and a path: "POST /v1/payments". "*" stands for any method; a path that ends in "*" matches by its start.
type Route string

// Matches tells whether a request goes by the route.
func (r Route) Matches(method, path string) bool {
	m, p, _ := strings.Cut(string(r), " ")
	if m != "*" && m != method {
		return false
	}
	if start, ok := strings.CutSuffix(p, "*"); ok {
		return strings.HasPrefix(path, start)
	}
	return p == path
}

func (r Route) check() error {
	if m, p, ok := strings.Cut(string(r), " "); !ok || m == "" || !strings.HasPrefix(p, "/") {
		return fmt.Errorf("route %q: want a method and a path, such as \"POST /v1/payments\" or \"* /v1/*\"", r)
	}
	return nil
}

// Script gives the script of an operation whose attempt goes to method and path.
func (p Plan) Script(op OperationID, method, path string) Script {
	if s, ok := p.Operations[op]; ok {
		return s
	}
	for _, r := range p.Routes {
		if r.Route.Matches(method, path) {
			return r.Script
		}
	}
	return Script{}
}

// Connection gives the faults of the n-th connection.
func (p Plan) Connection(n int) []Fault {
	var faults []Fault
	for _, c := range p.Connections {
		if c.Number == 0 || c.Number == n {
			faults = append(faults, c.Fault)
		}
	}
	return faults
}

// Check refuses what cannot be done, with the reason.
func (p Plan) Check() error {
	for op, s := range p.Operations {
		if err := s.Check(); err != nil {
			return fmt.Errorf("operation %s: %w", op, err)
		}
	}
	for i, r := range p.Routes {
		if err := r.Route.check(); err != nil {
			return fmt.Errorf("routes: entry %d: %w", i+1, err)
		}
		if err := r.Script.Check(); err != nil {
			return fmt.Errorf("routes: entry %d: %w", i+1, err)
		}
	}
	for i, c := range p.Connections {
		if err := c.check(); err != nil {
			return fmt.Errorf("connections: entry %d: %w", i+1, err)
		}
	}
	return nil
}

func (c ConnectionPlan) check() error {
	if c.Number < 0 {
		return fmt.Errorf("number %d: want 0 for every connection, or its place in the order of acceptance from 1", c.Number)
	}
	if err := c.Fault.Check(); err != nil {
		return err
	}
	if c.Fault.At != Connect {
		return fmt.Errorf("%s strikes single attempts: put it into a script", c.Fault)
	}
	if d, ok := c.Fault.Action.(Door); ok && c.Number != 0 {
		if w := d.Door(); w.Door == Refuse || w.Door == Blackhole {
			return fmt.Errorf("%s of connection %d: a refused connection is never seen, so it cannot be counted: use number 0 and say for how long", c.Fault.Action.Kind().Name, c.Number)
		}
	}
	return nil
}
