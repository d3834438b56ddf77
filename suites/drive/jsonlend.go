//go:build unix

package drive

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// conclude answers the calls under way when nothing of the process is left; behind says what it left. Calls that had not begun get no
// answer: they may be asked of another process.
func (s *session) conclude(o JSONLOptions, behind string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var under []*asked
	given := 0
	for _, c := range s.asked {
		switch {
		case c.answered || c.began.IsZero():
		case c.left:
			given++
		default:
			under = append(under, c)
		}
	}
	slices.SortFunc(under, func(a, b *asked) int { return a.began.Compare(b.began) })
	s.how = s.death(o, len(under) > 0)
	if s.how != "" {
		s.how += company(under, given)
	}
	if behind != "" {
		s.how = strings.TrimPrefix(s.how+"; "+behind, "; ")
	}
	s.blamed = len(under) > 0
	at, killed := time.Now(), s.stuck
	if !s.stuck {
		at, killed = s.ended, s.gaveUp
	}
	for _, c := range under {
		c.answered = true
		r := Result{Outcome: Error, Killed: killed, Began: c.began, Ended: at, LastWords: s.words()}
		if r.Ended.Before(r.Began) {
			r.Ended = r.Began // its line went into the pipe of a process that was ending
		}
		r.Trouble = s.how + "\n" + r.LastWords
		c.answer <- r
	}
}

// death says how the process came to its end; "" = as it should.
func (s *session) death(o JSONLOptions, unanswered bool) string {
	doom := s.fate()
	switch {
	case s.stuck:
		return fmt.Sprintf("process %d could not be killed", s.group)
	case doom != "":
		return "the process " + doom + ", and was killed"
	case s.gaveUp:
		return fmt.Sprintf("the process did not end within %v after bye, and was ended (%v)", o.Farewell, s.cmd.ProcessState)
	case !s.met:
		return fmt.Sprintf("the process ended by itself (%v) before it had said hello", s.cmd.ProcessState)
	case !s.leaving:
		return fmt.Sprintf("the process ended by itself (%v)", s.cmd.ProcessState)
	case unanswered:
		return fmt.Sprintf("the process ended after bye (%v)", s.cmd.ProcessState)
	}
	return ""
}

// toldCalls is how many of the calls under way a message names.
const toldCalls = 5

// company names the calls that were under way, one of which may be the cause.
func company(under []*asked, given int) (text string) {
	if len(under) > 0 {
		var names []string
		for _, c := range under[:min(toldCalls, len(under))] {
			names = append(names, string(c.operation))
		}
		if more := len(under) - len(names); more > 0 {
			names = append(names, fmt.Sprintf("and %d more", more))
		}
		text = fmt.Sprintf(" with %s under way: %s", counted(len(under), "call"), strings.Join(names, ", "))
	}
	if given > 0 {
		text += fmt.Sprintf(" (beside %s that the play had given up on)", counted(given, "call"))
	}
	return text
}

// untold is how the process came to its end, where no call under way told of it. Only for after its end.
func (s *session) untold() error {
	if s.how == "" || s.blamed {
		return nil
	}
	return errors.New(s.how + "\n" + s.words())
}
