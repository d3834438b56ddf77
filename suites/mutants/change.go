package mutants

import (
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

// change is what makes a mutant of the reference.
type change = func(steady.Policy) steady.Policy

// same changes nothing: what is wrong, or different, is around the client or in what it says.
func same(p steady.Policy) steady.Policy { return p }

// all makes several changes, in order, where one defect takes more than one.
func all(changes ...change) change {
	return func(p steady.Policy) steady.Policy {
		for _, c := range changes {
			p = c(p)
		}
		return p
	}
}

// says tells something of an operation after an attempt.
type says = func(steady.Operation, steady.Attempt) bool

// also retries what yes says, beside what the reference retries.
func also(yes says) change {
	return func(p steady.Policy) steady.Policy {
		right := p.Retryable
		p.Retryable = func(o steady.Operation, a steady.Attempt) bool { return right(o, a) || yes(o, a) }
		return p
	}
}

// never retries what no says, whatever the reference does.
func never(no says) change {
	return func(p steady.Policy) steady.Policy {
		right := p.Retryable
		p.Retryable = func(o steady.Operation, a steady.Attempt) bool { return right(o, a) && !no(o, a) }
		return p
	}
}

// answered says that the attempt was answered with one of these statuses.
func answered(status ...int) says {
	return func(_ steady.Operation, a steady.Attempt) bool {
		return a.Err == nil && slices.Contains(status, a.Status)
	}
}

// endedIn says that the attempt ended in this error.
func endedIn(err error) says {
	return func(_ steady.Operation, a steady.Attempt) bool { return errors.Is(a.Err, err) }
}

// unkeyedWrite says that sending the operation twice may do it twice.
func unkeyedWrite(o steady.Operation, _ steady.Attempt) bool { return !o.Repeatable() }

// both says what all of them say.
func both(of ...says) says {
	return func(o steady.Operation, a steady.Attempt) bool {
		return !slices.ContainsFunc(of, func(s says) bool { return !s(o, a) })
	}
}

// waiting replaces the wait before the next attempt; right is the reference's, for the attempt as it is or as the mutant takes it.
func waiting(wait func(own time.Duration, a steady.Attempt, right func(steady.Attempt) time.Duration) time.Duration) change {
	return func(p steady.Policy) steady.Policy {
		reference := p.Wait
		p.Wait = func(r *rand.Rand, own time.Duration, a steady.Attempt) time.Duration {
			return wait(own, a, func(a steady.Attempt) time.Duration { return reference(r, own, a) })
		}
		return p
	}
}

// backingOff replaces the own backoff.
func backingOff(b steady.Backoff) change {
	return func(p steady.Policy) steady.Policy {
		p.Backoff = b
		return p
	}
}

// claiming makes the client claim something else.
func claiming(edit func(*drive.Claims)) func(drive.Hello) drive.Hello {
	return func(h drive.Hello) drive.Hello {
		edit(&h.Claims)
		return h
	}
}

// silentOnBackoff takes back every claim about waits, so that only what needs no claim is judged of them.
func silentOnBackoff(h drive.Hello) drive.Hello {
	h.Claims.BaseMS, h.Claims.CapMS, h.Claims.Multiplier, h.Claims.Jitter = 0, 0, 0, ""
	return h
}
