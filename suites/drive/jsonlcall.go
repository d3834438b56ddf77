package drive

import (
	"bytes"
	"encoding/json"
	"net/http"
	"unicode/utf8"
)

// The lines that a jsonl adapter gets beside its calls.
const (
	helloLine = `{"type":"hello","protocol":1}` + "\n"
	byeLine   = `{"type":"bye"}` + "\n"
)

// callWords are a call in the words of the contract. All of them are always there, but for body, which makes way for body_base64, policy and
// stream.
type callWords struct {
	Type       string            `json:"type"`
	ID         string            `json:"id"`
	Operation  string            `json:"operation"`
	Method     string            `json:"method"`
	URL        string            `json:"url"`
	Headers    map[string]string `json:"headers"`
	Body       *string           `json:"body,omitempty"`
	BodyBase64 []byte            `json:"body_base64,omitempty"`
	Key        string            `json:"key"`
	KeyHeader  string            `json:"key_header"`
	DeadlineMS int64             `json:"deadline_ms"`
	Policy     *Policy           `json:"policy,omitempty"`
	Stream     bool              `json:"stream,omitempty"`
}

// callLine is the line that asks for a call. It is as long as its body makes it: the bound of 1 MiB is for what the adapter writes.
func callLine(id string, call Call, policy bool) ([]byte, error) {
	w := callWords{
		Type:       "call",
		ID:         id,
		Operation:  string(call.Operation),
		Method:     call.Method,
		URL:        call.URL,
		Headers:    headersWithType(call),
		KeyHeader:  call.KeyHeader,
		DeadlineMS: wholeMS(call.Deadline),
		Stream:     call.Stream,
	}
	if utf8.Valid(call.Body) {
		text := string(call.Body)
		w.Body = &text
	} else {
		w.BodyBase64 = call.Body
	}
	if call.KeyGiven {
		w.Key = call.Key // otherwise it is an offer, and a program makes its own
	}
	if policy {
		w.Policy = call.Policy
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b) // which ends the line
	e.SetEscapeHTML(false)
	err := e.Encode(w)
	return b.Bytes(), err
}

// headersWithType puts the Content-Type among the headers, where the contract has its place.
func headersWithType(call Call) map[string]string {
	headers, typed := map[string]string{}, false
	for name, value := range call.Headers {
		headers[name] = value
		typed = typed || http.CanonicalHeaderKey(name) == "Content-Type"
	}
	if call.Type != "" && !typed {
		headers["Content-Type"] = call.Type
	}
	return headers
}

// cancelLine is the line that asks for a call to be ended.
func cancelLine(id string) []byte { return []byte(`{"type":"cancel","id":"` + id + `"}` + "\n") }
