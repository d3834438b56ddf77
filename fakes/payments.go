package fakes

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/fakes/stores"
	"github.com/brownout-dev/brownout/faults"
)

// payment is what POST /v1/payments makes. Its amount is kept as the client spelled it.
type payment struct {
	ID        string      `json:"id"`
	Reference string      `json:"reference"`
	Amount    json.Number `json:"amount,omitempty"`
	Currency  string      `json:"currency,omitempty"`
	Status    string      `json:"status"`
}

// maxField is how much of a payment's field is kept.
const maxField = 256

const paymentsPath = "/v1/payments"

// pay makes a payment. Any body will do; what it says of reference, amount and currency is taken up. Without a reference the
// operation's token is one, so that a payment can always be found again.
func pay(q request, t stores.Tx) faults.Reply {
	var asked payment
	_ = json.Unmarshal(q.body.kept, &asked) // a body that is no such JSON asks for nothing in particular
	made := payment{
		ID:        q.newName("pay"),
		Reference: journal.Bounded(asked.Reference, maxField),
		Currency:  journal.Bounded(asked.Currency, maxField),
		Status:    "accepted",
	}
	if len(asked.Amount) <= maxField {
		made.Amount = asked.Amount
	}
	if made.Reference == "" {
		made.Reference = string(q.operation)
	}
	path := paymentsPath + "/" + made.ID
	t.Put(path, encoded(made))
	found := append(paymentsBy(t, made.Reference), made)
	t.Put(byReference(made.Reference), encoded(found))
	t.Apply(q.effect(made.what(), path))

	reply := jsonReply(http.StatusCreated, struct {
		Operation faults.OperationID `json:"operation"`
		Payment   payment            `json:"payment"`
	}{q.operation, made})
	reply.Header.Set("Location", path)
	return reply
}

func (p payment) what() string {
	what := "payment"
	if p.Amount != "" {
		what += " " + string(p.Amount)
	}
	if p.Currency != "" {
		what += " " + p.Currency
	}
	return what
}

// byReference is where the payments of one reference are listed: the target of the look-up itself.
func byReference(reference string) string {
	return paymentsPath + "?reference=" + url.QueryEscape(reference)
}

func paymentsBy(t stores.Tx, reference string) []payment {
	found := []payment{}
	if document, _ := t.Get(byReference(reference)); document != nil {
		mustDecode(document, &found)
	}
	return found
}

// findPayments looks payments up by the reference that their makers gave them: the way out after a lost reply.
func findPayments(q request, t stores.Tx) faults.Reply {
	reference := q.URL.Query().Get("reference")
	if reference == "" {
		return refuse(q.operation, http.StatusBadRequest, "reference is missing: want "+byReference("…"))
	}
	return jsonReply(http.StatusOK, struct {
		Operation faults.OperationID `json:"operation"`
		Payments  []payment          `json:"payments"`
	}{q.operation, paymentsBy(t, reference)})
}

func readPayment(q request, t stores.Tx) faults.Reply {
	document, _ := t.Get(q.path())
	if document == nil {
		return refuse(q.operation, http.StatusNotFound, "there is no such payment")
	}
	return jsonReply(http.StatusOK, struct {
		Operation faults.OperationID `json:"operation"`
		Payment   json.RawMessage    `json:"payment"`
	}{q.operation, document})
}
