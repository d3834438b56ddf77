package faults

// Saved is an error that came after the effect and was kept with the request's key: every later attempt with that key is answered with it
// again, as with an API that saves the first status and body whatever they are, a 500 too. Without a key it is a lying status, once.
type Saved struct {
	Code int
}

var _ Keeper = (*Saved)(nil)

func (*Saved) Kind() Kind {
	return Kind{
		Name: "saved", Main: "code",
		Phases: []Phase{AfterCommit},
		Wire:   "a whole reply with that status, and the same again for every later attempt with the key; the effect was applied",
	}
}

func (s *Saved) Fields() []Field {
	return []Field{{Name: "code", Wants: "the status of an error, 400 to 599", Value: aboveZero{numberOf(&s.Code)}}}
}

func (s *Saved) Check() error {
	if s.Code < 400 || s.Code > 599 {
		return unfit(s, "code")
	}
	return nil
}

func (s *Saved) String() string { return spell(s) }

func (s *Saved) Keep(r *Reply) { *r = bare(s.Code, r.ToHead) }
