package fakes

import (
	"context"
	"net/http"
	"testing"
)

func TestRanges(t *testing.T) {
	const all = `{"operation":"op-00000001","items":["anvil","bellows","tongs"]}` + "\n"
	const target = "/v1/catalogue?op=op-00000001"
	inPlay(t, Config{}, func(p *play) {
		whole := p.send(context.Background(), http.MethodGet, target, "")
		etag := whole.header.Get("ETag")
		if whole.status != 200 || etag == "" || etag[0] != '"' || whole.header.Get("Accept-Ranges") != "bytes" {
			t.Fatalf("got %d with the ETag %q and Accept-Ranges %q, want 200, a strong one, and bytes", whole.status, etag, whole.header.Get("Accept-Ranges"))
		}
		for _, row := range []struct {
			name, field, condition string
			status                 int
			part, body, reason     string
		}{
			{"from here on", "bytes=60-", "", 206, "bytes 60-63/64", all[60:], ""},
			{"the same thing still", "bytes=60-", etag, 206, "bytes 60-63/64", all[60:], ""},
			{"another thing by now", "bytes=60-", `"other"`, 200, "", all, "RFC 9110, 13.1.5"},
			{"a part", "bytes=0-1", "", 206, "bytes 0-1/64", all[:2], ""},
			{"beyond the end", "bytes=62-100", "", 206, "bytes 62-63/64", all[62:], ""},
			{"the end", "bytes=-3", "", 206, "bytes 61-63/64", all[61:], ""},
			{"more than all of the end", "bytes=-300", "", 206, "bytes 0-63/64", all, ""},
			{"nothing there", "bytes=64-", "", 416, "bytes */64", "", "RFC 9110, 15.5.17"},
			{"nothing of the end", "bytes=-0", "", 416, "bytes */64", "", ""},
			{"several", "bytes=0-1,3-4", "", 200, "", all, "a server may ignore ranges"},
			{"backwards", "bytes=4-1", "", 200, "", all, "invalid: RFC 9110, 14.1.1"},
			{"no number", "bytes=a-", "", 200, "", all, ""},
			{"other units", "lines=0-1", "", 200, "", all, ""},
		} {
			header := []string{"Range", row.field}
			if row.condition != "" {
				header = append(header, "If-Range", row.condition)
			}
			got := p.send(context.Background(), http.MethodGet, target, "", header...)
			if got.status != row.status || got.header.Get("Content-Range") != row.part {
				t.Errorf("%s: got %d %q, want %d %q %s", row.name, got.status, got.header.Get("Content-Range"), row.status, row.part, row.reason)
			}
			if row.body != "" && got.body != row.body {
				t.Errorf("%s: got %q, want %q", row.name, got.body, row.body)
			}
		}
		attempts := p.record().Attempts
		if first, part := attempts[0].ReplySHA256, attempts[1].ReplySHA256; first == "" || part != first {
			t.Errorf("got the digest %q of a part, want %q, that of all of it", part, first)
		}
	})
}
