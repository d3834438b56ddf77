package drive

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// answerLimit is the longest line that is read as an answer. Bodies that would make it longer are answered by their digest.
const answerLimit = 1 << 20

// answer listens on stdout for the client's answer: the last line that is a JSON object with an "outcome". Lines of any other kind are the
// client's own business, but one that was plainly meant as an answer and is none is trouble, unless an answer follows.
type answer struct {
	cutter
	fields  map[string]json.RawMessage // of the answer; nil = none so far
	trouble string                     // of a line that was meant to be one
}

func (a *answer) take(p []byte) { a.cutter.take(p, a.consider) }

// end is the end of the stream, and of a line that had no line break.
func (a *answer) end() { a.cutter.flush(a.consider) }

// mention is how far into a line that is no JSON the word "outcome" has to stand for it to be taken for a failed answer.
const mention = 256

func (a *answer) consider(line []byte, tooLong bool) {
	line = bytes.TrimSpace(line)
	if !bytes.HasPrefix(line, []byte("{")) {
		return
	}
	meant := bytes.Contains(line[:min(mention, len(line))], []byte("outcome"))
	if tooLong {
		if meant {
			a.fields, a.trouble = nil, fmt.Sprintf("an answer longer than %d bytes: leave body out, and say body_sha256 and body_bytes instead", answerLimit)
		}
		return
	}
	var fields map[string]json.RawMessage
	err := readable(line)
	if err == nil {
		err = json.Unmarshal(line, &fields)
	}
	switch _, ok := fields["outcome"]; {
	case err == nil && ok:
		a.fields, a.trouble = fields, ""
	case err != nil && meant:
		a.fields, a.trouble = nil, fmt.Sprintf("a line that looks like an answer is not JSON: %v", err)
	}
}

// result reads the answer into r; ok is false when there was none. Fields that the contract does not know are left alone.
func (a *answer) result(r *Result) (ok bool, err error) {
	if a.trouble != "" {
		return false, errors.New(a.trouble)
	}
	if a.fields == nil {
		return false, nil
	}
	var outcome, text, sum string
	var body, body64 *string
	size := int64(-1)
	for _, f := range []struct {
		name string
		into any
		want string
	}{
		{"outcome", &outcome, "one of ok, failed, unknown, error"},
		{"status", &r.Status, "the last reply's status as a number"},
		{"error", &text, "a text"},
		{"body", &body, "a text; bytes that are no text go into body_base64"},
		{"body_base64", &body64, "a text in base64"},
		{"body_sha256", &sum, "64 hexadecimal digits"},
		{"body_bytes", &size, "a whole number"},
	} {
		if value, ok := a.fields[f.name]; ok && json.Unmarshal(value, f.into) != nil {
			return false, fmt.Errorf("the answer's %s is %s: want %s", f.name, printable(value[:min(toldWidth, len(value))]), f.want)
		}
	}
	r.Outcome, r.Err = Outcome(outcome), text
	if checked(*r).Trouble != "" {
		return false, errors.New(checked(*r).Trouble)
	}
	if r.Status != 0 && (r.Status < 100 || r.Status > 999) {
		return false, fmt.Errorf("the answer's status is %d: want an HTTP status, or 0 for none", r.Status)
	}
	if body != nil {
		r.Body = []byte(*body)
	} else if body64 != nil {
		if r.Body, err = base64.StdEncoding.DecodeString(*body64); err != nil {
			return false, fmt.Errorf("the answer's body_base64: %v", err)
		}
	}
	return true, r.digest(strings.ToLower(sum), size)
}

// digest fills in what is told of the body, and refuses what contradicts it.
func (r *Result) digest(sum string, size int64) error {
	if raw, err := hex.DecodeString(sum); sum != "" && (err != nil || len(raw) != sha256.Size) {
		return fmt.Errorf("the answer's body_sha256 is %q: want 64 hexadecimal digits", sum)
	}
	if (sum == "") != (size < 0) {
		return errors.New("the answer has only one of body_sha256 and body_bytes: want both, or body")
	}
	if r.Body == nil {
		r.BodySHA256, r.BodyBytes = sum, max(0, size)
		return nil
	}
	own := sha256.Sum256(r.Body)
	r.BodySHA256, r.BodyBytes = hex.EncodeToString(own[:]), int64(len(r.Body))
	if sum != "" && (sum != r.BodySHA256 || size != r.BodyBytes) {
		return fmt.Errorf("the answer's body_sha256 and body_bytes are not those of its body (%s, %d)", r.BodySHA256, r.BodyBytes)
	}
	return nil
}
