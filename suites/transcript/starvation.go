package transcript

import (
	"slices"
	"time"
)

// Starved is how many times later than the suite's own timers a client may be on a busy machine, where it is one of many that wait for a core.
const Starved = 3

// starvedBy is how many times later than the suite's own timers a client in another process may be on a machine that is busy.
const starvedBy = 10

// Starvation is how late the machine may have made the client, at the worst and in three cases of four: as late as it made the suite's own timers,
// or as late as first attempts came. A client in a process of its own may be starved where the suite is not, and there it shows: its clock cannot
// have started later than its first attempt. That counts only in proportion to what the machine itself was seen to be late: on a quiet one, a
// client that takes its time takes its own.
func (t Transcript) Starvation() (worst, typical time.Duration) {
	worst, typical = time.Duration(t.Lateness), time.Duration(t.TypicalLateness)
	var delays []time.Duration
	for _, op := range t.Ops() {
		if len(op.Attempts) > 0 {
			delays = append(delays, max(0, op.Attempts[0].FirstByte.Sub(op.Began)))
		}
	}
	if len(delays) == 0 {
		return worst, typical
	}
	slices.Sort(delays)
	slowest, spread := delays[len(delays)-1], delays[len(delays)*3/4]-delays[0]
	return max(worst, min(slowest, starvedBy*worst)), max(typical, min(spread, starvedBy*typical))
}
