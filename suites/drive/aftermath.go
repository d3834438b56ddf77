//go:build unix

package drive

import (
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// How long a process that has ended may leave company behind: helpers of a runtime notice that their parent has gone, and go too.
const (
	stragglers = 500 * time.Millisecond
	glance     = 20 * time.Millisecond // between two looks
)

// tidy waits until nothing of the process is left, or sees to it. held tells that a stream was kept open by somebody who was not found.
func (p *process) tidy(t traces) (left []leftover, held bool) {
	p.ends[0].Close()
	for waited := time.Duration(0); waited < stragglers; waited += glance {
		if !p.quiet(glance) {
			continue
		}
		if len(t.company()) == 0 {
			return nil, false
		}
		time.Sleep(glance)
	}
	left = t.kill()
	held = !p.quiet(stragglers)
	closeAll(p.ends[1:])
	<-p.heard
	return left, held
}

// quiet tells whether both streams have come to their end, within d.
func (p *process) quiet(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.heard:
		return true
	case <-timer.C:
		return false
	}
}

// words are the last lines of both streams, for people.
func (p *process) words() string { return strings.TrimSuffix(p.out.words()+p.errs.words(), "\n") }

// aftermath says what was left behind; "" = nothing.
func aftermath(left []leftover, held bool) string {
	switch {
	case len(left) > 0:
		return "left behind and killed: " + names(left)
	case held:
		return "a stream was held open after the end by a process that could not be found"
	}
	return ""
}

// fate is why the process was killed at once, or would have been if it had not ended first; "" = nothing was wrong. Only for after its end.
func (p *process) fate() string {
	if p.doom == "" {
		select {
		case p.doom = <-p.doomed:
		default:
		}
	}
	return p.doom
}

// result puts together what the process of an exec client said and what it left.
func (p *process) result(heard *answer, left []leftover, held bool) Result {
	r := Result{Outcome: Error, Began: p.began, Ended: time.Now(), GaveUp: true}
	r.LastWords = p.words()
	var troubles []string
	complain := func(format string, args ...any) { troubles = append(troubles, fmt.Sprintf(format, args...)) }
	if p.stuck {
		complain("process %d could not be killed", p.group)
	} else {
		r.Ended, r.GaveUp = p.ended, p.gaveUp
		p.outcome(heard, &r, complain)
	}
	if found := aftermath(left, held); found != "" {
		complain("%s", found)
	}
	if len(troubles) > 0 {
		r.Trouble = strings.Join(troubles, "; ") + "\n" + r.LastWords
	}
	return r
}

// outcome reads the answer, or makes do with the exit status.
func (p *process) outcome(heard *answer, r *Result, complain func(string, ...any)) {
	said := *r
	answered, err := heard.result(&said)
	switch doom := p.fate(); {
	case doom != "":
		complain("%s", doom)
	case err != nil:
		complain("%v", err)
	case answered:
		*r = said
	case r.GaveUp:
		r.Killed = true
		complain("did not come back, and was ended after %v (%v)", r.Ended.Sub(r.Began).Round(time.Millisecond), p.cmd.ProcessState)
	case crashed(p.cmd):
		complain("ended without an answer by a signal that was not ours (%v): what it would have said is not known", p.cmd.ProcessState)
	case p.err == nil:
		r.Outcome = OK
	default:
		r.Err = strings.TrimSuffix(p.err.Error()+": "+p.errs.lastLine(), ": ")
	}
}

// crashed tells of an end by a signal. SIGALRM is spared: an alarm that nobody catches is how small programs keep their deadline.
func crashed(cmd *exec.Cmd) bool {
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() != syscall.SIGALRM
}
