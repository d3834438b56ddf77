package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// How long the servers are loaded. They take short turns, so that a machine that is busy for a while is busy for all of them; thirteen
// rounds make a median that some bad ones cannot move.
const (
	rounds = 13
	warmUp = 100 * time.Millisecond // connections are made, and code is in the caches
	turn   = 500 * time.Millisecond
)

// throughput compares the servers, and prints a table.
func throughput(ctx context.Context, out io.Writer) error {
	fmt.Fprintf(out, "1. Throughput. POST with 90 bytes of JSON, on %d kept connections of 127.0.0.1. Medians of %d rounds, in which the\n"+
		"   servers take turns of %v; the lowest and the highest round tell how busy the machine was with other things.\n", connections, rounds, turn)
	list := contenders()
	if wiremock, err := warmWiremock(ctx); err == nil {
		defer wiremock.stop()
		list = append(list, running(wiremock))
	} else {
		fmt.Fprintf(out, "   (f) WireMock is skipped: %v\n", err)
	}
	for round := range rounds {
		for i := range list { // each round begins with another, so that none always comes after the same one
			if err := list[(round+i)%len(list)].measure(ctx); err != nil {
				return err
			}
		}
	}
	return table(out, list)
}

func table(out io.Writer, list []*contender) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "   \trequests/s\tlowest\thighest\tof (a)\tp50 ms\tp99 ms\tserver's CPU\t")
	for _, c := range list {
		cpu := "not known"
		if d := median(c.cpu); d > 0 {
			cpu = fmt.Sprintf("%.0f µs each", d.Seconds()*1e6)
		}
		fmt.Fprintf(t, "  (%s)\t%.0f\t%.0f\t%.0f\t%.0f %%\t%.2f\t%.2f\t%s\t  %s\n", c.letter,
			median(c.rates), slices.Min(c.rates), slices.Max(c.rates), 100*c.times(list[0]),
			millis(median(c.p50)), millis(median(c.p99)), cpu, c.name)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	last := list[len(list)-1]
	for _, c := range list {
		if c.letter != last.letter && last.letter == "f" && (c.letter == "b" || c.letter == "c") {
			fmt.Fprintf(out, "   (%s) is %.1f times as fast as (f).\n", c.letter, c.times(last))
		}
	}
	return nil
}

func millis(d time.Duration) float64 { return d.Seconds() * 1e3 }
