package fakes

import (
	"bytes"
	"encoding/hex"
	"net/http"

	"github.com/brownout-dev/brownout/fakes/stores"
	"github.com/brownout-dev/brownout/faults"
)

// Any path that no route of its own takes is a resource, so that a client of any API can be tested as it is. One that nobody
// has touched is there for whoever reads or deletes it, and not there for whoever creates it: the first request goes well.

// resource is what is kept of a representation: enough to know another one from it.
type resource struct {
	Type   string `json:"type,omitempty"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// echo is the reply to a request about a resource.
type echo struct {
	Operation faults.OperationID `json:"operation"`
	Method    string             `json:"method"`
	Path      string             `json:"path"`
	Name      string             `json:"name,omitempty"` // of what was made
}

func (q request) echo(status int, name string) faults.Reply {
	return jsonReply(status, echo{q.operation, q.Method, q.path(), name})
}

// readResource answers safe methods (RFC 9110, 9.2.1); nothing changes.
func readResource(q request, t stores.Tx) faults.Reply {
	if document, touched := t.Get(q.path()); touched && document == nil {
		return refuse(q.operation, http.StatusNotFound, "this resource was deleted")
	}
	return q.echo(http.StatusOK, "")
}

// putResource has an effect only if it changes what is there, so that a repeated PUT is one effect (RFC 9110, 9.2.2). With
// If-None-Match: * it only creates.
func putResource(q request, t stores.Tx) faults.Reply {
	before, touched := t.Get(q.path())
	if q.Header.Get("If-None-Match") == "*" && before != nil {
		return refuse(q.operation, http.StatusPreconditionFailed, "this resource is there already")
	}
	after := encoded(resource{q.Header.Get("Content-Type"), q.body.length, hex.EncodeToString(q.body.sha256[:])})
	if !touched || !bytes.Equal(before, after) {
		t.Put(q.path(), after)
		t.Apply(q.effect(q.Method+" "+q.path(), q.path()))
	}
	if before == nil {
		return q.echo(http.StatusCreated, "")
	}
	return q.echo(http.StatusOK, "")
}

// deleteResource has an effect if there was something to delete; the repeat finds nothing and says so.
func deleteResource(q request, t stores.Tx) faults.Reply {
	if before, touched := t.Get(q.path()); touched && before == nil {
		return refuse(q.operation, http.StatusNotFound, "this resource was deleted before")
	}
	t.Put(q.path(), nil)
	t.Apply(q.effect(q.Method+" "+q.path(), q.path()))
	return q.echo(http.StatusOK, "")
}

// act is an unsafe request of any other kind: each one that gets through is an effect.
func act(q request, t stores.Tx) faults.Reply {
	name := q.newName("made")
	t.Apply(q.effect(q.Method+" "+q.path(), q.path()+"/"+name))
	return q.echo(http.StatusCreated, name)
}
