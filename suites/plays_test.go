package suites_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/lab"
)

// sleeper takes as long over each call as takes says of its instance, and counts how many instances there are at once.
type sleeper struct {
	takes func(instance int) func(deadline time.Duration) time.Duration

	mu          sync.Mutex
	born, alive int
	company     []int // how many were alive when each was born
}

func (s *sleeper) Hello() drive.Hello { return drive.Hello{Name: "sleeper", Driver: "go"} }

func (s *sleeper) New(_ context.Context, dial drive.Dial) (drive.Client, func() error, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.born++
	s.alive++
	s.company = append(s.company, s.alive)
	takes := s.takes(s.born)
	end := func() error { s.mu.Lock(); defer s.mu.Unlock(); s.alive--; return nil }
	return drive.Func(func(ctx context.Context, c drive.Call) drive.Result {
		began := time.Now()
		conn, err := dial(ctx, "tcp", c.URL[len("http://"):][:len("127.0.0.1:00000")])
		if err == nil {
			_, _ = conn.Write([]byte(c.Method + " " + c.URL[len("http://127.0.0.1:00000"):] + " HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"))
			time.Sleep(takes(c.Deadline))
			conn.Close()
		}
		return drive.Result{Outcome: drive.Unknown, Began: began, Ended: time.Now()}
	}), end, nil
}

// A finding that rests on time is played again with nothing beside it, and stands only if it comes again.
func TestLatenessIsPlayedAgainAlone(t *testing.T) {
	inTime := func(deadline time.Duration) time.Duration { return deadline / 2 }
	late := func(deadline time.Duration) time.Duration { return deadline + 200*time.Millisecond } // more than is tolerated, and too little to be beyond doubt
	tests := []struct {
		name  string
		takes func(instance int) func(deadline time.Duration) time.Duration
		want  suites.Result
		plays int
	}{
		{"never late", func(int) func(time.Duration) time.Duration { return inTime }, suites.Pass, 2},
		{"always late", func(int) func(time.Duration) time.Duration { return late }, suites.Fail, 4},
		{"late at first", func(n int) func(time.Duration) time.Duration {
			if n <= 2 {
				return late
			}
			return inTime
		}, suites.Inconclusive, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rules, err := suites.Select(suites.Rules(), []string{"DL-01", "DL-05"}) // under two scenarios
				if err != nil {
					t.Fatal(err)
				}
				s := &sleeper{takes: tt.takes}
				j, err := suites.Run{Lab: lab.Virtual(s, 1), Rules: rules}.Do(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for _, v := range j.Verdicts {
					if v.Result != tt.want {
						t.Errorf("%s: got %s (%s), want %s", v.Rule, v.Result, v.Detail, tt.want)
					}
				}
				if s.born != tt.plays || s.company[1] != 2 {
					t.Errorf("got %d plays, %v at once, want %d, the first two together", s.born, s.company, tt.plays)
				}
				for n, company := range s.company[2:] {
					if company != 1 {
						t.Errorf("play %d was not alone: %d at once", n+3, company)
					}
				}
			})
		})
	}
}
