package fakes

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/brownout-dev/brownout/faults"
)

// jsonReply is a reply with document as its JSON body. The same document gives the same bytes.
func jsonReply(status int, document any) faults.Reply {
	return faults.Reply{
		Status: status,
		Header: http.Header{"Content-Type": {"application/json"}},
		Body:   encoded(document),
	}
}

// encoded is the JSON of a document of our own, which always has one: anything else is a mistake in this package.
func encoded(document any) []byte {
	text, err := json.Marshal(document)
	if err != nil {
		panic(fmt.Sprintf("document %T has no JSON: %v", document, err))
	}
	return append(text, '\n')
}

// mustDecode reads a document of our own.
func mustDecode(text []byte, document any) {
	if err := json.Unmarshal(text, document); err != nil {
		panic(fmt.Sprintf("document %T was stored broken: %v", document, err))
	}
}

// emptyReply is the reply before anything has been done.
func emptyReply() faults.Reply { return faults.Reply{Status: http.StatusOK, Header: http.Header{}} }
