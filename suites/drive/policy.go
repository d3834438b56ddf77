package drive

import (
	"encoding/json"
	"time"
)

// Policy is a retry policy that a rule asks for. Zero fields leave the client's own values alone.
type Policy struct {
	MaxAttempts int           // the first one counts
	Base        time.Duration // of the backoff; whole milliseconds reach the client
	Cap         time.Duration // of a single wait
}

// policyWords are a policy in the words of the adapter contract.
type policyWords struct {
	MaxAttempts int   `json:"max_attempts,omitempty"`
	BaseMS      int64 `json:"base_ms,omitempty"`
	CapMS       int64 `json:"cap_ms,omitempty"`
}

// MarshalJSON writes the policy as adapters get it: {"max_attempts":4,"base_ms":100,"cap_ms":2000}.
func (p Policy) MarshalJSON() ([]byte, error) {
	return json.Marshal(policyWords{p.MaxAttempts, p.Base.Milliseconds(), p.Cap.Milliseconds()})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (p *Policy) UnmarshalJSON(text []byte) error {
	var w policyWords
	if err := json.Unmarshal(text, &w); err != nil {
		return err
	}
	*p = Policy{w.MaxAttempts, time.Duration(w.BaseMS) * time.Millisecond, time.Duration(w.CapMS) * time.Millisecond}
	return nil
}
