package suites

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// Bounds of a good key: Stripe takes 255 octets; 122 random bits are 21 characters of base 64; a UUID of version 7 shares its first 13
// characters with others of the same moment.
const (
	longestKey   = 255
	shortestKey  = 21
	sharedPrefix = 16
)

func unguessableKeys() Rule {
	return Rule{
		ID: "ID-13", Level: Should, Family: Idempotency, Profile: Safe,
		Says:   "keys are unguessable, bounded, and carry no personal data",
		Source: "draft-ietf-httpapi-idempotency-key-header, 2 and Security Considerations; Stripe API, Idempotent requests",
		Under:  "many-writes-at-once",
		Needs:  drive.IdempotencyKey,
		Why:    "A key that can be guessed reads another customer's receipt, and one made of an e-mail address is in every log.",
		Right:  "A UUID of version 4, or as many random bits in another form.",
		Holds: func(b *Bench, t transcript.Transcript) {
			var keys []string
			for op := range b.Reached(t.In()) {
				if why := notItsOwn(op); why != "" {
					b.NotTested("%s: %s", op.Case, why)
					continue
				}
				keys = append(keys, op.Attempts[0].Key)
				b.Expect(op).To(haveAGoodKey())
			}
			if shared := commonPrefix(keys); len(keys) > 1 && len(shared) > sharedPrefix && shortest(keys)-len(shared) < shortestKey {
				b.expectsOfAll()
				b.found(fmt.Sprintf("keys of which %d characters or more differ", shortestKey), fmt.Sprintf("all of %s begin with %q", count(len(keys), "key"), shared))
			}
		},
	}
}

var mailAddress = regexp.MustCompile(`[^@\s]+@[^@\s]+\.[a-z]+`)

func haveAGoodKey() matcher {
	wrong := func(op transcript.Op) string {
		key := op.Attempts[0].Key
		switch {
		case len(key) < shortestKey:
			return fmt.Sprintf("%q, of %s", key, count(len(key), "character"))
		case len(key) > longestKey:
			return "a key of " + count(len(key), "character")
		case strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r > '~' }):
			return fmt.Sprintf("%+q, which is not printable", key)
		case mailAddress.MatchString(key):
			return fmt.Sprintf("%q, which looks like an address", key)
		}
		return ""
	}
	return matcher{
		needed: fmt.Sprintf("a printable key of %d to %d characters without personal data", shortestKey, longestKey),
		holds:  func(op transcript.Op) bool { return wrong(op) == "" },
		seen:   wrong,
	}
}

// shortest is the length of the shortest key.
func shortest(keys []string) int {
	n := len(keys[0])
	for _, k := range keys {
		n = min(n, len(k))
	}
	return n
}

func commonPrefix(keys []string) string {
	if len(keys) == 0 {
		return ""
	}
	prefix := keys[0]
	for _, k := range keys[1:] {
		for !strings.HasPrefix(k, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	return prefix
}
