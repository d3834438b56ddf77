package main

import (
	"errors"
	"net"
	"strings"
	"syscall"
	"testing"
)

func TestListenOnBusyPort(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	addr := l.Addr().String()
	got := said(t, "run", "--client", "steady", "--rules", "RA-07", "--listen", addr)
	if got.code != exitCannotJudge || got.out != "" || !strings.HasPrefix(got.err, "brownout: --listen: listen on "+addr+": ") ||
		!strings.HasSuffix(got.err, "address already in use: want an address that nobody uses\n") {
		t.Errorf("got exit %d, stdout %q, stderr %q; want exit 2 and the address, before anything is played", got.code, got.out, got.err)
	}
}

// TestListenForFixedClient judges a client that goes to its own address, wherever it is sent.
func TestListenForFixedClient(t *testing.T) {
	t.Parallel()
	addr, dir := free(t), t.TempDir()
	p := brownout(t, client("twice", "--rules", "RT-11,CX-01", "--listen", addr, "--report", dir)...)
	p.Env = append(p.Env, "E2E_BASE="+addr)
	got := p.ran()
	if got.code != exitNotConformant || !strings.Contains(got.out, " is not-conformant: 1 pass, 1 fail\n") {
		t.Errorf("got exit %d, want 1:\n%s%s", got.code, got.out, got.err)
	}
	if _, err := net.Dial("tcp", addr); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("got %v, want the port closed", err)
	}
	for _, e := range readReport(t, dir).Rules {
		if !strings.Contains(e.Reproduce, " --listen "+addr+" --exec -- ") {
			t.Errorf("%s: got %q, want the address in it: without it the client cannot be judged again", e.ID, e.Reproduce)
		}
	}
}

// free finds an address that nobody uses, on a loopback address of its own, where nobody is likely to come in between.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.77.7.7:0")
	if err != nil {
		t.Skip("no loopback address to choose:", err)
	}
	defer l.Close()
	return l.Addr().String()
}
