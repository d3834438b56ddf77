package drive

import (
	"crypto/rand"
	"fmt"
)

// newKey makes a fresh idempotency key: a UUID of version 4, which has 122 random bits (RFC 9562, 5.4).
func newKey() string {
	var b [16]byte
	rand.Read(b[:]) // never fails: it ends the program rather than give weak bytes
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
