package mutants

import (
	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

func outcomes() []Mutant {
	return []Mutant{
		{
			Name:   "no-error-is-success",
			Defect: "takes every status below 400 for success",
			Trips:  []string{"OC-01"},
			Policy: telling(func(o steady.Operation, a steady.Attempt) drive.Outcome {
				if a.Err == nil && a.Status < 400 {
					return drive.OK
				}
				return steady.Outcome(o, a)
			}),
		},
		{
			Name:   "any-reply-is-success",
			Defect: "takes every reply that came for success, whatever its status",
			Trips:  []string{"OC-01"},
			Policy: telling(func(o steady.Operation, a steady.Attempt) drive.Outcome {
				if a.Err == nil && a.Status >= 500 && o.Safe() {
					return drive.OK
				}
				return steady.Outcome(o, a)
			}),
		},
		{
			Name:   "refused-is-unknown",
			Defect: "calls a write unknown whose connection was refused",
			Trips:  []string{"OC-02"},
			Policy: telling(func(o steady.Operation, a steady.Attempt) drive.Outcome {
				if a.Err != nil && !a.Sent && !o.Safe() {
					return drive.Unknown
				}
				return steady.Outcome(o, a)
			}),
		},
		{
			Name:   "all-is-unknown",
			Defect: "calls everything unknown that is not a success",
			Trips:  []string{"OC-02"},
			Policy: telling(func(o steady.Operation, a steady.Attempt) drive.Outcome {
				if told := steady.Outcome(o, a); told == drive.OK || o.Safe() {
					return told
				}
				return drive.Unknown
			}),
		},
	}
}
