package drive

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// TestFindFindsNobodyElse has a bystander of our own user beside a process that is ours; only the marks tell them apart.
func TestFindFindsNobodyElse(t *testing.T) {
	mark, other := newKey(), newKey()
	begin := func(environ ...string) *exec.Cmd {
		file := filepath.Join(t.TempDir(), "ready")
		argv := child("hang", file)
		c := exec.Command(argv[0], argv[1:]...)
		c.Env = append(os.Environ(), environ...)
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Process.Kill(); c.Wait() })
		await(file)
		return c
	}
	one := begin(markName+mark, "BROWNOUT_OPERATION=op-1")
	two := begin(markName+mark, "BROWNOUT_OPERATION=op-2")
	begin(markName+other, "BROWNOUT_OPERATION=op-1") // of a run with the same seed
	begin("X" + markName + mark)
	begin()

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
