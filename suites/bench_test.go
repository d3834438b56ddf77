package suites_test

import (
	"context"
	"testing"
	"time"

	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/clients"
	"github.com/brownout-dev/brownout/suites/lab"
)

// BenchmarkRun judges the references by all rules over real sockets, and compares how long that takes with how long its plays take together: most
// of a play is waiting, so many fit into the time of one.
func BenchmarkRun(b *testing.B) {
	for _, client := range clients.All() {
		if client.Name == "naive" || client.Name == "curl" {
			continue // what does not hold is played again, alone: that is not what is compared here
		}
		b.Run(client.Name, func(b *testing.B) {
			carrier, err := client.Carrier()
			if err != nil {
				b.Fatal(err)
			}
			var plays time.Duration
			for b.Loop() {
				j, err := suites.Run{Lab: lab.Real(carrier, 1), Rules: suites.Rules(), Once: true}.Do(context.Background())
				if err != nil {
					b.Fatal(err)
				}
				for _, t := range j.Transcripts {
					plays += time.Duration(t.Ended)
				}
			}
			b.ReportMetric(plays.Seconds()/float64(b.N), "s-of-plays/op")
			b.ReportMetric(plays.Seconds()/b.Elapsed().Seconds(), "plays/wall")
		})
	}
}
