package suites

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func followedRedirects() Rule {
	return Rule{
		ID: "CX-08", Level: Must, Family: Connections, Profile: Safe,
		Says:   "a followed 307 or 308 keeps method, body and key, leaves credentials behind on the way to another origin, and comes to an end",
		Source: "RFC 9110, 15.4.8 and 15.4.9 (the method MUST NOT change), 15.4 (Authorization and Cookie: consider removing them, weaker than here); Fetch Standard, HTTP-redirect fetch (Authorization is removed, twenty redirects are the limit)",
		Under:  "redirected",
		Needs:  drive.Redirects,
		Why:    "The order arrives as an empty GET, and its 200 is taken for a receipt. Or it arrives whole, together with the customer's token, at whoever has bought the domain that the service moved away from.",
		Right:  "Follow 307 and 308 with the same request, a few times, within the same deadline. Compare scheme, host and port with those before, and drop Authorization and Cookie where one of them differs.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				hops := hopsOf(op)
				if len(hops) == 0 {
					b.NotTested("%s: the client did not follow it", op.Case)
					continue
				}
				for _, hop := range hops {
					b.Expect(op).To(carryOn(cameFrom(op, hop), hop))
				}
				b.Expect(op).To(BeSentAtMost(b.mostRequests(op)))
				b.Within(op, "the answer", op.Elapsed(), time.Duration(op.Deadline))
			}
		},
	}
}

// A client may follow as many redirects in each attempt as curl does by default, which is more than all others do; with more attempts than
// so many no deadline of the scenario lets a client without a limit exceed it.
const (
	mostHops     = 50
	mostAttempts = 4
)

// mostRequests is how many requests an operation may make that is redirected for ever.
func (b *Bench) mostRequests(op transcript.Op) int {
	return (1 + mostHops) * min(max(1, b.allowed(op)), mostAttempts)
}

// hopsOf are the attempts of an operation that went where a redirect leads.
func hopsOf(op transcript.Op) []journal.Attempt {
	path := func(target string) string { p, _, _ := strings.Cut(target, "?"); return p }
	hops := slices.DeleteFunc(slices.Clone(op.Attempts), func(a journal.Attempt) bool {
		return path(a.Target) == path(op.Target) && a.Origin == op.Attempts[0].Origin
	})
	for _, a := range op.LookUps { // a write that became a read on the way looks like one
		if slices.ContainsFunc(op.Decisions, func(d journal.Decision) bool { return strings.Contains(d.Fault, " to="+path(a.Target)+" ") }) {
			hops = append(hops, a)
		}
	}
	return hops
}

// cameFrom is the request that was redirected to a hop: the last one before it.
func cameFrom(op transcript.Op, hop journal.Attempt) journal.Attempt {
	from := op.Attempts[0]
	for _, a := range op.Attempts {
		if a.Number < hop.Number {
			from = a
		}
	}
	return from
}

// carryOn holds for an operation of which a hop carries all that it has to, and nothing that it must not.
func carryOn(from, hop journal.Attempt) matcher {
	return matcher{
		needed: "the same request behind the redirect, without credentials for another origin",
		holds:  func(op transcript.Op) bool { return lostOnTheWay(op.Attempts[0].Origin, from, hop) == "" },
		seen:   func(op transcript.Op) string { return lostOnTheWay(op.Attempts[0].Origin, from, hop) },
	}
}

// lostOnTheWay tells what a hop has changed of the request that led to it, or should have, at another origin than its operation began at.
func lostOnTheWay(home int, was, is journal.Attempt) string {
	var said []string
	differ := func(what string, was, is any) {
		if was != is {
			said = append(said, what+" "+fmt.Sprintf("%#v, where it was %#v", is, was))
		}
	}
	elsewhere := is.Origin != home
	differ("method", was.Method, is.Method)
	differ("Content-Type", was.Header.Get("Content-Type"), is.Header.Get("Content-Type"))
	if !elsewhere || is.Key != "" {
		differ("key", was.Key, is.Key)
	}
	switch {
	case is.BodyError != "":
		said = append(said, "a body that ends early: "+is.BodyError)
	case is.BodyRead.Happened() && was.BodyRead.Happened() && is.BodySHA256 != was.BodySHA256:
		said = append(said, "another body, of "+count(int(is.BodyBytes), "byte")+" instead of "+strconv.FormatInt(was.BodyBytes, 10))
	}
	for _, name := range []string{"Authorization", "Cookie"} {
		if elsewhere && is.Header.Get(name) != "" {
			said = append(said, name+" sent to another origin")
		}
	}
	return strings.Join(said, "; ")
}
