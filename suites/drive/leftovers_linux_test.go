package drive

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// TestFindFindsNobodyElse has a bystander of our own user beside a process that is ours; only the marks tell them apart.
func TestFindFindsNobodyElse(t *testing.T) {
	mark, other := newKey(), newKey()
	begin := func(apart bool, environ ...string) *exec.Cmd {
		file := filepath.Join(t.TempDir(), "ready")
		argv := child("hang", file)
		c := exec.Command(argv[0], argv[1:]...)
		c.Env = append(os.Environ(), environ...)
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: apart}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Process.Kill(); c.Wait() })
		await(file)
		return c
	}
	one := begin(true, markName+mark, "BROWNOUT_OPERATION=op-1")
	two := begin(true, markName+mark, "BROWNOUT_OPERATION=op-2")
	begin(true, markName+other, "BROWNOUT_OPERATION=op-1") // of a run with the same seed
	begin(true, "X"+markName+mark)
	begin(true, markName, "BROWNOUT_OPERATION=op-1")
	begin(false) // of our own group

	tests := []struct {
		name string
		t    traces
		want []int
	}{
		{"a call's", traces{mark: mark, operation: "op-1"}, []int{one.Process.Pid}},
		{"a play's", traces{mark: mark}, []int{one.Process.Pid, two.Process.Pid}},
		{"a group's", traces{group: two.Process.Pid}, []int{two.Process.Pid}},
		{"a call's and its group's", traces{group: two.Process.Pid, mark: mark, operation: "op-1"}, []int{one.Process.Pid, two.Process.Pid}},
		{"nobody's", traces{}, nil},
		{"an operation's without a play", traces{operation: "op-1"}, nil},
		{"the beginning of a mark", traces{mark: mark[:8]}, nil},
		{"another's", traces{mark: newKey()}, nil},
		{"our own group's", traces{group: syscall.Getpgrp()}, nil},
		{"group 0's", traces{group: 0}, nil},
		{"group 1's", traces{group: 1}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []int
			for _, l := range tt.t.find() {
				got = append(got, l.pid)
			}
			slices.Sort(got)
			slices.Sort(tt.want)
			if !slices.Equal(got, tt.want) {
				t.Errorf("got processes %v; want %v", got, tt.want)
			}
		})
	}
}

func TestZombiesAreNotAlive(t *testing.T) {
	argv := child("exit", filepath.Join(t.TempDir(), "ready"), "0")
	c := exec.Command(argv[0], argv[1:]...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Wait() // only now it is looked at
	for range int(hangGuard / glance) {
		if s, ok := statOf(c.Process.Pid); ok && !s.alive {
			return
		}
		time.Sleep(glance)
	}
	t.Error("got an ended process alive; want it a zombie")
}

// TestExecLosesNobodyItCannotFind has a child that fled with our stdout and left its environment behind.
func TestExecLosesNobodyItCannotFind(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ready")
	carrier, err := Exec(Hello{}, child("leave-stranger", file), ExecOptions{})
	if err != nil {
		t.Fatal(err)
	}
	client, done, _ := carrier.New(t.Context(), nil)
	got := client.Do(t.Context(), Call{Operation: "op-0123456789"})
	if got.Outcome != OK {
		t.Errorf("got %s; want what it said", got.Outcome)
	}
	wantPart(t, "trouble", got.Trouble, "a stream was held open after the end by a process that could not be found")
	if err := done(); err != nil {
		t.Error(err)
	}
	noGoroutineLeft(t)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := strconv.Atoi(string(text))
	if err != nil || stranger <= 1 {
		t.Fatalf("got pid %q of the child; want a number", text)
	}
	syscall.Kill(stranger, syscall.SIGKILL)
}
