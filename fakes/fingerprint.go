package fakes

import (
	"crypto/sha256"

	"github.com/brownout-dev/brownout/fakes/stores"
)

// fingerprint tells payloads apart by what they mean: JSON in any order of keys, spacing, escapes and spelling of numbers is one
// payload. Whether it is JSON, the bytes say and not the Content-Type, since "curl -d" labels JSON as a form. All else is told apart
// byte by byte; so is JSON that has no single meaning: keys that stand twice, broken UTF-8, nesting deeper than maxDepth.
//
// Idempotent keys are compared with it (draft-ietf-httpapi-idempotency-key-header, 2.4).
func fingerprint(payload []byte) stores.Print {
	canonical, err := canonicalJSON(payload)
	if err != nil {
		return stores.Print(sha256.Sum256(payload))
	}
	return stores.Print(sha256.Sum256(canonical))
}
