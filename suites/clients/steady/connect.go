package steady

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
)

// ErrConnectTimeout ends an attempt that got no connection within the policy's ConnectTimeout.
var ErrConnectTimeout = errors.New("no connection within the connect timeout")

// within bounds each connection that dial makes, however much time the operation has left. Nothing was sent on it, so it may be tried
// again, whatever the method; see [Retryable].
func within(limit time.Duration, dial drive.Dial) drive.Dial {
	if limit <= 0 {
		return dial
	}
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		ctx, cancel := context.WithTimeoutCause(ctx, limit, ErrConnectTimeout)
		defer cancel()
		conn, err := dial(ctx, network, addr)
		if err != nil && context.Cause(ctx) == ErrConnectTimeout {
			err = ErrConnectTimeout
		}
		return conn, err
	}
}
