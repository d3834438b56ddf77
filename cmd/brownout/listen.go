package main

import (
	"fmt"
	"net"
	"strconv"
)

// loopbackOnly refuses an address that other machines could reach: the fake asks nobody who they are. It refuses port 0 as well, which is
// another port for each play.
func loopbackOnly(addr string) error {
	const want = "want an IPv4 loopback address and a port, such as 127.0.0.1:8080"
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("--listen %q: %s", addr, want)
	}
	if ip := net.ParseIP(host); ip.To4() == nil || !ip.IsLoopback() {
		return fmt.Errorf("--listen %q: %s: the fake answers everybody who can reach it", addr, want)
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return fmt.Errorf("--listen %q: %s from 1 to 65535", addr, want)
	}
	return nil
}
