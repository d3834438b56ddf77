package wire

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
)

// BenchmarkPost compares a bare listener with ours: handed over as it is, and through toxics that change nothing.
func BenchmarkPost(b *testing.B) {
	chain := faults.Plan{}
	for _, words := range []string{"slice 16384", "slice 16384 stream=upstream"} {
		f, _, err := faults.Parse(words)
		if err != nil {
			b.Fatal(err)
		}
		chain.Connections = append(chain.Connections, faults.ConnectionPlan{Fault: f})
	}
	wired := func(p faults.Plan) func() (net.Listener, error) {
		return func() (net.Listener, error) {
			return Listen(TCP{}, "127.0.0.1:0", Options{Clock: clock.Start(), Plan: p})
		}
	}
	for _, row := range []struct {
		name   string
		listen func() (net.Listener, error)
	}{
		{"bare", func() (net.Listener, error) { return net.Listen("tcp4", "127.0.0.1:0") }},
		{"as-it-is", wired(faults.Plan{})},
		{"through-a-chain", wired(chain)},
	} {
		b.Run(row.name, func(b *testing.B) {
			l, err := row.listen()
			if err != nil {
				b.Fatal(err)
			}
			server := &http.Server{ConnContext: ConnContext, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				if c := Of(r.Context()); c != nil {
					c.Begin().Replying()
				}
				io.WriteString(w, "ok")
			})}
			go server.Serve(l)
			defer server.Close()
			transport := &http.Transport{MaxIdleConnsPerHost: 64}
			defer transport.CloseIdleConnections()
			client, url := &http.Client{Transport: transport}, "http://"+l.Addr().String()
			b.SetParallelism(8) // 16 connections on two cores
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					r, err := client.Post(url, "text/plain", strings.NewReader("body"))
					if err != nil {
						b.Error(err)
						return
					}
					io.Copy(io.Discard, r.Body)
					r.Body.Close()
				}
			})
		})
	}
}
