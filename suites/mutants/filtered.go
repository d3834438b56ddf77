package mutants

import (
	"bytes"
	"net"
)

// filtering puts a filter between the client and what it reads from its connections: a parser that reads replies in its own way. nth counts the
// replies that have begun on the connection. What a filter gives back is no longer than what it was given.
func filtering(filter func(read []byte, nth int) ([]byte, error)) change {
	return dialling(func(c net.Conn) net.Conn { return &filtered{Conn: c, filter: filter} })
}

type filtered struct {
	net.Conn
	filter func(read []byte, nth int) ([]byte, error)
	nth    int
}

func (f *filtered) Read(p []byte) (int, error) {
	n, err := f.Conn.Read(p)
	if err != nil || n == 0 {
		return n, err
	}
	if bytes.HasPrefix(p[:n], []byte("HTTP/1.1 ")) {
		f.nth++
	}
	kept, err := f.filter(p[:n], f.nth)
	return copy(p, kept), err
}

// inHead changes the head of a reply that was read with it whole, as all short ones are.
func inHead(change func(head []byte) []byte) func([]byte, int) ([]byte, error) {
	return func(read []byte, _ int) ([]byte, error) {
		head, rest, whole := bytes.Cut(read, []byte("\r\n\r\n"))
		if !whole || !bytes.HasPrefix(head, []byte("HTTP/1.1 ")) {
			return read, nil
		}
		return bytes.Join([][]byte{change(head), rest}, []byte("\r\n\r\n")), nil
	}
}

// leavesOut takes the n-th field line that begins with prefix out of a head, from 1.
func leavesOut(head []byte, prefix string, n int) []byte {
	var kept [][]byte
	for _, line := range bytes.Split(head, []byte("\r\n")) {
		if bytes.HasPrefix(line, []byte(prefix)) {
			if n--; n == 0 {
				continue
			}
		}
		kept = append(kept, line)
	}
	return bytes.Join(kept, []byte("\r\n"))
}
