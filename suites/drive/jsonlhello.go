package drive

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// Protocol is the version of the jsonl contract. Later ones may add words, and change none.
const Protocol = 1

// helloLimit is far more than all words of the contract take.
const helloLimit = 64 << 10

// helloWords are the fields of a hello.
type helloWords struct {
	Type     string    `yaml:"type"`
	Protocol int       `yaml:"protocol"`
	Name     string    `yaml:"name"`
	Version  string    `yaml:"version"`
	Language string    `yaml:"language"` // for people who read along
	Features []Feature `yaml:"features"`
	Claims   Claims    `yaml:"claims"`
}

// greeting reads a hello. It is held to all that a claims file is held to: no unknown word, no value of the wrong kind, no contradiction.
func greeting(line []byte) (Hello, error) {
	if len(line) > helloLimit {
		return Hello{}, fmt.Errorf("hello: %d bytes: want at most %d", len(line), helloLimit)
	}
	w := helloWords{Protocol: Protocol}
	if err := strict(line, reflect.ValueOf(&w).Elem(), "hello"); err != nil {
		return Hello{}, err
	}
	if w.Protocol != Protocol {
		return Hello{}, fmt.Errorf("hello.protocol: want %d, got %d", Protocol, w.Protocol)
	}
	for _, text := range []string{w.Name, w.Version} {
		if len(text) > toldWidth || printable([]byte(text)) != text {
			return Hello{}, fmt.Errorf("hello: want a name and a version of at most %d bytes, all to be seen, got %s", toldWidth, spelt([]byte(text)))
		}
	}
	h := Hello{Name: w.Name, Version: w.Version, Driver: "jsonl", Features: w.Features, Claims: w.Claims}
	found := slices.Concat(checkFeatures(h), checkPolicy(h), checkParts(h))
	if len(found) > 0 {
		first := slices.MinFunc(found, func(a, b complaint) int { return cmp.Compare(a.field, b.field) })
		return Hello{}, fmt.Errorf("hello.%s: %s", first.field, first.says)
	}
	// In the contract's order: the sets of some languages have none, and two processes of one client are to be equal.
	place := func(f Feature) int { return slices.Index(features(), f) }
	slices.SortFunc(h.Features, func(a, b Feature) int { return cmp.Compare(place(a), place(b)) })
	return h, nil
}

// contradicts tells how a client's hello differs from its first one; "" = it does not.
func (h Hello) contradicts(first Hello) string {
	now, _ := json.Marshal(h) // texts, numbers and truth values always can be
	then, _ := json.Marshal(first)
	if string(now) == string(then) {
		return ""
	}
	return fmt.Sprintf("said another hello than at first: %s, which was %s", now, then)
}
