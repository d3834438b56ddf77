package suites

import (
	"cmp"
	"slices"

	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// places reads how many calls to one dependency a client claims to have under way. Without that nothing is tested.
func (b *Bench) places() (limit int, ok bool) {
	limit = b.Client.Claims.Bulkhead.Limit
	if limit == 0 {
		b.NotTested("nothing is known of the client's bulkhead: claim bulkhead with its limit")
		return 0, false
	}
	return limit, true
}

// crowded tells whether operations that come at once are more than a client has places for.
func (b *Bench) crowded(ops []transcript.Op, limit int) bool {
	if len(ops) > limit {
		return true
	}
	if len(ops) > 0 {
		b.NotTested("%s: %d at once are not more than the client's %d places", name(ops), len(ops), limit)
	}
	return false
}

// mostAtOnce is how many attempts of operations were under way together, at the most. One that ends as another comes made room for it: the fake
// writes an end down before the client can know of it. Attempts that the client left do not count, since the fake learns late of their end.
func mostAtOnce(ops []transcript.Op) (most int) {
	type change struct {
		at clock.Moment
		by int
	}
	var changes []change
	for _, op := range ops {
		for k, a := range op.Attempts {
			if a.ReplyLast.Happened() {
				changes = append(changes, change{a.FirstByte, +1}, change{op.Over(k + 1), -1})
			}
		}
	}
	slices.SortFunc(changes, func(x, y change) int { return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.by, y.by)) })
	now := 0
	for _, c := range changes {
		now += c.by
		most = max(most, now)
	}
	return most
}
