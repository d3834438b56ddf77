package faults

import "time"

// scaler is a value that is a duration.
type scaler interface{ scale(by float64) }

func (v *durationValue) scale(by float64) { *v = durationValue(float64(time.Duration(*v)) * by) }

func (v aboveZero) scale(by float64) {
	if s, ok := v.Value.(scaler); ok {
		s.scale(by)
	}
}

// Scaled gives the script with all durations of its faults multiplied. What a server says in words, such as a Retry-After, stays.
func (s Script) Scaled(by float64) Script {
	steps := make([][]Fault, len(s.Steps))
	for i, step := range s.Steps {
		steps[i] = make([]Fault, len(step))
		for j, f := range step {
			steps[i][j] = Fault{At: f.At, Action: scaled(f.Action, by)}
		}
	}
	s.Steps = steps
	return s
}

// scaled is a copy of an action: actions are shared, and never change.
func scaled(a Action, by float64) Action {
	fresh, err := named(a.Kind().Name)
	if err != nil {
		return a // a kind that plans cannot name
	}
	for i, f := range fields(fresh) {
		for _, text := range fields(a)[i].Value.Texts() {
			_ = f.Value.Set(text) // it was said by such a value
		}
		if s, ok := f.Value.(scaler); ok {
			s.scale(by)
		}
	}
	return fresh
}
