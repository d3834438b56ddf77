package suites

import (
	"math"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// span is where a wait lies that is drawn evenly, in seconds. One that is not drawn has both ends alike.
type span struct{ from, to float64 }

func (s span) width() float64 { return s.to - s.from }

func (s span) mean() float64 { return (s.from + s.to) / 2 }

func (s span) variance() float64 { return s.width() * s.width() / 12 }

// below is the chance that a draw is less than x.
func (s span) below(x float64) float64 {
	if s.width() == 0 {
		if s.from < x {
			return 1
		}
		return 0
	}
	return min(max((x-s.from)/s.width(), 0), 1)
}

// raised gives mean and variance of the larger of a draw and least.
func (s span) raised(least float64) (mean, variance float64) {
	p := s.below(least)
	above := span{min(max(s.from, least), s.to), s.to}
	if p == 1 {
		return least, 0
	}
	mean = p*least + (1-p)*above.mean()
	square := p*least*least + (1-p)*(above.variance()+above.mean()*above.mean())
	return mean, square - mean*mean
}

// upTo gives mean and variance of the smaller of a number and a draw.
func (s span) upTo(most float64) (mean, variance float64) {
	switch {
	case most <= s.from:
		return most, 0
	case most >= s.to:
		return s.mean(), s.variance()
	}
	p := s.below(most)
	mean = p*(s.from+most)/2 + (1-p)*most
	square := p*(s.from*s.from+s.from*most+most*most)/3 + (1-p)*most*most
	return mean, square - mean*mean
}

// drawn is where an operation's k-th wait lies by what the client claims, and whether it claims enough to tell: a base. Decorrelated jitter is
// no even draw: of it, only the least wait is told. Without a word on jitter it is taken for full, of which all is possible.
func (b *Bench) drawn(op transcript.Op, k int) (s span, claimed bool) {
	claims := b.Client.Claims
	ceiling := b.ceiling(op, k).Seconds()
	if ceiling == 0 {
		return span{}, false
	}
	switch claims.Jitter {
	case drive.NoJitter:
		return span{ceiling, ceiling}, true
	case drive.EqualJitter:
		return span{ceiling / 2, ceiling}, true
	case drive.PercentJitter:
		p := claims.JitterPercent / 100
		return span{ceiling * (1 - p), ceiling * (1 + p)}, true
	case drive.DecorrelatedJitter:
		base := b.ceiling(op, 1).Seconds()
		return span{base, base}, true
	}
	return span{0, ceiling}, true
}

// ceiling is the longest that an operation's k-th wait may be, by the policy that was asked for or else by the client's claims; 0 where
// neither names a base. Growth that is not claimed is not expected.
func (b *Bench) ceiling(op transcript.Op, k int) time.Duration {
	base, limit := b.baseAndCap(op)
	c := base.Seconds() * math.Pow(max(b.Client.Claims.Multiplier, 1), float64(k-1))
	if limit > 0 {
		c = min(c, limit.Seconds())
	}
	return time.Duration(min(c, maxWait.Seconds()) * float64(time.Second))
}

// maxWait keeps what is computed from claims within what a Duration holds.
const maxWait = 1000 * time.Hour

// baseAndCap are those of the policy that was asked for, or else those that the client claims; 0 = not known.
func (b *Bench) baseAndCap(op transcript.Op) (base, limit time.Duration) {
	if op.Base > 0 {
		return time.Duration(op.Base), time.Duration(op.Cap)
	}
	return b.Client.Claims.Base(), b.Client.Claims.Cap()
}

// What a wait may be beyond its ceiling: decorrelated jitter grows to three times the wait before it (AWS Architecture Blog, Exponential
// Backoff And Jitter), and where nothing is said of jitter, some put as much again on top.
const (
	decorrelatedGrowth = 3
	unclaimedJitter    = 2
)

// longest is the longest that an operation's k-th wait may be, jitter included, and whether the client claims enough to tell.
func (b *Bench) longest(op transcript.Op, k int) (d time.Duration, claimed bool) {
	claims := b.Client.Claims
	base, limit := b.baseAndCap(op)
	growth := claims.Multiplier
	if claims.Jitter == drive.DecorrelatedJitter {
		growth, k = decorrelatedGrowth, k+1
	}
	var most float64
	switch {
	case base > 0 && (growth > 0 || k == 1):
		most = base.Seconds() * math.Pow(max(growth, 1), float64(k-1))
		if limit > 0 {
			most = min(most, limit.Seconds())
		}
	case limit > 0:
		most = limit.Seconds()
	default:
		return 0, false
	}
	switch claims.Jitter {
	case "":
		most *= unclaimedJitter
	case drive.PercentJitter:
		most *= 1 + claims.JitterPercent/100
	}
	return time.Duration(min(most, maxWait.Seconds()) * float64(time.Second)), true
}
