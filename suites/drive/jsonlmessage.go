package drive

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// message is one line of a jsonl adapter: a hello, or a result.
type message struct {
	hello  *Hello // nil = it is a result
	id     string // of the call that is answered
	result Result
}

// decodeMessage reads a line. An error beside an id is of that answer alone; without an id it is not known whose answer it was to be.
func decodeMessage(line []byte) (m message, err error) {
	if err := readable(line); err != nil {
		return m, err
	}
	fields, err := object(line)
	if err != nil {
		return m, fmt.Errorf("%w: stdout is for messages alone, and logs belong on stderr", err)
	}
	switch kind := string(fields["type"]); kind {
	case `"hello"`:
		h, err := greeting(line)
		return message{hello: &h}, err
	case `"result"`:
		return decodeResult(fields)
	default:
		return m, fmt.Errorf(`its type is %s: want "hello" or "result"`, spelt(fields["type"]))
	}
}

// resultFields are the fields of a result. One beside them is refused: a word misspelt would be a rule not tested.
func resultFields() []string {
	return []string{"type", "id", "outcome", "status", "body", "body_base64", "body_sha256", "body_bytes", "error"}
}

func decodeResult(fields map[string]json.RawMessage) (m message, err error) {
	if id := fields["id"]; json.Unmarshal(id, &m.id) != nil || m.id == "" {
		return message{}, fmt.Errorf("its id is %s: want the id of the call that it answers", spelt(id))
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(resultFields(), name) {
			return m, fmt.Errorf("the answer has an unknown field %s: want some of %s", brief(name), join(resultFields()))
		}
	}
	_, err = (&answer{fields: fields}).result(&m.result)
	return m, err
}
