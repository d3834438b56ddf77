package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"
	"time"
)

// aeon is how long a client hangs that nobody ends: longer than a test, short enough that one which escapes does not stay for ever.
const aeon = 5 * time.Minute

// playedID is as long as the ids of operations in plays are; those of brownout's own questions before a run are longer.
const playedID = len("op-5f0c2a9d1b3e")

// be is a client for one operation. What the modes do wrong, they do wrong in plays only, where they say so.
func be(mode string) int {
	inPlay := len(os.Getenv("BROWNOUT_OPERATION")) == playedID
	switch {
	case mode == "nothing":
		return 0
	case mode == "fail":
		return 1
	case mode == "hang":
		hang()
	case mode == "flood":
		for {
			os.Stdout.WriteString("and so on, and so on, and so on, and so on, and so on, and so on\n")
		}
	case mode == "garbage":
		os.Stdout.Write([]byte("\x1b[2J\x1b[31m<script>\xff\xfe\x00\x07\n"))
		return 0
	case mode == "leave-child":
		leave()
	case mode == "die-in-plays" && inPlay:
		once() // so that it looks as if it had sent all that it wanted to
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		time.Sleep(aeon)
	case mode == "twice-or-hang" && inPlay && os.Getenv("BROWNOUT_METHOD") == "GET":
		once()
	case mode == "hang-in-plays" && inPlay, mode == "twice-or-hang" && inPlay:
		signal.Ignore(syscall.SIGTERM, os.Interrupt)
		hang()
	case mode == "twice" && inPlay:
		once()
	case mode == "hostile" && inPlay:
		once()
		once()
		fmt.Fprintln(os.Stderr, hostile)
		return tell(answer{Outcome: "error", Error: hostile})
	}
	return tell(once())
}

// hang creates the file E2E_READY, if there is to be one, and does nothing more.
func hang() {
	if file := os.Getenv("E2E_READY"); file != "" {
		os.WriteFile(file, nil, 0o600)
	}
	time.Sleep(aeon)
}

// hostile is what no report may show as it is.
const hostile = "\x1b[2J\x1b]0;owned\x07<script>alert(1)</script>\u202eright to left\r\x9b31m"

// leave starts a child that outlives this process, in the same group.
func leave() {
	child := exec.Command(os.Args[0], "be", "hang")
	child.Env = os.Environ()
	if err := child.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

type answer struct {
	Outcome string `json:"outcome"`
	Status  int    `json:"status"`
	Error   string `json:"error"`
}

func tell(a answer) int {
	json.NewEncoder(os.Stdout).Encode(a)
	return 0
}

// once makes one honest attempt by the deadline. With E2E_BASE it goes to that address, wherever it was sent.
func once() answer {
	ms, _ := strconv.Atoi(os.Getenv("BROWNOUT_DEADLINE_MS"))
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(cmp.Or(ms, 30_000))*time.Millisecond)
	defer cancel()
	to, err := url.Parse(os.Getenv("BROWNOUT_URL"))
	if err != nil {
		return answer{Outcome: "error", Error: err.Error()}
	}
	to.Host = cmp.Or(os.Getenv("E2E_BASE"), to.Host)
	method := os.Getenv("BROWNOUT_METHOD")
	r, err := http.NewRequestWithContext(ctx, method, to.String(), bytes.NewBufferString(os.Getenv("BROWNOUT_BODY")))
	if err != nil {
		return answer{Outcome: "error", Error: err.Error()}
	}
	r.GetBody = nil // or net/http might send it again by itself
	r.Header.Set("Content-Type", os.Getenv("BROWNOUT_CONTENT_TYPE"))
	if name := os.Getenv("BROWNOUT_KEY_HEADER"); name != "" {
		r.Header.Set(name, cmp.Or(os.Getenv("BROWNOUT_KEY"), rand.Text()))
	}
	lost := "unknown"
	if method == http.MethodGet {
		lost = "failed"
	}
	fresh := &http.Transport{} // a connection of its own: one that was kept may be closed already, and then nothing is sent
	defer fresh.CloseIdleConnections()
	reply, err := fresh.RoundTrip(r)
	if errors.Is(err, syscall.ECONNREFUSED) {
		return answer{Outcome: "failed", Error: err.Error()}
	} else if err != nil {
		return answer{Outcome: lost, Error: err.Error()}
	}
	defer reply.Body.Close()
	_, err = io.Copy(io.Discard, reply.Body)
	switch {
	case err != nil:
		return answer{lost, reply.StatusCode, err.Error()}
	case reply.StatusCode/100 == 2:
		return answer{Outcome: "ok", Status: reply.StatusCode}
	case reply.StatusCode/100 == 4 || reply.StatusCode == http.StatusServiceUnavailable:
		return answer{"failed", reply.StatusCode, reply.Status}
	}
	return answer{lost, reply.StatusCode, reply.Status}
}
