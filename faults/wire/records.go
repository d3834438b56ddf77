package wire

import "sync"

// records are the connections of a listener so far, in order of acceptance. They are safe for concurrent use.
type records struct {
	mu   sync.Mutex
	list []Connection
}

// add gives a new connection its number, from 1.
func (r *records) add(c Connection) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	c.Number = len(r.list) + 1
	r.list = append(r.list, c)
	return c.Number
}

// change writes down more of the connection with that number.
func (r *records) change(number int, with func(*Connection)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	with(&r.list[number-1])
}

// copy gives what is known now; the copy shares nothing that changes.
func (r *records) copy() []Connection {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := make([]Connection, len(r.list))
	for i, c := range r.list {
		c.Faults = append([]string(nil), c.Faults...)
		list[i] = c
	}
	return list
}
