package suites

import (
	"fmt"
	"strings"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func sameRequest() Rule {
	return Rule{
		ID: "RT-14", Level: Must, Family: Retrying, Profile: Safe,
		Says:   "a repeated request is the same, whole request",
		Source: "RFC 9112, 6.3; Go net/http, Transport (a request body must be able to be had again)",
		Under:  "fails-with-each-body",
		Needs:  drive.Retries,
		Why:    "The body was read by the first attempt, so the second sends an empty order, or half of one, and it is accepted.",
		Right:  "Keep the bytes, or a way to read them again. Where there is none, do not retry.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Repeated(t.In()) {
				b.Expect(op).To(repeatItself())
			}
		},
	}
}

// repeatItself holds for an operation whose attempts are all the same request. What the fake did not read of an attempt is not compared.
func repeatItself() matcher {
	return matcher{
		needed: "the same request on every attempt, whole",
		holds:  func(op transcript.Op) bool { return difference(op) == "" },
		seen:   difference,
	}
}

func difference(op transcript.Op) string {
	var said []string
	first := op.Attempts[0]
	differ := func(k int, what string, was, is any) {
		if was != is {
			said = append(said, fmt.Sprintf("#%d has %s %#v, #1 had %#v", k, what, is, was))
		}
	}
	if first.BodyRead.Happened() && first.BodyBytes == 0 && op.BodyBytes > 0 {
		said = append(said, "#1 has no body, the caller gave "+count(int(op.BodyBytes), "byte"))
	}
	var whole string // the digest of the first body that was read whole
	for i, a := range op.Attempts {
		k := i + 1
		differ(k, "method", first.Method, a.Method)
		differ(k, "target", first.Target, a.Target)
		differ(k, "Content-Type", first.Header.Get("Content-Type"), a.Header.Get("Content-Type"))
		differ(k, "key", first.Key, a.Key)
		if a.DeclaredLength >= 0 && first.DeclaredLength >= 0 {
			differ(k, "Content-Length", first.DeclaredLength, a.DeclaredLength)
		}
		if a.BodyError != "" {
			said = append(said, fmt.Sprintf("#%d has a body that ends early: %s", k, a.BodyError))
			continue
		}
		if !a.BodyRead.Happened() {
			continue
		}
		if whole == "" {
			whole = a.BodySHA256
		}
		if a.BodySHA256 != whole {
			said = append(said, fmt.Sprintf("#%d has another body, of %s", k, count(int(a.BodyBytes), "byte")))
		}
	}
	return strings.Join(said, "; ")
}
