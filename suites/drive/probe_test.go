//go:build unix

package drive

import (
	"context"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brownout-dev/brownout/faults/wire"
)

// honestly is a plain client of net/http.
func honestly(dial Dial) Client {
	base := &http.Transport{DialContext: dial}
	return &roundTrip{base: base, rt: base}
}

// instead makes a client that answers with what say makes of the honest answer.
func instead(say func(Call, Result) Result) func(Dial) Client {
	return func(dial Dial) Client {
		honest := honestly(dial)
		return Func(func(ctx context.Context, call Call) Result { return say(call, honest.Do(ctx, call)) })
	}
}

// spoilt makes a client that does another call than it was asked for.
func spoilt(change func(Call) Call) func(Dial) Client {
	return func(dial Dial) Client {
		honest := honestly(dial)
		return Func(func(ctx context.Context, call Call) Result { return honest.Do(ctx, change(call)) })
	}
}

// anyPort lets the probe choose.
const anyPort = "127.0.0.1:0"

func TestProbe(t *testing.T) {
	tests := []struct {
		name  string
		make  func(Dial) Client
		asked string // of the setup error; "" = the client is fit to be judged
		got   string // a part of what happened
	}{
		{"honest", honestly, "", ""},
		{"says error for all failures", instead(func(_ Call, r Result) Result {
			if r.Outcome != OK {
				r.Outcome = Error
			}
			return r
		}), "", ""},
		{"slow", instead(func(_ Call, r Result) Result { time.Sleep(time.Second); return r }), "", ""},
		{"always ok", instead(func(_ Call, r Result) Result { r.Outcome = OK; return r }),
			plain404, `outcome "ok" after 0s, status 404, error "404 Not Found"; 1 request reached the fake`},
		{"ok for a refused connection", instead(func(_ Call, r Result) Result {
			if r.Status == 0 {
				r.Outcome = OK
			}
			return r
		}), nobody, `outcome "ok"`},
		{"never ok", instead(func(_ Call, r Result) Result { r.Outcome = Failed; return r }), plain200, `outcome "failed" after 0s, status 200; 1 request`},
		{"asks nobody", func(Dial) Client { return Func(func(context.Context, Call) Result { return Result{Outcome: OK} }) }, plain200, "0 requests reached the fake"},
		{"asks twice", func(dial Dial) Client {
			honest := honestly(dial)
			return Func(func(ctx context.Context, call Call) Result { honest.Do(ctx, call); return honest.Do(ctx, call) })
		}, plain200, "2 requests reached the fake"},
		{"drops the query", spoilt(func(c Call) Call { c.URL, _, _ = strings.Cut(c.URL, "?"); return c }), plain200, "0 requests reached the fake, and 1 that had lost the query"},
		{"hangs", func(Dial) Client {
			return Func(func(ctx context.Context, _ Call) Result { <-ctx.Done(); return Result{Outcome: Failed} })
		}, plain200, `outcome "failed" after 30s`},
		{"hangs where nobody listens", instead(func(_ Call, r Result) Result {
			if r.Status == 0 {
				time.Sleep(time.Hour)
			}
			return r
		}), nobody, "did not come back"},
		{"panics", func(Dial) Client { return Func(func(context.Context, Call) Result { panic("no configuration") }) }, plain200, "panic: no configuration"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cal, err := Probe(t.Context(), Go(Hello{}, tt.make), wire.NewMemory(), anyPort)
				setup := new(SetupError)
				if errors.As(err, &setup) != (tt.asked != "") || setup.Asked != tt.asked {
					t.Fatalf("got %v; want it to fail at %q", err, tt.asked)
				}
				if tt.asked == "" && (err != nil || cal.Runs != probeRuns || cal.Lateness != 0) {
					t.Errorf("got %+v, %v; want %d runs without lateness", cal, err, probeRuns)
				}
				wantPart(t, "happened", setup.Got, tt.got)
				time.Sleep(time.Hour) // for the client that still sleeps
			})
		})
	}
}

func TestProbeMeasuresTheOverhead(t *testing.T) {
	for _, slow := range []time.Duration{0, 300 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			cal, err := Probe(t.Context(), Go(Hello{}, instead(func(_ Call, r Result) Result { time.Sleep(slow); return r })), wire.NewMemory(), anyPort)
			if err != nil || cal.Overhead != slow {
				t.Errorf("got an overhead of %v, %v; want %v", cal.Overhead, err, slow)
			}
		})
	}
}

func TestProbeEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := Probe(ctx, Go(Hello{}, instead(func(_ Call, r Result) Result { time.Sleep(time.Minute); return r })), wire.NewMemory(), anyPort)
		if setup := new(SetupError); !errors.Is(err, context.DeadlineExceeded) || errors.As(err, &setup) {
			t.Errorf("got %v; want the context's error, and no setup error", err)
		}
		time.Sleep(time.Hour)
	})
}

func TestProbeOfProcesses(t *testing.T) {
	const wantShell = `the adapter is not set up right: it was asked for a plain GET that is answered with 200
  expected  outcome "ok", after one request
  happened  outcome "ok" after TIME; 0 requests reached the fake
stdout | <html>welcome</html>
stderr | (nothing)`
	tests := []struct {
		name string
		mode string
		args []string
		want string // the whole error but for the time; "" = none
	}{
		{"a client", "get", []string{"{url}"}, ""},
		{"no client", "say", []string{"<html>welcome</html>\n"}, wantShell},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			carrier, err := Exec(Hello{}, child(tt.mode, filepath.Join(t.TempDir(), "ready"), tt.args...), ExecOptions{})
			if err != nil {
				t.Fatal(err)
			}
			cal, err := Probe(t.Context(), carrier, wire.TCP{}, anyPort)
			setup := new(SetupError)
			got := ""
			if errors.As(err, &setup) {
				_, after, _ := strings.Cut(setup.Got, " after ")
				took, _, _ := strings.Cut(after, ";")
				got = strings.Replace(setup.Error(), took, "TIME", 1)
			}
			if got != tt.want {
				t.Errorf("got %v\nwant %s", err, tt.want)
			}
			if tt.want == "" && (err != nil || cal.Overhead <= 0 || cal.Runs != probeRuns) {
				t.Errorf("got %+v, %v; want what a process costs", cal, err)
			}
			noGoroutineLeft(t)
		})
	}
}

// get is the client that the probe's test runs as a process.
func get(url string) int {
	reply, err := http.Get(url)
	if err != nil {
		return 1
	}
	defer reply.Body.Close()
	if _, err := io.Copy(io.Discard, reply.Body); err != nil || reply.StatusCode != http.StatusOK {
		return 1
	}
	return 0
}
