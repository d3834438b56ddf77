package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/gorilla/mux"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/brownout-dev/brownout/fakes"
	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/faults/wire"
)

// serveVerb makes this program one of the servers that are measured.
const serveVerb = "serve"

// serve runs a server and tells its URL, until in ends: then whoever started it wants no more, or is no more.
func serve(name string, in io.Reader, out io.Writer) error {
	url, stop, err := open(name)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, url)
	_, err = io.Copy(io.Discard, in)
	return errors.Join(err, stop())
}

func open(name string) (url string, stop func() error, err error) {
	switch name {
	case "bare":
		return bare()
	case "toxiproxy":
		return toxiproxied()
	}
	fakes.LetGarbageGather() // as brownout itself does
	f, err := fake(wire.TCP{}, name)
	if err != nil {
		return "", nil, err
	}
	return f.URL(), f.Close, nil
}

// fake starts a fake with one of the plans that are measured.
func fake(n wire.Network, plan string) (*fakes.Fake, error) {
	var p faults.Plan
	switch plan {
	case "fake":
	case "chain": // empty links cannot be planned; a limit that is never reached looks at each piece of bytes and hands it on
		p.Connections = everyConnection(
			&faults.Limit{Bytes: farAway, Stream: faults.Upstream},
			&faults.Limit{Bytes: farAway, Stream: faults.Downstream})
	case "latency":
		p.Connections = everyConnection(&faults.Latency{For: latency})
	case "delay":
		p.Routes = everyAttempt(&faults.Delay{For: delay})
	case "slow":
		p.Routes = everyAttempt(&faults.Delay{For: slow})
	default:
		return nil, fmt.Errorf("unknown server %q: want one that is measured", plan)
	}
	return fakes.Start(n, "127.0.0.1:0", fakes.Config{Clock: clock.Start(), Plan: p})
}

// farAway is more bytes than any measurement sends.
const farAway = 1 << 50

func everyConnection(actions ...faults.Action) (list []faults.ConnectionPlan) {
	for _, a := range actions {
		list = append(list, faults.ConnectionPlan{Fault: faults.Fault{At: faults.Connect, Action: a}})
	}
	return list
}

func everyAttempt(a faults.Action) []faults.RoutePlan {
	step := []faults.Fault{{At: faults.BeforeCommit, Action: a}}
	return []faults.RoutePlan{{Route: "* /*", Script: faults.Script{Steps: [][]faults.Fault{step}, Repeat: true}}}
}

// bare is what the fake is built on, and nothing else: it reads the body and sends a reply that it has ready.
func bare() (url string, stop func() error, err error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	router := mux.NewRouter()
	router.Path("/orders").Methods(http.MethodPost).HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return // the client has gone
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		io.WriteString(w, readyReply)
	})
	server := &http.Server{Handler: router}
	go server.Serve(l)
	return "http://" + l.Addr().String(), server.Close, nil
}

// readyReply is as long as the fake's own.
const readyReply = `{"operation":"op-000000000001","method":"POST","path":"/orders","name":"made-0123456789abcdef"}` + "\n"

// toxiproxied is the bare server behind Toxiproxy, without a toxic, both in one process.
func toxiproxied() (url string, stop func() error, err error) {
	upstream, stopUpstream, err := bare()
	if err != nil {
		return "", nil, err
	}
	metrics := toxiproxy.NewMetricsContainer(prometheus.NewRegistry())
	proxy := toxiproxy.NewProxy(toxiproxy.NewServer(metrics, zerolog.Nop()), "bench", "127.0.0.1:0", strings.TrimPrefix(upstream, "http://"))
	if err := proxy.Start(); err != nil {
		return "", nil, errors.Join(err, stopUpstream())
	}
	return "http://" + proxy.Listen, func() error { proxy.Stop(); return stopUpstream() }, nil
}
