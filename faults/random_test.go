package faults

import (
	"time"

	"pgregory.net/rapid"
)

// anyFault draws a fault that a plan may ask for, at any phase where it can strike.
func anyFault() *rapid.Generator[Fault] {
	return rapid.Custom(func(t *rapid.T) Fault {
		a := rapid.SampledFrom(Kinds()).Draw(t, "kind")
		fill(t, a)
		return Fault{At: rapid.SampledFrom(a.Kind().Phases).Draw(t, "at"), Action: a}
	}).Filter(func(f Fault) bool { return f.Check() == nil })
}

// anyScript draws a script that a plan may ask for.
func anyScript() *rapid.Generator[Script] {
	step := rapid.Map(rapid.SliceOfN(anyFault(), 1, 3), func(s []Fault) []Fault { return s })
	return rapid.Custom(func(t *rapid.T) Script {
		return Script{
			Steps:       rapid.SliceOfN(rapid.OneOf(rapid.Just[[]Fault](nil), step), 1, 4).Draw(t, "steps"),
			Repeat:      rapid.Bool().Draw(t, "repeat"),
			Probability: rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(0, 1)).Draw(t, "probability"),
		}
	}).Filter(func(s Script) bool { return s.Check() == nil })
}

// anyText draws bytes of any kind, and texts that look like parts of the text form.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.String(),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
		rapid.SampledFrom([]string{"head", "+", "ok", "a=b", "'", `"`, "a: b", "#", "~", "null", "1e3", "0x10", " x ", "\\", "\r\n", "- x", "é", "\ufeff", "\u2028"}),
	)
}

func anyDuration(unit time.Duration) *rapid.Generator[time.Duration] {
	return rapid.OneOf(
		rapid.Map(rapid.Int64Range(0, int64(longest/unit)), func(n int64) time.Duration { return time.Duration(n) * unit }),
		rapid.SampledFrom([]time.Duration{time.Nanosecond, time.Microsecond, time.Millisecond, time.Second, time.Hour}),
	)
}

// fill draws the fields of an action. A kind that is not here has none.
func fill(t *rapid.T, a Action) {
	stream := rapid.SampledFrom([]Stream{"", Upstream, Downstream})
	bytes := rapid.OneOf(rapid.Just[*int](nil), rapid.Ptr(rapid.IntRange(0, 1<<40), false))
	switch a := a.(type) {
	case *ClosedPort:
		a.For = anyDuration(1).Draw(t, "for")
	case *SilentPort:
		a.For = anyDuration(1).Draw(t, "for")
	case *Latency:
		a.For = anyDuration(time.Millisecond).Draw(t, "for")
		a.Jitter = anyDuration(time.Millisecond).Draw(t, "jitter")
		a.Stream = stream.Draw(t, "stream")
	case *Bandwidth:
		a.Rate = rapid.IntRange(1, fastest).Draw(t, "rate")
		a.Stream = stream.Draw(t, "stream")
	case *Slice:
		a.Size = rapid.IntRange(1, largest).Draw(t, "size")
		a.Variation = rapid.IntRange(0, a.Size-1).Draw(t, "variation")
		a.Delay = anyDuration(time.Microsecond).Draw(t, "delay")
		a.Stream = stream.Draw(t, "stream")
	case *Limit:
		a.Bytes = rapid.IntRange(1, 1<<40).Draw(t, "bytes")
		a.Stream = stream.Draw(t, "stream")
	case *Delay:
		a.For = anyDuration(1).Draw(t, "for")
	case *Status:
		a.Code = rapid.IntRange(200, 599).Draw(t, "code")
		a.RetryAfter = rapid.OneOf(rapid.Just[[]string](nil), rapid.SliceOfN(anyText(), 1, 3)).Draw(t, "retry-after")
		if rapid.Bool().Draw(t, "counted") {
			a.Bytes = rapid.IntRange(1, mostBytes).Draw(t, "bytes")
		} else {
			a.Body = anyText().Draw(t, "body")
		}
		for range rapid.IntRange(0, 2).Draw(t, "headers") {
			name := rapid.StringMatching(`[A-Za-z][A-Za-z0-9-]{0,8}`).Draw(t, "name")
			if a.Headers == nil {
				a.Headers = map[string]string{}
			}
			a.Headers[name] = rapid.StringMatching(`[ -~\t]{0,10}`).Draw(t, "value")
		}
	case *Redirect:
		a.Code = rapid.SampledFrom([]int{301, 302, 303, 307, 308}).Draw(t, "code")
		a.To = rapid.StringMatching(`/[a-z0-9/=+]{0,9}`).Draw(t, "to")
		a.Origin = rapid.SampledFrom([]Origin{"", SameOrigin, SecondOrigin}).Draw(t, "origin")
		a.RetryAfter = rapid.OneOf(rapid.Just[[]string](nil), rapid.SliceOfN(anyText(), 1, 3)).Draw(t, "retry-after")
	case *Sever:
		a.For = anyDuration(1).Draw(t, "for")
	case *Saved:
		a.Code = rapid.IntRange(400, 599).Draw(t, "code")
	case *Truncate:
		a.Bytes = bytes.Draw(t, "bytes")
		a.Chunked = rapid.Bool().Draw(t, "chunked")
		a.End = rapid.SampledFrom([]End{"", FIN, RST}).Draw(t, "end")
	case *Stall:
		a.Bytes = bytes.Draw(t, "bytes")
	case *Drip:
		a.Every = anyDuration(1).Draw(t, "every")
		a.Bytes = rapid.IntRange(0, 1<<40).Draw(t, "bytes")
		a.Gzip = rapid.Bool().Draw(t, "gzip")
	case *Interim:
		a.Every = anyDuration(1).Draw(t, "every")
		a.Code = rapid.SampledFrom([]int{0, 100, 102, 103, 199}).Draw(t, "code")
		a.Times = rapid.IntRange(0, 1<<40).Draw(t, "times")
	case *Range:
		a.Answer = rapid.SampledFrom([]Part{Ignored, Shifted, Changed}).Draw(t, "answer")
	case *LastChunk:
		a.Bytes = rapid.OneOf(rapid.Just[*int](nil), rapid.Ptr(rapid.IntRange(0, len(lastChunk)-1), false)).Draw(t, "bytes")
		a.Pause = anyDuration(1).Draw(t, "pause")
	case *Conflict:
		a.Of = rapid.SampledFrom([]Framings{ShortAndLong, LongAndShort, ChunksAndLength}).Draw(t, "of")
	case *Surplus:
		a.Code = rapid.SampledFrom([]int{0, 200, 202, 408, 503}).Draw(t, "code")
		a.After = anyDuration(1).Draw(t, "after")
		a.Close = rapid.Bool().Draw(t, "close")
	case *Garbage:
		a.Text = anyText().Draw(t, "text")
	}
}
