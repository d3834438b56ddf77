package fakes

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/fakes/stores"
)

// Bounds of a request's body.
const (
	// MaxBody is the longest body that is taken; a longer one is answered with 413. No rule needs more than half of it.
	MaxBody = 64 << 20
	// MaxKept is how much of a body is kept in memory while its attempt runs: tokens are looked for in it, and JSON up to this
	// length is compared by its meaning. Longer bodies are compared by their digest.
	MaxKept = 1 << 20
	// Patience is how long the fake waits for the next byte of a head or body. It is far above every deadline that a rule gives, so
	// that it ends only what would never have ended.
	Patience = 5 * time.Minute

	bodyChunk = 32 << 10
)

var errBodyTooLong = fmt.Errorf("body is longer than %d bytes", MaxBody)

// body is a request's body as it arrived. Only the digest covers all of it.
type body struct {
	kept   []byte
	length int64
	sha256 [sha256.Size]byte
	err    error // why it did not arrive whole
}

// readBody reads the body to its end. Each wait for bytes is bounded by Patience.
func readBody(w http.ResponseWriter, r *http.Request) (b body) {
	if r.Body == http.NoBody {
		return b
	}
	connection := http.NewResponseController(w)
	digest, chunk := sha256.New(), make([]byte, chunkFor(r))
	for b.err == nil {
		if b.err = connection.SetReadDeadline(time.Now().Add(Patience)); b.err != nil {
			break
		}
		var n int
		n, b.err = r.Body.Read(chunk)
		b.length += int64(n)
		digest.Write(chunk[:n])
		b.kept = append(b.kept, chunk[:min(n, MaxKept-len(b.kept))]...)
		if b.length > MaxBody {
			b.err = errBodyTooLong
		}
	}
	if errors.Is(b.err, io.EOF) {
		b.err = nil
		_ = connection.SetReadDeadline(time.Time{}) // fails only on a connection that is closed, which the reply will find out
	}
	digest.Sum(b.sha256[:0])
	return b
}

// chunkFor is how much of the body is read at once: no more than it has, because most bodies are short and a play has many.
func chunkFor(r *http.Request) int64 {
	if declared := r.ContentLength; declared > 0 {
		return min(declared, bodyChunk)
	}
	return bodyChunk
}

// print is the fingerprint of the body's meaning, or of its bytes if it is too long to be looked into.
func (b body) print() stores.Print {
	if b.length > int64(len(b.kept)) {
		return b.sha256
	}
	return fingerprint(b.kept)
}

// statusOf is the status that tells a client why its body was not taken.
func statusOf(err error) int {
	switch {
	case errors.Is(err, errBodyTooLong):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return http.StatusRequestTimeout
	default:
		return http.StatusBadRequest
	}
}

// record writes into an attempt what arrived.
func (b body) record(a *journal.Attempt) {
	a.BodyBytes = b.length
	if b.length > 0 {
		a.BodySHA256 = hex.EncodeToString(b.sha256[:])
	}
	if b.err != nil {
		a.BodyError = journal.Bounded(b.err.Error(), journal.MaxError)
	}
}
