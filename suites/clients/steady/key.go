package steady

import (
	crand "crypto/rand"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
)

// UUID makes a random key (RFC 9562, 5.4): 122 random bits, nothing of the operation or the caller in it.
func UUID(r *rand.Rand) string {
	high, low := r.Uint64(), r.Uint64()
	high = high&^0xf000 | 0x4000 // version 4
	low = low&^(0b11<<62) | 0b10<<62
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", high>>32, high>>16&0xffff, high&0xffff, low>>48, low&0xffffffffffff)
}

// random is an operation's own source of randomness. With a seed it depends on the operation alone, so that a play in virtual time
// repeats exactly in whatever order its operations run; without one it cannot be predicted, since keys are drawn from it.
func random(seed uint64, operation string) *rand.Rand {
	var state [32]byte
	if seed == 0 {
		crand.Read(state[:]) // never fails
	} else {
		state = sha256.Sum256(fmt.Appendf(nil, "%d %s", seed, operation))
	}
	return rand.New(rand.NewChaCha8(state))
}
