package drive

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/brownout-dev/brownout/faults/wire"
)

// server answers requests by a list of steps, one per request over all connections. A step is the raw reply; after the empty one, "lost",
// the connection is closed, after "hold" nothing comes, and "shut" shuts the door for later connections and closes.
type server struct {
	port  wire.Port
	steps []string

	mu    sync.Mutex
	seen  []*http.Request
	conns []net.Conn
	all   sync.WaitGroup
}

func serve(t *testing.T, n wire.Network, steps ...string) *server {
	t.Helper()
	port, err := n.Open("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{port: port, steps: steps}
	s.all.Go(func() {
		for {
			c, err := port.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.conns = append(s.conns, c)
			s.mu.Unlock()
			s.all.Go(func() { s.talk(c) })
		}
	})
	return s
}

func (s *server) talk(c net.Conn) {
	defer c.Close()
	r := bufio.NewReader(c)
	for {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		body, _ := io.ReadAll(req.Body)
		req.Body = io.NopCloser(strings.NewReader(string(body)))
		s.mu.Lock()
		s.seen = append(s.seen, req)
		step := s.steps[min(len(s.seen), len(s.steps))-1]
		s.mu.Unlock()
		switch step {
		case "hold":
			io.Copy(io.Discard, r)
			return
		case "drip":
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
			for range 1000 {
				if _, err := c.Write([]byte("x")); err != nil {
					return
				}
				time.Sleep(100 * time.Millisecond)
			}
		case "shut":
			s.port.Refuse()
			return
		case "lost":
			return
		}
		if _, err := io.WriteString(c, step); err != nil || strings.HasSuffix(step, "short") {
			return
		}
	}
}

func (s *server) close() {
	s.port.Close()
	s.mu.Lock()
	for _, c := range s.conns {
		c.Close()
	}
	s.mu.Unlock()
	s.all.Wait()
}

// reply is a whole reply of a status.
func reply(status string) string { return "HTTP/1.1 " + status + "\r\nContent-Length: 5\r\n\r\nhello" }
