package faults

import (
	"reflect"
	"testing"
	"time"
)

func one(a Action, at Phase) Script { return Script{Steps: [][]Fault{{{at, a}}}} }

func TestRouteMatches(t *testing.T) {
	for _, row := range []struct {
		name         string
		route        Route
		method, path string
		want         bool
	}{
		{"both", "POST /v1/payments", "POST", "/v1/payments", true},
		{"other method", "POST /v1/payments", "GET", "/v1/payments", false},
		{"a longer path is another", "POST /v1/payments", "POST", "/v1/payments/1", false},
		{"any method", "* /v1/payments", "PATCH", "/v1/payments", true},
		{"by its start", "* /v1/*", "GET", "/v1/payments", true},
		{"another start", "* /v1/*", "GET", "/v2/payments", false},
		{"everything", "* /*", "GET", "/", true},
		{"methods are case-sensitive (RFC 9110, 9.1)", "POST /", "post", "/", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := row.route.Matches(row.method, row.path); got != row.want {
				t.Errorf("got %v, want %v", got, row.want)
			}
		})
	}
}

func TestPlanScript(t *testing.T) {
	byID, first, second := one(&Reset{}, AfterCommit), one(&Close{}, AfterCommit), one(&Hold{}, BeforeCommit)
	p := Plan{
		Operations: map[OperationID]Script{"op-1": byID, "op-sound": {}},
		Routes:     []RoutePlan{{"POST /v1/*", first}, {"POST /v1/payments", second}},
	}
	for _, row := range []struct {
		name, method string
		op           OperationID
		want         Script
	}{
		{"by id", "POST", "op-1", byID},
		{"an empty script by id lets it through", "POST", "op-sound", Script{}},
		{"the first route that matches", "POST", "op-2", first},
		{"an attempt without an operation goes by its route", "POST", "", first},
		{"no route matches", "GET", "op-2", Script{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := p.Script(row.op, row.method, "/v1/payments"); !reflect.DeepEqual(got, row.want) {
				t.Errorf("got %v, want %v", got, row.want)
			}
		})
	}
}

func TestPlanConnection(t *testing.T) {
	slow, closed := Fault{Connect, &Latency{For: time.Second}}, Fault{Connect, &ClosingDoor{}}
	p := Plan{Connections: []ConnectionPlan{{2, closed}, {0, slow}}}
	for _, row := range []struct {
		name string
		n    int
		want []Fault
	}{
		{"every connection", 1, []Fault{slow}},
		{"by number, in the plan's order", 2, []Fault{closed, slow}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := p.Connection(row.n); !reflect.DeepEqual(got, row.want) {
				t.Errorf("got %v, want %v", got, row.want)
			}
		})
	}
}

func TestPlanCheck(t *testing.T) {
	for _, row := range []struct {
		name string
		plan Plan
		want string
	}{
		{"operation", Plan{Operations: map[OperationID]Script{"op-1": one(&Delay{}, Head)}}, `operation op-1: step 1: for: got nothing, want a duration above zero, such as 300ms`},
		{"route without a method", Plan{Routes: []RoutePlan{{Route: "/v1"}}}, `routes: entry 1: route "/v1": want a method and a path, such as "POST /v1/payments" or "* /v1/*"`},
		{"route's script", Plan{Routes: []RoutePlan{{"* /*", Script{}}, {"* /*", one(&Reset{}, Connect)}}}, `routes: entry 2: step 1: reset cannot strike at connect: no request has come yet; want at: after-commit, head, before-commit, idle`},
		{"negative number", Plan{Connections: []ConnectionPlan{{-1, Fault{Connect, &Limit{Bytes: 1}}}}}, `connections: entry 1: number -1: want 0 for every connection, or its place in the order of acceptance from 1`},
		{"no fault", Plan{Connections: []ConnectionPlan{{Number: 1}}}, `connections: entry 1: got no fault, want one such as "reset after-commit"`},
		{"a fault of attempts", Plan{Connections: []ConnectionPlan{{1, Fault{AfterCommit, &Reset{}}}}}, `connections: entry 1: reset after-commit strikes single attempts: put it into a script`},
		{"one refused connection", Plan{Connections: []ConnectionPlan{{2, Fault{Connect, &ClosedPort{}}}}}, `connections: entry 1: refuse of connection 2: a refused connection is never seen, so it cannot be counted: use number 0 and say for how long`},
		{"one unanswered connection", Plan{Connections: []ConnectionPlan{{2, Fault{Connect, &SilentPort{}}}}}, `connections: entry 1: blackhole of connection 2: a refused connection is never seen, so it cannot be counted: use number 0 and say for how long`},
	} {
		t.Run(row.name, func(t *testing.T) {
			err := row.plan.Check()
			if err == nil || err.Error() != row.want {
				t.Errorf("got  %v\nwant %s", err, row.want)
			}
		})
	}
	if err := (Plan{}).Check(); err != nil {
		t.Errorf("got %v for the zero plan, want no error", err)
	}
}
