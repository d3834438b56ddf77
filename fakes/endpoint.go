package fakes

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"

	"github.com/gorilla/mux"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/fakes/stores"
	"github.com/brownout-dev/brownout/faults"
)

// endpoint is what a route does with requests: whether it obeys idempotency keys, and its work. Work is a pure function of the request
// and the state, so that a play that is repeated gives the same replies.
type endpoint struct {
	keys keyRule
	work func(q request, t stores.Tx) faults.Reply
}

// routes lists the fake's endpoints; the first that matches serves the request. Paths are taken as they were sent, without cleaning and
// redirects, so that each attempt that arrives is seen.
func (f *Fake) routes() http.Handler {
	r := mux.NewRouter().SkipClean(true).UseEncodedPath()
	reads := []string{http.MethodGet, http.MethodHead}

	r.Path("/v1/payments").Methods(http.MethodPost).Handler(f.serve(endpoint{keyRequired, pay}))
	r.Path("/v1/payments").Methods(reads...).Handler(f.serve(endpoint{keyIgnored, findPayments}))
	r.Path("/v1/payments/{id}").Methods(reads...).Handler(f.serve(endpoint{keyIgnored, readPayment}))
	r.Path("/v1/legacy/charges").Methods(http.MethodPost).Handler(f.serve(endpoint{keyIgnored, charge}))
	r.Path("/v1/catalogue").Methods(reads...).Handler(f.serve(endpoint{keyIgnored, readCatalogue}))
	r.Path("/v1/export").Methods(reads...).Handler(f.serve(endpoint{keyIgnored, readExport}))
	r.Path("/v1/absent").Methods(reads...).Handler(f.serve(endpoint{keyIgnored, readNothing}))

	// Customers and everything else: any method, any path.
	anything := r.MatcherFunc(func(*http.Request, *mux.RouteMatch) bool { return true }).Subrouter()
	anything.Methods(http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace).Handler(f.serve(endpoint{keyIgnored, readResource}))
	anything.Methods(http.MethodPut).Handler(f.serve(endpoint{keyIgnored, putResource}))
	anything.Methods(http.MethodDelete).Handler(f.serve(endpoint{keyIgnored, deleteResource}))
	anything.PathPrefix("/nokeys/").Handler(f.serve(endpoint{keyIgnored, act}))
	anything.Methods(http.MethodPost, http.MethodPatch).Handler(f.serve(endpoint{keyOptional, act}))
	r.NotFoundHandler = f.serve(endpoint{keyIgnored, act})
	r.MethodNotAllowedHandler = r.NotFoundHandler
	return r
}

// request is what an endpoint knows of a request that it carries out.
type request struct {
	*http.Request
	attempt   int
	operation faults.OperationID
	try       int
	key       string
	body      body
}

func (x *exchange) request() request {
	return request{Request: x.r, attempt: x.number, operation: x.operation, try: x.try, key: x.key, body: x.body}
}

// path is the resource that the request is about, whatever its query.
func (q request) path() string { return q.URL.EscapedPath() }

// newName names what this attempt makes: the same in every play, and no two attempts share it.
func (q request) newName(prefix string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", q.operation, q.try))
	return prefix + "-" + hex.EncodeToString(sum[:8])
}

// effect is what the request's work writes into the ledger.
func (q request) effect(what, resource string) journal.Effect {
	return journal.Effect{Operation: q.operation, Attempt: q.attempt, Key: q.key, What: what, Resource: resource}
}
