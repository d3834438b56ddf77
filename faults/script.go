package faults

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
)

// Script says what each attempt of an operation meets, in order. After the last step come sound attempts, or, with Repeat, the last
// step again and again. The zero Script lets everything through.
type Script struct {
	Steps       [][]Fault // one per attempt; an empty step is a sound attempt
	Repeat      bool
	Probability float64 // that a step strikes at all, rolled once per attempt; 0 means always
}

// Roll is what chance depends on: nothing else, so that neither order nor concurrency can change what strikes.
type Roll struct {
	Seed     uint64
	Scenario string
}

// For gives the faults that strike an operation's attempt, counted from 1. It is a pure function of its arguments.
func (s Script) For(r Roll, op OperationID, attempt int) []Fault {
	step := s.step(attempt)
	if len(step) > 0 && s.Probability > 0 && r.float(op, attempt) >= s.Probability {
		return nil
	}
	return step
}

func (s Script) step(attempt int) []Fault {
	switch n := len(s.Steps); {
	case attempt <= n:
		return s.Steps[attempt-1]
	case s.Repeat && n > 0:
		return s.Steps[n-1]
	}
	return nil
}

// float gives a number in [0, 1) for one attempt.
func (r Roll) float(op OperationID, attempt int) float64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s\x00%d", r.Seed, r.Scenario, op, attempt))
	return float64(binary.BigEndian.Uint64(sum[:8])>>11) / (1 << 53)
}

// String is the script in a plan's text form.
func (s Script) String() string {
	steps := make([]string, len(s.Steps))
	for i, step := range s.Steps {
		steps[i] = stepString(step)
	}
	text := "[" + strings.Join(steps, ", ") + "]"
	if s.Repeat {
		text += " repeat"
	}
	if s.Probability > 0 {
		text += fmt.Sprintf(" with probability %g", s.Probability)
	}
	return text
}

func stepString(step []Fault) string {
	if len(step) == 0 {
		return "ok"
	}
	words := make([]string, len(step))
	for i, f := range step {
		words[i] = f.String()
	}
	return strings.Join(words, " + ")
}

// Check refuses what cannot be done attempt by attempt, with the reason.
func (s Script) Check() error {
	if s.Probability < 0 || s.Probability > 1 {
		return fmt.Errorf("probability %g: want a number from 0 to 1", s.Probability)
	}
	for i, step := range s.Steps {
		for _, f := range step {
			if err := f.Check(); err != nil {
				return fmt.Errorf("step %d: %w", i+1, err)
			}
			if f.At == Connect {
				return fmt.Errorf("step %d: %s acts on a whole connection, and a kept connection carries many attempts: put it under connections, by the connection's number", i+1, f.Action.Kind().Name)
			}
		}
	}
	return nil
}
