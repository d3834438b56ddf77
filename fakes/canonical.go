package fakes

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"unicode/utf8"
)

// maxDepth is how deep JSON may nest to be canonicalised; people and programs in good faith stay far below. Each level copies what is in
// it, so this also bounds the work.
const maxDepth = 128

// errAmbiguous is why a text is compared by its bytes.
var errAmbiguous = errors.New("no JSON of a single meaning")

// canonicalJSON spells a JSON text in the one way that all texts of the same meaning share. The spelling is our own, for nobody to read:
// strings are written as their length and their bytes, so that nothing in them needs an escape.
func canonicalJSON(text []byte) ([]byte, error) {
	if !json.Valid(text) || !utf8.Valid(text) {
		return nil, errAmbiguous
	}
	c := canonical{text: text, out: make([]byte, 0, 2*len(text))}
	if err := c.value(0); err != nil {
		return nil, err
	}
	return c.out, nil
}

// canonical walks a text that is known to be valid JSON, so that the first byte of what comes tells what it is.
type canonical struct {
	text []byte // what is left of it
	out  []byte
}

func (c *canonical) value(depth int) error {
	if depth > maxDepth {
		return errAmbiguous
	}
	switch c.next() {
	case '{':
		return c.object(depth)
	case '[':
		return c.array(depth)
	case '"':
		return c.string()
	case 't', 'f', 'n':
		c.out = append(c.out, c.word()...)
	default:
		c.out = append(c.out, canonicalNumber(string(c.word()))...)
	}
	return nil
}

const white = " \t\r\n" // RFC 8259, 2

// next gives the first byte that is not white space, and leaves it there.
func (c *canonical) next() byte {
	c.text = bytes.TrimLeft(c.text, white)
	return c.text[0]
}

func (c *canonical) take(n int) []byte {
	taken := c.text[:n]
	c.text = c.text[n:]
	return taken
}

// word takes a number or a literal: all up to what can only follow one.
func (c *canonical) word() []byte {
	end := bytes.IndexAny(c.text, ",]}"+white)
	if end < 0 {
		end = len(c.text)
	}
	return c.take(end)
}

// string refuses the replacement character: the decoder puts it in the place of lone surrogates, whichever they are.
func (c *canonical) string() error {
	end, escapes := 1, false
	for ; c.text[end] != '"'; end++ {
		if c.text[end] == '\\' {
			end, escapes = end+1, true
		}
	}
	quoted := c.take(end + 1)
	plain := quoted[1:end]
	if escapes {
		var s string
		if err := json.Unmarshal(quoted, &s); err != nil {
			return err
		}
		plain = []byte(s)
	}
	if bytes.ContainsRune(plain, utf8.RuneError) {
		return errAmbiguous
	}
	c.out = strconv.AppendInt(append(c.out, '"'), int64(len(plain)), 10)
	c.out = append(append(c.out, ':'), plain...)
	return nil
}

func (c *canonical) array(depth int) error {
	c.out = append(c.out, '[')
	for c.take(1); c.next() != ']'; c.comma() {
		if err := c.value(depth + 1); err != nil {
			return err
		}
		c.out = append(c.out, ',')
	}
	c.take(1)
	c.out = append(c.out, ']')
	return nil
}

// comma takes what stands behind an item, unless it was the last.
func (c *canonical) comma() {
	if c.next() == ',' {
		c.take(1)
	}
}

func (c *canonical) object(depth int) error {
	c.out = append(c.out, '{')
	begin := len(c.out)
	var members []member
	for c.take(1); c.next() != '}'; c.comma() {
		m := member{begin: len(c.out) - begin}
		if err := c.string(); err != nil {
			return err
		}
		m.name = len(c.out) - begin
		c.next()
		c.take(1) // the colon
		if err := c.value(depth + 1); err != nil {
			return err
		}
		m.end = len(c.out) - begin
		members = append(members, m)
	}
	c.take(1)
	return c.sort(begin, members)
}

// member is where one of an object's members was written, from begin to end, and where its name ends.
type member struct{ begin, name, end int }

// sort brings the members written from begin on into the order of their names.
func (c *canonical) sort(begin int, members []member) error {
	written := bytes.Clone(c.out[begin:])
	slices.SortFunc(members, func(a, b member) int {
		return bytes.Compare(written[a.begin:a.name], written[b.begin:b.name])
	})
	c.out = c.out[:begin]
	for i, m := range members {
		if i > 0 && bytes.Equal(written[m.begin:m.name], written[members[i-1].begin:members[i-1].name]) {
			return errAmbiguous
		}
		c.out = append(append(c.out, written[m.begin:m.end]...), ',')
	}
	c.out = append(c.out, '}')
	return nil
}
