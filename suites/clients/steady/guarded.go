package steady

import (
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
)

// GuardedHello is what the client says of itself under [Guarded].
func GuardedHello() drive.Hello {
	h := budgeted(Hello(), "guarded")
	h.Claims.AttemptTimeoutMS = int(Guarded().AttemptTimeout / time.Millisecond)
	return h
}

// Guarded is the default policy with guards against making an outage worse: a retry budget, and a timer for each attempt, so that one instance
// that hangs does not cost the whole time of an operation. The timer is far above what any answer of a sound service takes.
func Guarded() Policy {
	p := Default()
	p.AttemptTimeout = time.Second
	p.Budget = usualBudget
	return p
}

// UsualRate lets one first attempt in ten be tried again (Google SRE Book, 21: a ratio below 10 %). The floor of one a second is for clients
// with little to do, whose tenth is hardly ever a whole retry; ten saved retries carry a client over the restart of one instance.
func UsualRate() Rate { return Rate{Ratio: 0.1, MinPerSecond: 1, Burst: 10} }

func usualBudget() Budget { return Buckets(UsualRate()) }

// budgeted is what a client says that has a budget of the usual rate besides.
func budgeted(h drive.Hello, name string) drive.Hello {
	r := UsualRate()
	h.Name = name
	h.Features = append(h.Features, drive.Budget)
	h.Claims.Budget = drive.RetryBudget{Ratio: r.Ratio, MinPerSecond: r.MinPerSecond, Burst: r.Burst}
	return h
}
