package drive

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// hangGuard ends a test that would hang; no test is measured against it.
const hangGuard = time.Minute

// wantPart wants a text to contain a part; the empty part wants it empty.
func wantPart(t *testing.T, what, got, part string) {
	t.Helper()
	if part == "" && got != "" || !strings.Contains(got, part) {
		t.Errorf("got %s %q; want %q in it (nothing at all, if that is empty)", what, got, part)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// noGoroutineLeft wants no goroutine of a process or a client to be there, after it had every chance to end.
func noGoroutineLeft(t *testing.T) {
	t.Helper()
	var stacks string
	for range 1000 {
		buf := make([]byte, 1<<20)
		stacks = string(buf[:runtime.Stack(buf, true)])
		if !strings.Contains(stacks, "drive.(*process).start") && !strings.Contains(stacks, "drive.(*stream)") && !strings.Contains(stacks, "drive.(*session)") && !strings.Contains(stacks, "drive.newSession") && !strings.Contains(stacks, "drive.(*goClient)") {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("goroutines are left:\n%s", stacks)
}

// fullCall is a call with everything in it.
func fullCall() Call {
	return Call{
		Operation: "op-5f0c2a9d",
		Method:    "POST",
		URL:       "http://127.0.0.1:41523/v1/payments?operation=op-5f0c2a9d",
		Headers:   map[string]string{"X-Two": "b: c", "Authorization": "Bearer t1"},
		Body:      []byte(`{"amount":1200,"note":"{url} \"x\""}`),
		Type:      "application/json",
		Key:       "k-1",
		KeyGiven:  true,
		KeyHeader: "Idempotency-Key",
		Deadline:  2500 * time.Millisecond,
		Policy:    &Policy{MaxAttempts: 8, Base: time.Millisecond, Cap: 2 * time.Second},
	}
}

// letters is a text without an end and without a line break.
type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a' + byte(i%26)
	}
	return len(p), nil
}
