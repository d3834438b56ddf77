package mutants

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

const contentLength, chunkedCoding = "Content-Length: ", "Transfer-Encoding: chunked"

func framing() []Mutant {
	return []Mutant{
		{
			Name:   "takes-chunks-without-an-end",
			Defect: "takes the end of the connection for the end of a chunked body",
			Trips:  []string{"CX-02", "OC-01"},
			Policy: forgivingChunks(func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }),
		},
		{
			Name:   "takes-half-of-a-last-chunk",
			Defect: "does not miss the empty line that ends a chunked body",
			Trips:  []string{"CX-02"},
			Policy: forgivingChunks(func(err error) bool { return strings.Contains(err.Error(), "reading trailer") }),
		},
		{
			Name:   "wants-the-last-chunk-at-once",
			Defect: "takes a last chunk that comes in two segments for a broken one",
			Trips:  []string{"CX-02"},
			Policy: filtering(inOnePiece(0)),
		},
		{
			Name:   "wants-the-last-chunk-at-once-later",
			Defect: "takes a last chunk that comes in two segments for a broken one, on a connection that was used before",
			Trips:  []string{"CX-02"},
			Policy: filtering(inOnePiece(1)),
		},
		{
			Name:   "leaves-failures-open",
			Defect: "neither reads nor closes the replies that it retries",
			Trips:  []string{"CX-05"},
			Policy: dropping(func(*http.Response) {}),
		},
		{
			Name:   "closes-failures-unread",
			Defect: "closes the connection of every reply that it retries, however short that is",
			Trips:  []string{"CX-05"},
			Policy: dropping(func(reply *http.Response) { reply.Body.Close() }),
		},
		{
			Name:   "leaves-long-failures-open",
			Defect: "reads short failures to their end, and lets long ones be",
			Trips:  []string{"CX-05"},
			Policy: dropping(func(reply *http.Response) {
				if reply.ContentLength < 1<<20 {
					io.Copy(io.Discard, reply.Body)
				}
			}),
		},
		{
			Name:   "waits-for-100-for-ever",
			Defect: "does not send a body before it is told to",
			Trips:  []string{"CX-09"},
			Policy: all(ownWire(manners{looks: true, forgets: true, finishes: true, patience: time.Hour}), expecting(1), dropsExpectation),
		},
		{
			Name:   "leaves-a-body-out",
			Defect: "keeps its connection after a refusal that came before the body, and never sends that",
			Trips:  []string{"CX-09"},
			Policy: all(ownWire(manners{looks: true, forgets: true, patience: time.Second}), expecting(1), dropsExpectation),
		},
		{
			Name:   "gives-up-on-417",
			Defect: "takes a 417 for a refusal of the request itself",
			Trips:  []string{"CX-09"},
			Policy: all(ownWire(goodManners()), expecting(1)),
		},
		{
			Name:   "insists-on-100",
			Defect: "repeats a request after a 417 with the same expectation",
			Trips:  []string{"CX-09"},
			Policy: all(ownWire(goodManners()), expecting(1_000), dropsExpectation),
		},
		{
			Name:   "reads-on-where-it-stopped",
			Defect: "takes whatever comes first on a kept connection for the answer to its request",
			Trips:  []string{"RT-06", "CX-10"},
			Policy: ownWire(manners{finishes: true, patience: time.Second}),
		},
		{
			Name:   "uses-connections-blindly",
			Defect: "does not look whether something has come on an idle connection before it uses it again",
			Trips:  []string{"RT-06", "CX-10"},
			Policy: ownWire(manners{forgets: true, finishes: true, patience: time.Second}),
		},
		{
			Name:   "reads-ahead",
			Defect: "keeps the bytes that came with a reply, and takes them for the next one",
			Trips:  []string{"CX-10"},
			Policy: ownWire(manners{looks: true, finishes: true, patience: time.Second}),
		},
		{
			Name:   "first-length-counts",
			Defect: "takes the first of two lengths",
			Trips:  []string{"CX-10"},
			Policy: filtering(inHead(func(head []byte) []byte { return leavesOut(head, contentLength, 2) })),
		},
		{
			Name:   "last-length-counts",
			Defect: "takes the last of two lengths",
			Trips:  []string{"CX-10"},
			Policy: filtering(inHead(func(head []byte) []byte {
				if bytes.Count(head, []byte(contentLength)) < 2 {
					return head
				}
				return leavesOut(head, contentLength, 1)
			})),
		},
		{
			Name:   "length-goes-before-chunks",
			Defect: "believes a length though there are chunks",
			Trips:  []string{"CX-10"},
			Policy: filtering(inHead(func(head []byte) []byte {
				if !bytes.Contains(head, []byte(contentLength)) {
					return head
				}
				return leavesOut(head, chunkedCoding, 1)
			})),
		},
	}
}

// forgivingChunks takes an error within a chunked body for its end.
func forgivingChunks(this func(error) bool) change {
	return sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		reply, err := next.RoundTrip(req)
		if err == nil && reply.ContentLength < 0 {
			reply.Body = &forgivenChunks{reply.Body, this}
		}
		return reply, err
	})
}

type forgivenChunks struct {
	io.ReadCloser
	this func(error) bool
}

func (f *forgivenChunks) Read(p []byte) (int, error) {
	n, err := f.ReadCloser.Read(p)
	if err != nil && err != io.EOF && f.this(err) {
		err = io.EOF
	}
	return n, err
}

// newKeyAfterCutChunks gives the attempts of an operation another key, once a reply in chunks to it was cut short.
func newKeyAfterCutChunks(p steady.Policy) steady.Policy {
	var cut sync.Map // of the keys that such operations began with
	return sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		key := keyOf(req)
		if _, was := cut.Load(key); was {
			req = req.Clone(req.Context())
			rekey(req, fresh(req))
		}
		reply, err := next.RoundTrip(req)
		if err == nil && reply.ContentLength < 0 && key != "" {
			reply.Body = &forgivenChunks{reply.Body, func(error) bool {
				cut.Store(key, true)
				return false
			}}
		}
		return reply, err
	})(p)
}

var errInPieces = errors.New("last chunk is broken")

// inOnePiece fails where a read begins within the end of a chunked body, on connections that have carried more than so many replies before.
func inOnePiece(before int) func([]byte, int) ([]byte, error) {
	return func(read []byte, nth int) ([]byte, error) {
		const end = "0\r\n\r\n"
		if nth > before && len(read) < len(end) && strings.HasSuffix(end, string(read)) {
			return nil, errInPieces
		}
		return read, nil
	}
}

// dropping does something to the body of a 5xx in place of reading and closing it. net/http's transport would have goroutines left then, in a play
// that is over.
func dropping(drop func(*http.Response)) change {
	return all(ownWire(goodManners()), sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		reply, err := next.RoundTrip(req)
		if err == nil && reply.StatusCode/100 == 5 {
			drop(reply)
			reply.Body = http.NoBody
		}
		return reply, err
	}))
}

// expecting makes the client wait for a 100 (Continue) in its first attempts.
func expecting(tries int) change {
	return editing(func(req *http.Request, try int) {
		if req.ContentLength > 0 && try <= tries {
			req.Header.Set("Expect", "100-continue")
		}
	})
}

// dropsExpectation sends a request again after a 417, if it was the first.
func dropsExpectation(p steady.Policy) steady.Policy {
	return also(func(o steady.Operation, a steady.Attempt) bool {
		return o.Attempts == 1 && answered(http.StatusExpectationFailed)(o, a)
	})(p)
}
