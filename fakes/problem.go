package fakes

import (
	"net/http"

	"github.com/brownout-dev/brownout/faults"
)

// problem is a refusal as RFC 9457 writes it. Its type is left out, which means "about:blank": the status says it all, the detail is
// for people.
type problem struct {
	Title     string             `json:"title"`
	Status    int                `json:"status"`
	Detail    string             `json:"detail"`
	Operation faults.OperationID `json:"operation,omitempty"`
}

// refuse is the reply that says why nothing was done.
func refuse(op faults.OperationID, status int, detail string) faults.Reply {
	r := jsonReply(status, problem{Title: http.StatusText(status), Status: status, Detail: detail, Operation: op})
	r.Header.Set("Content-Type", "application/problem+json")
	return r
}
