package lab

import (
	"time"

	"github.com/brownout-dev/brownout/scenarios"
	"github.com/brownout-dev/brownout/suites/drive"
)

// longestUnit is the longest claim that a case can be measured in: plays take several times as long.
const longestUnit = 10 * time.Second

// claimed is what a client claims of what a case can be measured in; 0 = nothing.
func claimed(c drive.Claims) func(scenarios.Scale) time.Duration {
	return func(s scenarios.Scale) time.Duration {
		milliseconds := map[scenarios.Scale]int{
			scenarios.AttemptTimeout: c.AttemptTimeoutMS,
			scenarios.ConnectTimeout: c.ConnectTimeoutMS,
			scenarios.Cooldown:       c.Breaker.CooldownMS,
			scenarios.Window:         c.Breaker.WindowMS,
			scenarios.HedgeDelay:     c.Hedge.DelayMS,
			scenarios.Retention:      c.KeyRetentionMS,
		}
		return time.Duration(milliseconds[s]) * time.Millisecond
	}
}
