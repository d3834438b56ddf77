package drive

import "bytes"

// cutter cuts a stream into lines.
type cutter struct {
	line    []byte
	tooLong bool // the line at hand is longer than answerLimit; line holds its beginning
}

// take hands on every line that is whole by now, without its line break and not to be kept.
func (c *cutter) take(p []byte, each func(line []byte, tooLong bool)) {
	for len(p) > 0 {
		rest, whole := []byte(nil), false
		if i := bytes.IndexByte(p, '\n'); i >= 0 {
			p, rest, whole = p[:i], p[i+1:], true
		}
		room := answerLimit - len(c.line)
		c.tooLong = c.tooLong || len(p) > room
		c.line = append(c.line, p[:min(room, len(p))]...)
		if whole {
			c.flush(each)
		}
		p = rest
	}
}

// flush hands on what has come of a line, whole or not.
func (c *cutter) flush(each func(line []byte, tooLong bool)) {
	each(c.line, c.tooLong)
	c.line, c.tooLong = c.line[:0], false
}
