package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// WireMock as it is measured: a pinned version from npm, whose package carries the jar, kept where git does not look.
const (
	wiremockPackage = "wiremock@3.13.2"
	wiremockFolder  = ".cache/wiremock-3.13.2"
	wiremockJar     = "node_modules/wiremock/build/wiremock-standalone-3.13.2.jar"
)

const (
	// installBound is for npm, which has 20 MB to fetch the first time.
	installBound = 90 * time.Second

	// A JVM compiles what it runs often, so WireMock is measured after this many requests, or what comes first.
	jvmRequests = 20_000
	jvmWarmUp   = 20 * time.Second
)

// warmWiremock starts WireMock and lets it come up to speed.
func warmWiremock(ctx context.Context) (server, error) {
	s, err := startWiremock(ctx)
	if err != nil {
		return s, err
	}
	l := newLoad(s.url)
	defer l.transport.CloseIdleConnections()
	end := time.Now().Add(jvmWarmUp)
	if _, err = l.run(ctx, func(int) bool { return l.operations.Load() < jvmRequests && time.Now().Before(end) }); err != nil {
		s.stop()
	}
	return s, err
}

// startWiremock starts WireMock with one stub and its own settings, its journal of requests included. An error tells what it lacks.
func startWiremock(ctx context.Context) (server, error) {
	java, err := exec.LookPath("java")
	if err != nil {
		return server{}, errors.New("java is not installed")
	}
	if err := installWiremock(ctx); err != nil {
		return server{}, err
	}
	if err := writeStub(filepath.Join(wiremockFolder, "root", "mappings", "orders.json")); err != nil {
		return server{}, err
	}
	ctx, kill := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, java, "-jar", wiremockJar, "--port", "0", "--bind-address", "127.0.0.1", "--root-dir", "root")
	cmd.Dir = wiremockFolder
	out, err := cmd.StdoutPipe()
	if err != nil {
		kill()
		return server{}, err
	}
	if err := cmd.Start(); err != nil {
		kill()
		return server{}, err
	}
	s := server{stop: func() (time.Duration, error) {
		kill() // it has nothing to put in order, and its exit status says only that it was killed
		_ = cmd.Wait()
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
	}}
	late := time.AfterFunc(startBound, kill)
	defer late.Stop()
	port, err := portIn(out)
	if err != nil {
		s.stop()
		return server{}, err
	}
	s.url = "http://127.0.0.1:" + port
	return s, nil
}

var errNoPort = errors.New("WireMock ended, or told no port in time")

// portIn finds the port in what WireMock prints when it is ready, and lets it print on.
func portIn(out io.Reader) (string, error) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if port, ok := strings.CutPrefix(lines.Text(), "port:"); ok {
			go io.Copy(io.Discard, out) // ends with the process
			return strings.TrimSpace(port), nil
		}
	}
	return "", errNoPort
}

func installWiremock(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(wiremockFolder, wiremockJar)); err == nil {
		return nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return errors.New("npm is not installed, and the jar is not there yet")
	}
	if err := os.MkdirAll(wiremockFolder, 0o755); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, installBound)
	defer cancel()
	out, err := exec.CommandContext(ctx, npm, "install", "--prefix", wiremockFolder, "--no-save", "--no-package-lock", "--ignore-scripts", wiremockPackage).CombinedOutput()
	if err != nil {
		last := strings.TrimSpace(string(out))
		return fmt.Errorf("npm install %s: %w: %s", wiremockPackage, err, last[strings.LastIndexByte(last, '\n')+1:])
	}
	return nil
}

// writeStub has WireMock answer as the bare server does.
func writeStub(path string) error {
	stub, err := json.Marshal(map[string]any{
		"request": map[string]any{"method": "POST", "urlPath": "/orders"},
		"response": map[string]any{
			"status": 201, "headers": map[string]string{"Content-Type": "application/json"}, "body": readyReply,
		},
	})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, stub, 0o644)
}
