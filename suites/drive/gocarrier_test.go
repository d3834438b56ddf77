package drive

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestGo(t *testing.T) {
	tests := []struct {
		name    string
		do      Func
		call    Call
		want    Result // Trouble: a part of it
		elapsed time.Duration
		reason  string
	}{
		{"answers", func(context.Context, Call) Result { time.Sleep(time.Second); return Result{Outcome: OK, Status: 200} },
			Call{}, Result{Outcome: OK, Status: 200}, time.Second, "as it was said, and when"},
		{"panics", func(context.Context, Call) Result { panic("out of cheese") },
			Call{}, Result{Outcome: Error, Trouble: "panic: out of cheese\n"}, 0, "one bad call must not end the suite"},
		{"ends its goroutine", func(context.Context, Call) Result { runtime.Goexit(); return Result{} },
			Call{}, Result{Outcome: Error, Trouble: "runtime.Goexit"}, 0, "a test helper's FailNow does that"},
		{"no such outcome", func(context.Context, Call) Result { return Result{Outcome: "fine"} },
			Call{}, Result{Outcome: Error, Trouble: `unknown outcome "fine": want one of ok, failed, unknown, error`}, 0, "no guessing"},
		{"no outcome", func(context.Context, Call) Result { return Result{} },
			Call{}, Result{Outcome: Error, Trouble: `unknown outcome ""`}, 0, "the zero Result says nothing"},
		{"comes back when told", func(ctx context.Context, _ Call) Result { <-ctx.Done(); return Result{Outcome: Unknown} },
			Call{Patience: 3 * time.Second}, Result{Outcome: Unknown, GaveUp: true}, 3 * time.Second, "patience counts from the beginning"},
		{"comes back late when told", func(ctx context.Context, _ Call) Result {
			<-ctx.Done()
			time.Sleep(DefaultGrace - 1)
			return Result{Outcome: Failed}
		}, Call{Patience: time.Second}, Result{Outcome: Failed, GaveUp: true}, time.Second + DefaultGrace - 1, "within the grace"},
		{"lies about times", func(context.Context, Call) Result {
			return Result{Outcome: OK, Began: time.Now().Add(-time.Hour), GaveUp: true}
		},
			Call{}, Result{Outcome: OK}, 0, "times and giving up are for the carrier to tell"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, done, err := Go(Hello{}, func(Dial) Client { return tt.do }).New(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				asked := time.Now()
				got := client.Do(t.Context(), tt.call)
				if got.Outcome != tt.want.Outcome || got.Status != tt.want.Status || got.GaveUp != tt.want.GaveUp || got.Killed {
					t.Errorf("got %+v; want %+v (%s)", got, tt.want, tt.reason)
				}
				wantPart(t, "trouble", got.Trouble, tt.want.Trouble)
				if elapsed := got.Ended.Sub(got.Began); elapsed != tt.elapsed || !got.Began.Equal(asked) {
					t.Errorf("got a call of %v from %v; want %v from %v", elapsed, got.Began, tt.elapsed, asked)
				}
				if err := done(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func TestGoTellsWhereAPanicCameFrom(t *testing.T) {
	client, done, err := Go(Hello{}, func(Dial) Client {
		return Func(func(context.Context, Call) Result { return *outOfThinAir() })
	}).New(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := client.Do(t.Context(), Call{})
	first, rest, _ := strings.Cut(got.Trouble, "\n")
	if !strings.Contains(first, "nil pointer") || !strings.Contains(rest, "TestGoTellsWhereAPanicCameFrom") || strings.Count(rest, "\n") >= stackLines {
		t.Errorf("got trouble\n%s\nwant the panic and the few frames next to it", got.Trouble)
	}
	if err := done(); err != nil {
		t.Error(err)
	}
}

func outOfThinAir() *Result { return nil }

func TestGoDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		client, done, err := Go(Hello{}, func(Dial) Client {
			return Func(func(context.Context, Call) Result { <-release; return Result{Outcome: OK} })
		}).New(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got := client.Do(t.Context(), Call{Operation: "op-0123456789", Patience: time.Second})
		if got.Outcome != Error || !got.Killed || !got.GaveUp || got.Ended.Sub(got.Began) != time.Second+DefaultGrace {
			t.Errorf("got %+v; want it abandoned after its patience and the grace", got)
		}
		wantPart(t, "trouble", got.Trouble, "still running")
		before := time.Now()
		wantPart(t, "done", text(done()), "1 call still under way 5s after being cancelled: op-0123456789")
		if waited := time.Since(before); waited != farewell {
			t.Errorf("got done after %v; want %v", waited, farewell)
		}
		close(release)
		synctest.Wait()
	})
}

func TestGoDoneCancelsCallsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, done, err := Go(Hello{}, func(Dial) Client {
			return Func(func(ctx context.Context, _ Call) Result { <-ctx.Done(); return Result{Outcome: Unknown} })
		}).New(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		result := make(chan Result)
		go func() { result <- client.Do(t.Context(), Call{}) }()
		synctest.Wait()
		if err := errors.Join(done(), done()); err != nil {
			t.Error(err)
		}
		if got := <-result; got.Outcome != Unknown || !got.GaveUp {
			t.Errorf("got %+v; want the client's own answer to being cancelled", got)
		}
		if got := client.Do(t.Context(), Call{}); got.Trouble != "called after its play had ended" || got.Began.IsZero() {
			t.Errorf("got %+v; want it refused", got)
		}
	})
}

// closing is a client that has something to close.
type closing struct {
	Func
	close func() error
}

func (c closing) Close() error { return c.close() }

func TestGoClosesItsClient(t *testing.T) {
	tests := []struct {
		name  string
		close func() error
		want  string
	}{
		{"well", func() error { return nil }, ""},
		{"with an error", func() error { return errors.New("2 messages unsent") }, "the client could not be closed: 2 messages unsent"},
		{"with a panic", func() error { panic("closed twice") }, "the client could not be closed: panic: closed twice"},
		{"too slowly", func() error { time.Sleep(2 * farewell); return nil }, "the client was still closing itself after 5s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				closed := 0
				_, done, err := Go(Hello{}, func(Dial) Client {
					return closing{close: func() error { closed++; return tt.close() }}
				}).New(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				wantPart(t, "done", text(done()), tt.want)
				wantPart(t, "done again", text(done()), tt.want)
				time.Sleep(farewell)
				synctest.Wait()
				if closed != 1 {
					t.Errorf("got it closed %d times; want once", closed)
				}
			})
		})
	}
}

func TestGoRefusesAClientThatCannotBeMade(t *testing.T) {
	tests := []struct {
		name string
		make func(Dial) Client
		want string
	}{
		{"nil", func(Dial) Client { return nil }, "got nil, want a Client"},
		{"panic", func(Dial) Client { panic("no configuration") }, "the client could not be made: panic: no configuration"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := Go(Hello{}, tt.make).New(t.Context(), nil)
			wantPart(t, "error", text(err), tt.want)
		})
	}
}

// TestGoMeasuresBodies has clients say more or less of what their caller was given.
func TestGoMeasuresBodies(t *testing.T) {
	tests := []struct {
		name   string
		said   Result
		sum    string
		bytes  int64
		reason string
	}{
		{"a body", Result{Body: []byte("hello")}, sum("hello"), 5, "every carrier tells the digest"},
		{"an empty body", Result{Body: []byte{}}, sum(""), 0, "an empty body is not none"},
		{"no body", Result{}, "", 0, "nothing was said"},
		{"a digest", Result{BodySHA256: sum("hello"), BodyBytes: 5}, sum("hello"), 5, "instead of a long body"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.said.Outcome = OK
			client, done, err := Go(Hello{}, func(Dial) Client { return Func(func(context.Context, Call) Result { return tt.said }) }).New(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			got := client.Do(t.Context(), Call{})
			if got.BodySHA256 != tt.sum || got.BodyBytes != tt.bytes {
				t.Errorf("got %s, %d bytes; want %s, %d (%s)", got.BodySHA256, got.BodyBytes, tt.sum, tt.bytes, tt.reason)
			}
			if err := done(); err != nil {
				t.Error(err)
			}
		})
	}
}
