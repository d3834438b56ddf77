package drive

import (
	"context"
	"errors"
	"net"
	"net/http/httptrace"
	"sync"
)

// trail counts what net/http says of one call's attempts, retries inside a transport among them: how far the last one got is no proof
// about the others.
type trail struct {
	mu                  sync.Mutex
	asked, got, replied int
}

// follow gives a context whose requests leave a trail. A round tripper that drops the context leaves none.
func (t *trail) follow(ctx context.Context) context.Context {
	count := func(n *int) { t.mu.Lock(); *n++; t.mu.Unlock() }
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:              func(string) { count(&t.asked) },
		GotConn:              func(httptrace.GotConnInfo) { count(&t.got) },
		GotFirstResponseByte: func() { count(&t.replied) },
	})
}

// neverSent tells whether the call that ended in err is proven to have put no request on any connection.
func (t *trail) neverSent(err error) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.got > 0 {
		return false
	}
	dial := new(net.OpError)
	return t.asked > 0 || errors.As(err, &dial) && dial.Op == "dial"
}

// lostReply tells whether an attempt got a connection and no reply: what became of its request is not known.
func (t *trail) lostReply() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.got > t.replied
}
