//go:build unix

package drive

import (
	"fmt"
	"time"
)

// take reads stdout, which has nothing on it but messages.
func (s *session) take(p []byte) {
	s.at = time.Now()
	s.cutter.take(p, s.hear)
	if s.tooLong {
		s.hear(nil, true) // its end may never come
	}
}

// end is the end of stdout. What has no line break is no line: the message would have been cut short.
func (s *session) end() { s.lost("stdout") }

func (s *session) hear(line []byte, tooLong bool) {
	if s.deaf {
		return
	}
	wrong := fmt.Sprintf("wrote a line longer than %d bytes: leave body out, and say body_sha256 and body_bytes instead", answerLimit)
	if !tooLong {
		wrong = s.understand(line)
	}
	if wrong != "" {
		s.deaf = true
		s.fail(wrong)
	}
}

// understand makes sense of a line, or says what is wrong with it.
func (s *session) understand(line []byte) (wrong string) {
	m, err := decodeMessage(line)
	switch {
	case m.id == "" && err != nil:
		return fmt.Sprintf("wrote a wrong line: %v", err)
	case m.hello != nil && s.met:
		return "said hello a second time"
	case m.hello != nil:
		s.met = true
		s.hello <- *m.hello
		return ""
	case !s.met:
		return fmt.Sprintf("answered %q before it had said hello", m.id)
	}
	r := m.result
	r.LastWords = s.words()
	if err != nil {
		r = Result{Outcome: Error, LastWords: r.LastWords, Trouble: brief(err.Error()) + "\n" + r.LastWords}
	}
	return s.answer(m.id, r)
}
