// Package scenarios holds what is played against a client: which operations it is asked to do, and what goes wrong with each. A scenario
// is data; the YAML files beside this one are the suite's own, and [Read] takes anybody's.
package scenarios

import (
	"fmt"
	"strings"
	"time"

	"github.com/brownout-dev/brownout/faults"
)

// Name names a scenario; it is its file's name without the ending.
type Name string

// Scenario is a workload, a plan and a claim about connections.
type Scenario struct {
	Name        Name                    `yaml:"name"`
	Says        string                  `yaml:"says"` // one sentence: what the dependency does
	Order       Order                   `yaml:"order"`
	Clients     int                     `yaml:"clients"`   // how many instances of the client share the operations; 0 = 1
	Retention   time.Duration           `yaml:"retention"` // how long the fake keeps a key's result, scaled with the cases that are; 0 = its default
	Capacity    int                     `yaml:"capacity"`  // requests that each origin serves within any second, the others get 503; 0 = as many as come
	Cases       []Case                  `yaml:"cases"`
	Connections []faults.ConnectionPlan `yaml:"connections"` // of every instance's connections together
	Text        string                  `yaml:"-"`           // the YAML it was read from
}

// Order is how operations follow each other.
type Order string

const (
	Parallel   Order = ""           // all at once
	Sequential Order = "sequential" // one at a time, in the order of the cases
)

// Case is one or more like operations and the script that each of them meets.
type Case struct {
	Name       string            `yaml:"name"`
	Operations int               `yaml:"operations"` // 0 = 1
	Processes  int               `yaml:"processes"`  // instead of Operations where each is a process of its own; 0 = Operations
	Every      time.Duration     `yaml:"every"`      // between the starts of its operations; 0 = all at once
	After      time.Duration     `yaml:"after"`      // before the first of them; 0 = with, or right after, those of the case before
	Request    faults.Route      `yaml:"request"`    // "POST /v1/payments"
	Body       *int              `yaml:"body"`       // bytes; default: a small JSON document for methods that have one
	Stream     bool              `yaml:"stream"`     // the body can be read once, and not again
	Key        Key               `yaml:"key"`
	Deadline   time.Duration     `yaml:"deadline"` // 0 = none given
	Cancel     time.Duration     `yaml:"cancel"`   // when the caller cancels, from the call's beginning; 0 = never. Only for clients that can
	Headers    map[string]string `yaml:"headers"`  // for the client to send as they are
	Policy     *Policy           `yaml:"policy"`   // the case is only for clients that accept one per call
	Connection Connection        `yaml:"connection"`
	Origin     Origin            `yaml:"origin"`
	Scale      Scale             `yaml:"scale"`
	Script     faults.Script     `yaml:"script"`
}

// Key says whether the suite hands an idempotency key over. Whether the endpoint takes one at all is a matter of its path.
type Key string

const (
	OwnKey   Key = ""      // the client picks its own
	GivenKey Key = "given" // the suite hands one over, to be used as it is
)

// Connection is what the first attempt of an operation is to travel on.
type Connection string

const (
	AnyConnection Connection = ""
	Warm          Connection = "warm" // one that has carried a request before: a sound GET of the same client goes first
	Cold          Connection = "cold" // a fresh one: the client is a new instance
)

// Policy is a retry policy the case asks for. The first attempt counts.
type Policy struct {
	MaxAttempts int           `yaml:"max-attempts"`
	Base        time.Duration `yaml:"base"`
	Cap         time.Duration `yaml:"cap"`
}

// Method and Path are the two halves of the request.
func (c Case) Method() string { m, _, _ := strings.Cut(string(c.Request), " "); return m }
func (c Case) Path() string   { _, p, _ := strings.Cut(string(c.Request), " "); return p }

// DefaultKeyHeader is where the fake's endpoints take idempotency keys (draft-ietf-httpapi-idempotency-key-header, 2).
const DefaultKeyHeader = "Idempotency-Key"

// KeyHeader names the header in which the case's endpoint takes keys; empty where a key makes nothing safe.
func (c Case) KeyHeader() string {
	keyless := strings.HasPrefix(c.Path(), "/v1/legacy/") || strings.HasPrefix(c.Path(), "/nokeys/")
	if m := c.Method(); keyless || m != "POST" && m != "PATCH" {
		return ""
	}
	return DefaultKeyHeader
}

// Count is how many operations the case has.
func (c Case) Count(processPerCall bool) int {
	if processPerCall && c.Processes > 0 {
		return c.Processes
	}
	return max(1, c.Operations)
}

// check refuses what cannot be played, naming the field and what would be right.
func (s Scenario) check() error {
	switch {
	case s.Name == "":
		return fmt.Errorf("name: want the file's name without its ending")
	case s.Says == "":
		return fmt.Errorf("says: want one sentence on what the dependency does")
	case s.Order != Parallel && s.Order != Sequential:
		return fmt.Errorf("order %q: want sequential, or nothing for all at once", s.Order)
	case s.Retention < 0:
		return fmt.Errorf("retention %s: want 0s (the fake's default) or more", s.Retention)
	case s.Capacity < 0:
		return fmt.Errorf("capacity %d: want 0 (as many as come) or more", s.Capacity)
	case s.Clients < 0:
		return fmt.Errorf("clients %d: want 1 or more", s.Clients)
	case len(s.Cases) == 0:
		return fmt.Errorf("cases: want at least one")
	}
	seen := map[string]bool{}
	for i, c := range s.Cases {
		if seen[c.Name] {
			return fmt.Errorf("cases: %q stands twice: want a name of its own for each", c.Name)
		}
		seen[c.Name] = true
		if err := c.check(s); err != nil {
			return fmt.Errorf("case %d (%s): %w", i+1, c.Name, err)
		}
	}
	return faults.Plan{Connections: s.Connections}.Check()
}

func (c Case) check(s Scenario) error {
	switch {
	case c.Name == "":
		return fmt.Errorf("name: want one, it stands in every report")
	case c.Method() == "" || !strings.HasPrefix(c.Path(), "/"):
		return fmt.Errorf("request %q: want a method and a path, such as \"POST /v1/payments\"", c.Request)
	case strings.ContainsAny(c.Path(), "?# "):
		return fmt.Errorf("request %q: want a path without query, fragment or space: the operation's token is put there", c.Request)
	case c.Operations < 0 || c.Operations > maxOperations || c.Processes < 0 || c.Processes > maxOperations:
		return fmt.Errorf("operations: want 0 to %d", maxOperations)
	case c.Every < 0 || c.Every > maxDeadline:
		return fmt.Errorf("every %s: want 0s (all at once) to %s", c.Every, maxDeadline)
	case c.After < 0 || c.After > maxDeadline:
		return fmt.Errorf("after %s: want 0s to %s", c.After, maxDeadline)
	case c.Cancel < 0 || c.Cancel > maxDeadline:
		return fmt.Errorf("cancel %s: want 0s (never) to %s", c.Cancel, maxDeadline)
	case c.Body != nil && (*c.Body < 0 || *c.Body > maxBody):
		return fmt.Errorf("body %d: want 0 to %d bytes", *c.Body, maxBody)
	case c.Key != OwnKey && c.Key != GivenKey:
		return fmt.Errorf("key %q: want given, or nothing for the client's own", c.Key)
	case c.Deadline < 0 || c.Deadline > maxDeadline:
		return fmt.Errorf("deadline %s: want 0s (none given) to %s", c.Deadline, maxDeadline)
	case c.Connection != AnyConnection && c.Connection != Warm && c.Connection != Cold:
		return fmt.Errorf("connection %q: want warm, cold or nothing", c.Connection)
	case !c.Origin.known():
		return fmt.Errorf("origin %q: want second, closed, own or nothing for the first", c.Origin)
	case !c.Scale.known():
		return fmt.Errorf("scale %q: want one of %s, or nothing", c.Scale, join(Scales()))
	case c.Connection != AnyConnection && s.Order != Sequential:
		return fmt.Errorf("connection %q: only where order is sequential, since operations at once share connections as they like", c.Connection)
	case c.Policy != nil && (c.Policy.MaxAttempts < 0 || c.Policy.Base < 0 || c.Policy.Cap < 0):
		return fmt.Errorf("policy: want no negative value")
	}
	return c.Script.Check()
}

// Bounds of a scenario: far above what any rule needs, low enough that a slip of the pen cannot take the machine down.
const (
	maxOperations = 10_000
	maxBody       = 32 << 20
	maxDeadline   = time.Hour
)
