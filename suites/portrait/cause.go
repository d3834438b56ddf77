package portrait

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/brownout-dev/brownout/fakes/journal"
)

// Cause is what first attempts ended in, and how often another attempt followed.
type Cause struct {
	What       string `json:"what"`          // a status, or one of the words below
	Repeatable Tally  `json:"repeatable"`    // reads, other idempotent methods, writes with a key
	Unkeyed    Tally  `json:"unkeyed_write"` // what may be done twice when it is sent twice
}

// Tally is how many operations came to it, and how many of them were attempted again.
type Tally struct {
	Seen     int `json:"seen"`
	Repeated int `json:"repeated"`
}

// How attempts end that got no whole reply.
const (
	timeOut       = "time-out"             // the client left first
	brokenReply   = "a broken reply"       // the reply had begun
	lostByReset   = "a reset before reply" // RST
	lostByClose   = "a close before reply" // FIN
	lostOtherwise = "no reply"
)

// ending says what an attempt ended in; "" = in a whole reply that is no failure, or it cannot be told.
func (o op) ending(a journal.Attempt) string {
	switch fault := o.Struck(a.Number); {
	case a.ReplyLast.Happened() && (a.Status < 300 || a.Status == http.StatusNotModified):
		return ""
	case a.ReplyLast.Happened(), a.Status >= 400 && a.Gone.Happened(): // a failure's body, too long to be read
		return strconv.Itoa(a.Status)
	case a.Gone.Happened() && (!a.Cut.Happened() || a.Gone <= a.Cut):
		return timeOut
	case !a.Cut.Happened():
		return ""
	case a.ReplyFirst.Happened():
		return brokenReply
	case strings.HasPrefix(fault, "reset"):
		return lostByReset
	case strings.HasPrefix(fault, "close"):
		return lostByClose
	}
	return lostOtherwise
}

// causes tallies the first attempts of operations that were under the client's own policy and had time for a second. A hint may have asked for
// more time than there was: an operation that was given one and not repeated tells nothing. Nor does a time-out that nothing followed, where no
// deadline says how much time there was. What follows a redirect is no retry; and what was lost on a kept connection, a transport may repeat by itself.
func causes(e evidence) []Cause {
	found := map[string]*Cause{}
	for _, o := range e.ops {
		if len(o.Attempts) == 0 || !o.ownPolicy() {
			continue
		}
		a := o.Attempts[0]
		what, again := o.ending(a), len(o.Attempts) > 1
		if what == "" || lostWhenKept(a, what) || o.hedged(1) || again && a.ReplyLast.Happened() && ledOn(a.Status) {
			continue
		}
		if bounded := o.Deadline > 0 || what != timeOut; !again && (hinted(o.Struck(a.Number)) || !bounded || o.left(o.Over(1)) <= 0) {
			continue
		}
		c := found[what]
		if c == nil {
			c = &Cause{What: what}
			found[what] = c
		}
		t := &c.Repeatable
		if unkeyed(a) {
			t = &c.Unkeyed
		}
		t.Seen++
		if again {
			t.Repeated++
		}
	}
	all := make([]Cause, 0, len(found)+1)
	if c, told := refusals(e); told {
		all = append(all, c)
	}
	for _, c := range found {
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b Cause) int { return cmp.Compare(a.What, b.What) })
	return all
}

// lostWhenKept tells whether an attempt got no byte of a reply on a connection that had been used before.
func lostWhenKept(a journal.Attempt, ending string) bool {
	return a.Use > 1 && (ending == lostByClose || ending == lostByReset)
}

// unkeyed tells whether sending the attempt twice may do it twice (RFC 9110, 9.2.2).
func unkeyed(a journal.Attempt) bool {
	return a.Key == "" && (a.Method == http.MethodPost || a.Method == http.MethodPatch)
}

// hinted tells whether a fault told the client when to come back.
func hinted(fault string) bool { return strings.Contains(fault, "retry-after=") }
