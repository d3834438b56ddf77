package suites

import "github.com/brownout-dev/brownout/suites/transcript"

func noRestart() Rule {
	return Rule{
		ID: "RT-12", Level: MustNot, Family: Retrying, Profile: Safe,
		Says:   "a body that broke off is never completed from another one: the rest is asked for and verified, or all of it is had again",
		Source: "RFC 9110, 14.4, 15.3.7 and 15.3.7.3 (parts are combined only under the same strong validator); gRFC A6, When Retries are Valid",
		Under:  "broken-and-begun-anew",
		Why: "The second attempt's body is written behind the first one's half: HHello World. A file with a seam in it has the right name, often the right length, and a status of 200; nobody finds out before it is opened. " +
			"Between the two attempts the thing itself may have changed, and then it is half of each.",
		Right: "Once a part of a body has been handed on, fail; or ask for the rest with Range and If-Range, and take it only if it is a 206, begins at the byte that is missing, and has the same strong ETag. " +
			"A 200 in answer to that is the whole thing from its beginning.",
		Holds: func(b *Bench, t transcript.Transcript) {
			if !tellsBodies(t.In("a sound read")) {
				b.NotTested("the client does not tell which body it hands on, or does not hand it on as it came")
				return
			}
			cases := []string{"the rest", "the rest, after a reset", "all of it", "all of it, after a reset", "another part", "a part of something else"}
			resumed := 0
			for op := range b.Repeated(t.In(cases...)) {
				b.Expect(op).To(BeGivenItsOwn())
				for _, a := range op.Attempts {
					if a.Header.Get("Range") != "" {
						resumed++
					}
				}
			}
			b.Measure("asked for the rest", count(resumed, "time"))
		},
	}
}
