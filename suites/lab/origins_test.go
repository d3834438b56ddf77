package lab

import (
	"context"
	"net/url"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brownout-dev/brownout/scenarios"
	"github.com/brownout-dev/brownout/suites/drive"
)

// Operations have addresses of their own only where a client has something that would mix them.
func TestOwnOriginsAreForGuardedClients(t *testing.T) {
	const text = `name: own
says: The dependency is well.
cases:
  - {name: a crowd, operations: 12, request: GET /v1/catalogue, deadline: 4s, origin: own}
`
	s, err := scenarios.Parse("own.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		feature drive.Feature
		want    int
	}{{drive.Retries, 1}, {drive.Budget, 12}, {drive.Breaker, 12}} {
		t.Run(string(tt.feature), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				hosts := map[string]bool{}
				c := drive.Go(drive.Hello{Features: []drive.Feature{tt.feature}}, func(drive.Dial) drive.Client {
					return drive.Func(func(_ context.Context, c drive.Call) drive.Result {
						u, err := url.Parse(c.URL)
						mu.Lock()
						defer mu.Unlock()
						hosts[u.Host] = err == nil
						return drive.Result{Outcome: drive.Failed, Began: time.Now(), Ended: time.Now()}
					})
				})
				if _, err := Virtual(c, 1).Play(t.Context(), s); err != nil {
					t.Fatal(err)
				}
				if len(hosts) != tt.want {
					t.Errorf("got %d addresses, want %d", len(hosts), tt.want)
				}
			})
		})
	}
}
