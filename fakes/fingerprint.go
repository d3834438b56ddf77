package fakes

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

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

// maxDepth is how deep JSON may nest to be canonicalised; people and programs in good faith stay far below. Each level copies what is in
// it, so this also bounds the work.
const maxDepth = 128

// errAmbiguous is why a text is compared by its bytes.
var errAmbiguous = errors.New("no JSON of a single meaning")

// canonicalJSON spells a JSON text in the one way that all texts of the same meaning share.
func canonicalJSON(text []byte) ([]byte, error) {
	if !json.Valid(text) || !utf8.Valid(text) {
		return nil, errAmbiguous
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var out bytes.Buffer
	if err := canonicalValue(&out, d, 0); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func canonicalValue(out *bytes.Buffer, d *json.Decoder, depth int) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	if depth > maxDepth {
		return errAmbiguous
	}
	switch v := token.(type) {
	case json.Delim:
		if v == '{' {
			return canonicalObject(out, d, depth)
		}
		return canonicalArray(out, d, depth)
	case json.Number:
		out.WriteString(canonicalNumber(string(v)))
		return nil
	case string:
		return canonicalString(out, v)
	default: // true, false, null
		return json.NewEncoder(out).Encode(v)
	}
}

func canonicalArray(out *bytes.Buffer, d *json.Decoder, depth int) error {
	out.WriteByte('[')
	for d.More() {
		if err := canonicalValue(out, d, depth+1); err != nil {
			return err
		}
		out.WriteByte(',')
	}
	out.WriteByte(']')
	_, err := d.Token()
	return err
}

func canonicalObject(out *bytes.Buffer, d *json.Decoder, depth int) error {
	members := map[string][]byte{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var member bytes.Buffer
		if err := canonicalString(&member, key.(string)); err != nil {
			return err
		}
		name := member.String()
		if _, twice := members[name]; twice {
			return errAmbiguous
		}
		member.WriteByte(':')
		if err := canonicalValue(&member, d, depth+1); err != nil {
			return err
		}
		members[name] = member.Bytes()
	}
	out.WriteByte('{')
	for _, name := range slices.Sorted(maps.Keys(members)) {
		out.Write(members[name])
		out.WriteByte(',')
	}
	out.WriteByte('}')
	_, err := d.Token()
	return err
}

// canonicalString refuses the replacement character: the decoder puts it in the place of lone surrogates, whichever they are.
func canonicalString(out *bytes.Buffer, s string) error {
	if strings.ContainsRune(s, utf8.RuneError) {
		return errAmbiguous
	}
	return json.NewEncoder(out).Encode(s)
}
