package mutants

import "net/http"

func statuses() []Mutant {
	return []Mutant{
		{
			Name:   "retries-501",
			Defect: "takes a 501 for a passing trouble",
			Trips:  []string{"RT-05"},
			Policy: also(answered(http.StatusNotImplemented)),
		},
		{
			Name:   "retries-505",
			Defect: "takes a 505 for a passing trouble",
			Trips:  []string{"RT-05"},
			Policy: also(answered(http.StatusHTTPVersionNotSupported)),
		},
		{
			Name:   "stops-at-425",
			Defect: "takes a 425 for a refusal",
			Trips:  []string{"RT-07"},
			Policy: never(answered(http.StatusTooEarly)),
		},
		{
			Name:   "early-again",
			Defect: "marks its retries as early data",
			Trips:  []string{"RT-07"},
			Policy: onRetries(func(req *http.Request) { req.Header.Set("Early-Data", "1") }),
		},
	}
}
