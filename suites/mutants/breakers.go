package mutants

import (
	"net/http"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

func breakers() []Mutant {
	return []Mutant{
		{
			Name:   "breaker-never-opens",
			Defect: "has a circuit breaker that is wired to nothing",
			Trips:  []string{"CB-01", "CB-06", "CB-07"},
			From:   Isolating,
			Policy: func(p steady.Policy) steady.Policy {
				p.Breaker = nil
				return p
			},
		},
		{
			Name:   "opens-at-twice-the-failures",
			Defect: "claims to open at five failures, and opens at ten",
			Trips:  []string{"CB-01"},
			From:   Isolating,
			Policy: breaking(func(c *steady.Circuit) { c.Threshold *= 2 }),
		},
		{
			Name:   "half-the-cooldown",
			Defect: "sends its probes after half of the cooldown that it claims",
			Trips:  []string{"CB-01", "CB-04"},
			From:   Isolating,
			Policy: breaking(func(c *steady.Circuit) { c.Cooldown /= 2 }),
		},
		{
			Name:   "waits-before-it-refuses",
			Defect: "gives an open breaker a seventh of a second to close",
			Trips:  []string{"CB-02"},
			From:   Isolating,
			Policy: wrapping(func(_ string, b steady.Breaker) steady.Breaker { return patientBreaker{b} }),
		},
		{
			Name:   "retries-refusals",
			Defect: "takes an open breaker for a failure that may pass",
			Trips:  []string{"CB-02"},
			From:   Isolating,
			Policy: also(endedIn(steady.ErrOpen)),
		},
		{
			Name:   "connects-before-it-asks",
			Defect: "takes a connection first, and then asks the breaker",
			Trips:  []string{"CB-02"},
			From:   Isolating,
			Policy: connectsFirst,
		},
		{
			Name:   "everybody-is-a-probe",
			Defect: "lets everybody through when the cooldown is over, until somebody fails",
			Trips:  []string{"CB-03"},
			From:   Isolating,
			Policy: breaking(func(c *steady.Circuit) { c.Probes = 1000 }),
		},
		{
			Name:   "one-probe-too-many",
			Defect: "claims one probe, and lets two through",
			Trips:  []string{"CB-03"},
			From:   Isolating,
			Policy: breaking(func(c *steady.Circuit) { c.Probes++ }),
		},
		{
			Name:   "closes-with-time",
			Defect: "knows no half-open state: when the cooldown is over it is closed",
			Trips:  []string{"CB-01", "CB-03", "CB-04"},
			From:   Isolating,
			Policy: wrapping(func(_ string, b steady.Breaker) steady.Breaker { return &closesWithTime{now: b, fresh: usualBreaker} }),
		},
		{
			Name:   "bad-probe-changes-nothing",
			Defect: "stays half open when a probe fails, and sends the next",
			Trips:  []string{"CB-01", "CB-04"},
			From:   Isolating,
			Policy: wrapping(func(_ string, b steady.Breaker) steady.Breaker {
				return &probed{Breaker: b, as: func(a steady.Attempt) (steady.Attempt, bool) {
					if steady.Health(a) == steady.Bad {
						return steady.Attempt{}, true
					}
					return a, true
				}}
			}),
		},
		{
			Name:   "good-probe-opens-again",
			Defect: "starts another cooldown after each probe, whatever came of it",
			Trips:  []string{"CB-04"},
			From:   Isolating,
			Policy: wrapping(func(_ string, b steady.Breaker) steady.Breaker {
				return &probed{Breaker: b, as: func(steady.Attempt) (steady.Attempt, bool) {
					return steady.Attempt{Status: http.StatusInternalServerError}, true
				}}
			}),
		},
		{
			Name:   "waits-for-a-cancelled-probe",
			Defect: "never takes a probe's permit back that was cancelled",
			Trips:  []string{"CB-05"},
			From:   Isolating,
			Policy: losing(func(a steady.Attempt) bool { return steady.Health(a) == steady.Silent }),
		},
		{
			Name:   "waits-for-a-refused-probe",
			Defect: "never takes a probe's permit back that met an error of its caller's, since such errors do not count",
			Trips:  []string{"CB-05"},
			From:   Isolating,
			Policy: losing(func(a steady.Attempt) bool { return a.Status/100 == 4 }),
		},
		{
			Name:   "waits-for-a-probe-that-timed-out",
			Defect: "never takes a probe's permit back that got no answer",
			Trips:  []string{"CB-05"},
			From:   Isolating,
			Policy: losing(func(a steady.Attempt) bool { return a.Err != nil && steady.Health(a) == steady.Bad }),
		},
		{
			Name:   "failure-while-open-stops-the-clock",
			Defect: "forgets when to close again, when a call that was under way fails after it has opened",
			Trips:  []string{"CB-05"},
			From:   Isolating,
			Policy: wrapping(func(_ string, b steady.Breaker) steady.Breaker { return &stopped{Breaker: b} }),
		},
		{
			Name:   "counts-for-ever",
			Defect: "counts failures since it was started",
			Trips:  []string{"CB-06"},
			From:   Isolating,
			Policy: breaking(func(c *steady.Circuit) { c.Window = time.Hour }),
		},
		{
			Name:   "counts-in-a-row",
			Defect: "begins to count from nothing at each success",
			Trips:  []string{"CB-06"},
			From:   Isolating,
			Policy: wrapping(func(_ string, b steady.Breaker) steady.Breaker { return &inARow{now: b, fresh: usualBreaker} }),
		},
		{
			Name:   "not-found-opens-it",
			Defect: "takes a 404 for a failure of the dependency",
			Trips:  []string{"CB-07"},
			From:   Isolating,
			Policy: health(func(a steady.Attempt) bool { return a.Status == http.StatusNotFound }, steady.Bad),
		},
		{
			Name:   "refused-writes-open-it",
			Defect: "takes a 422 for a failure of the dependency",
			Trips:  []string{"CB-07"},
			From:   Isolating,
			Policy: health(func(a steady.Attempt) bool { return a.Status == http.StatusUnprocessableEntity }, steady.Bad),
		},
		{
			Name:   "silence-does-not-count",
			Defect: "counts bad answers, and not those that do not come",
			Trips:  []string{"CB-07"},
			From:   Isolating,
			Policy: health(func(a steady.Attempt) bool { return a.Err != nil }, steady.Silent),
		},
		{
			Name:   "one-breaker-for-all",
			Defect: "has one circuit breaker for all that it calls",
			Trips:  []string{"CB-08"},
			From:   Isolating,
			Policy: func(p steady.Policy) steady.Policy {
				one := usualBreaker()
				p.Breaker = func(string) steady.Breaker { return one }
				return p
			},
		},
	}
}
