package fakes

import (
	"net/http"

	"github.com/brownout-dev/brownout/fakes/stores"
	"github.com/brownout-dev/brownout/faults"
)

// charge is the old way to pay, which knows no keys: each request that gets through is money gone.
func charge(q request, t stores.Tx) faults.Reply {
	id := q.newName("chg")
	t.Apply(q.effect("charge", q.path()+"/"+id))
	return jsonReply(http.StatusCreated, struct {
		Operation faults.OperationID `json:"operation"`
		Charge    string             `json:"charge"`
	}{q.operation, id})
}
