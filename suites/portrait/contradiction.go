package portrait

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
)

// Contradiction is a claim that what was seen speaks against.
type Contradiction struct {
	Claim string `json:"claim"` // as it is written: "jitter=full"
	Seen  string `json:"seen"`
}

// How far a length of time may be from the claimed one, beyond what its own measurement allows, until it contradicts the claim: a quarter
// for an average, a fifth for the cap, on top of which some clients put jitter (gRFC A6).
const (
	awry    = 1.25
	overCap = 1.2
)

// sureOf is how often something has to be seen that a claim speaks against: once may be chance.
const sureOf = 2

// contradictions holds the claims against the portrait. A claim about what was not seen is not contradicted.
func contradictions(c drive.Claims, p Portrait) (found []Contradiction) {
	against := func(yes bool, claim any, seen string, args ...any) {
		if yes {
			found = append(found, Contradiction{fmt.Sprint(claim), fmt.Sprintf(seen, args...)})
		}
	}
	most := p.Attempts.Most
	against(c.MaxAttempts > 0 && most > c.MaxAttempts, fmt.Sprintf("max_attempts=%d", c.MaxAttempts), "%d attempts", most)
	heldBack := p.Attempts.TimeEnded || p.Budget.HeldBack > 0 || p.Budget.Unsent > 0
	against(c.MaxAttempts > most && p.Attempts.Usual > 1 && p.Attempts.Operations >= sureOf && !heldBack,
		fmt.Sprintf("max_attempts=%d", c.MaxAttempts), "%d attempts at the most", most)
	if w := p.Waits; w != nil {
		found = append(found, againstWaits(c, *w)...)
	}
	found = append(found, againstStatuses(c, p)...)
	if name := http.CanonicalHeaderKey(c.KeyHeader); name != "" && len(p.Keys.Headers) > 0 && !slices.Contains(p.Keys.Headers, name) {
		against(true, "key_header="+c.KeyHeader, "keys in %s", join(p.Keys.Headers))
	} else {
		against(name != "" && p.Keys.Writes > 0 && len(p.Keys.Headers) == 0, "key_header="+c.KeyHeader, "no key on any of %d writes", p.Keys.Writes)
	}
	if claimed := time.Duration(c.AttemptTimeoutMS) * time.Millisecond; claimed > 0 && p.Timer.Attempts >= sureOf {
		against(apart(time.Duration(p.Timer.Median), claimed), fmt.Sprintf("attempt_timeout_ms=%d", c.AttemptTimeoutMS), "attempts left after %s", show(p.Timer.Median))
	}
	return found
}

func againstWaits(c drive.Claims, w Waits) (found []Contradiction) {
	s := w.First
	if s.Claimed != nil && *s.Claimed < refuted {
		seen := "first waits of " + s.words()
		found = append(found, Contradiction{"jitter=" + string(c.Jitter), seen})
	}
	// The base is known by the kind of jitter; where that is another than the claimed one, one contradiction says enough.
	right := c.Jitter == "" || s.Kind == c.Jitter
	if base := c.Base(); base > 0 && w.Base > 0 && right && apart(time.Duration(w.Base), base) {
		found = append(found, Contradiction{fmt.Sprintf("base_ms=%d", c.BaseMS), "a first wait of " + show(w.Base) + " before jitter"})
	}
	// Waits may be too short for their kind to be known, and so too short for the base as well: below half of it lies every second wait of full
	// jitter, and none of any other kind.
	if base := c.Base(); w.Base == 0 && s.Samples >= fewest && time.Duration(s.High) < base/2-leastApart {
		found = append(found, Contradiction{fmt.Sprintf("base_ms=%d", c.BaseMS), "no first wait of more than " + show(s.High)})
	}
	over := func(wait float64) bool { return wait > overCap*c.Cap().Seconds()+leastApart.Seconds() }
	if beyond := len(slices.DeleteFunc(slices.Clone(w.surely), func(s float64) bool { return !over(s) })); c.CapMS > 0 && beyond >= sureOf {
		found = append(found, Contradiction{fmt.Sprintf("cap_ms=%d", c.CapMS), "a wait of " + show(w.Longest)})
	}
	return found
}

// leastApart is what two lengths of time may differ by in any case: an adapter and a busy machine take as much.
const leastApart = 20 * time.Millisecond

func apart(seen, claimed time.Duration) bool {
	return math.Abs(float64(seen-claimed)) > float64(leastApart) && (float64(seen) > awry*float64(claimed) || awry*float64(seen) < float64(claimed))
}

// againstStatuses looks for statuses that are retried without being claimed, and for claimed ones that never are. Where a client claims a budget or a
// breaker, or was seen to be held back, that may have forbidden the retries.
func againstStatuses(c drive.Claims, p Portrait) (found []Contradiction) {
	if len(c.RetryStatuses) == 0 {
		return nil
	}
	guarded := p.Budget.HeldBack+p.Budget.Unsent > 0 || c.Breaker != (drive.CircuitBreaker{}) || c.Budget != (drive.RetryBudget{})
	claim := "retry_statuses=" + joinInts(c.RetryStatuses)
	for _, cause := range p.Causes {
		status, err := strconv.Atoi(cause.What)
		if err != nil {
			continue // a time-out is no status
		}
		switch claimed := slices.Contains(c.RetryStatuses, status); {
		case !claimed && cause.Repeatable.Repeated+cause.Unkeyed.Repeated > 0:
			found = append(found, Contradiction{claim, fmt.Sprintf("%d retried", status)})
		case claimed && !guarded && cause.Repeatable.Seen >= sureOf && cause.Repeatable.Repeated == 0:
			found = append(found, Contradiction{claim, fmt.Sprintf("%d not retried, in %d reads and keyed writes", status, cause.Repeatable.Seen)})
		}
	}
	return found
}
