package faults

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
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
	case attempt < 1:
		return nil
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

// String is the script as plans write it, in YAML's flow style: it reads back as an equal script.
func (s Script) String() string {
	steps := make([]string, len(s.Steps))
	for i, step := range s.Steps {
		steps[i] = quoteYAML(stepString(step))
	}
	list := "[" + strings.Join(steps, ", ") + "]"
	if !s.Repeat && s.Probability == 0 {
		return list
	}
	form := "{steps: " + list
	if s.Repeat {
		form += ", repeat: true"
	}
	if s.Probability > 0 {
		form += ", probability: " + strconv.FormatFloat(s.Probability, 'g', -1, 64)
	}
	return form + "}"
}

// MarshalYAML writes what String gives.
func (s Script) MarshalYAML() ([]byte, error) { return []byte(s.String()), nil }

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

// chance is what a probability can be. Zero stands for "always" in a Script, so a plan that spells it out would mean the opposite of
// what it says.
const chance = "a number above 0, up to 1; without it a step always strikes"

// Check refuses what cannot be done attempt by attempt, with the reason.
func (s Script) Check() error {
	if !(s.Probability >= 0 && s.Probability <= 1) {
		return &FieldError{"probability", strconv.FormatFloat(s.Probability, 'g', -1, 64), chance}
	}
	if s.Repeat && len(s.Steps) == 0 {
		return &FieldError{"repeat", "true without steps", "a step to repeat"}
	}
	for i, step := range s.Steps {
		if err := checkStep(step); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

// checkStep checks what one attempt meets. Only one of its faults can send the reply.
func checkStep(step []Fault) error {
	sender := ""
	for _, f := range step {
		if err := f.Check(); err != nil {
			return err
		}
		name := f.Action.Kind().Name
		if f.At == Connect {
			return fmt.Errorf("%s acts on a whole connection, and a kept connection carries many attempts: put it under connections, by the connection's number", name)
		}
		if _, ok := f.Action.(Sender); ok {
			if sender != "" {
				return fmt.Errorf("%s and %s would both send the reply: want one of them", sender, name)
			}
			sender = name
		}
	}
	return nil
}
