package steady

import (
	"net/http"
	"strconv"
	"time"
)

// TimeoutHeader is where [TellMilliseconds] writes. There is no standard for it over HTTP; gRPC has grpc-timeout.
const TimeoutHeader = "X-Request-Timeout-Ms"

// TellMilliseconds tells the service how many whole milliseconds are left, rounded down: it must never believe that it has more time than its
// caller. That is told anew with each attempt.
func TellMilliseconds(h http.Header, left time.Duration) {
	h.Set(TimeoutHeader, strconv.FormatInt(left.Milliseconds(), 10))
}

// leastTold is the shortest time that can be told. With less than that there is no attempt: rounded down it would be zero, which some take for "no
// limit".
const leastTold = time.Millisecond
