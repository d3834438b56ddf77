package fakes

import (
	"fmt"
	"net/http"

	"github.com/brownout-dev/brownout/fakes/stores"
	"github.com/brownout-dev/brownout/faults"
)

// readCatalogue is a plain read. It can be had in parts, as the export can.
func readCatalogue(q request, _ stores.Tx) faults.Reply {
	return q.ranged(jsonReply(http.StatusOK, struct {
		Operation faults.OperationID `json:"operation"`
		Items     []string           `json:"items"`
	}{q.operation, []string{"anvil", "bellows", "tongs"}}))
}

// exportLines makes the export about 256 KiB long: more than the buffers on the way, so that a client that stops reading is felt.
const exportLines = 4096

// readExport is a long read: newline-delimited JSON in chunks, of a length that is not announced.
func readExport(q request, _ stores.Tx) faults.Reply {
	text := encoded(struct {
		Operation faults.OperationID `json:"operation"`
		Lines     int                `json:"lines"`
	}{q.operation, exportLines})
	for i := range exportLines {
		text = fmt.Appendf(text, "{\"line\":%d,\"item\":\"anvil, forged, with a horn, no. %06d\"}\n", i+1, i+1)
	}
	return q.ranged(faults.Reply{
		Status:  http.StatusOK,
		Header:  http.Header{"Content-Type": {"application/x-ndjson"}},
		Body:    text,
		Chunked: true,
	})
}

// readNothing answers where nothing is, for probes that want to see an honest 404.
func readNothing(q request, _ stores.Tx) faults.Reply {
	return refuse(q.operation, http.StatusNotFound, "there is nothing here, on purpose")
}
