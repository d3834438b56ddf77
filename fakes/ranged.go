package fakes

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/brownout-dev/brownout/faults"
)

// ranged makes a reply one that can be had in parts (RFC 9110, 14): it carries a strong ETag, and whoever asks for a range of it is given
// that, unless an If-Range names another ETag. Several ranges at once, and what is no range of bytes, get all of it, as a server may do.
func (q request) ranged(r faults.Reply) faults.Reply {
	sum := sha256.Sum256(r.Body)
	etag := `"` + hex.EncodeToString(sum[:8]) + `"`
	r.Header.Set("ETag", etag)
	r.Header.Set("Accept-Ranges", "bytes")
	from, to, asked := rangeOf(q.Header.Get("Range"), len(r.Body))
	if condition := q.Header.Get("If-Range"); !asked || q.Method != http.MethodGet || condition != "" && condition != etag {
		return r
	}
	if from >= to {
		none := refuse(q.operation, http.StatusRequestedRangeNotSatisfiable, "there is nothing in this range")
		none.Header.Set("Content-Range", fmt.Sprintf("bytes */%d", len(r.Body)))
		return none
	}
	r.Status, r.Whole, r.Offset, r.Body = http.StatusPartialContent, r.Body, from, r.Body[from:to]
	r.Header.Set("Content-Range", r.ContentRange())
	return r
}

// rangeOf reads a Range field for something of that length: "bytes=5-9", "bytes=5-", or "bytes=-5" for the last five. It gives where the
// range begins and ends; a range with nothing in it has from >= to.
func rangeOf(field string, length int) (from, to int, ok bool) {
	spec, bytes := strings.CutPrefix(field, "bytes=")
	first, last, dash := strings.Cut(spec, "-")
	if !bytes || !dash || strings.Contains(spec, ",") {
		return 0, 0, false
	}
	begin, err1 := strconv.ParseUint(first, 10, 31)
	end, err2 := strconv.ParseUint(last, 10, 31)
	switch {
	case first == "" && err2 == nil:
		return length - min(int(end), length), length, true
	case err1 != nil || last != "" && (err2 != nil || end < begin):
		return 0, 0, false
	case last == "":
		return int(begin), length, true
	}
	return int(begin), min(int(end)+1, length), true
}
