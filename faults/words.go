package faults

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// word is one word of the text form: a bare value or phase, or field=value. A value in quotes, written as in Go or JSON, may
// hold anything, and is never taken for a phase, a field or the word between two faults.
type word struct {
	field  string // empty for a bare word
	value  string
	quoted bool
}

var (
	lead      = regexp.MustCompile(`^(?:([A-Za-z-]+)=)?`)
	plain     = regexp.MustCompile(`^[^\s"]*`)
	plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:+-]+$`)
	// plainScalar begins with a name, as every step does: no YAML number, null or indicator.
	plainScalar = regexp.MustCompile(`^[a-z][A-Za-z0-9_./+= -]*$`)
)

// String is the word as an author may have written it.
func (w word) String() string {
	value := w.value
	if w.quoted {
		value = strconv.Quote(value)
	}
	if w.field == "" {
		return value
	}
	return w.field + "=" + value
}

// split reads the words of a text.
func split(text string) ([]word, error) {
	var words []word
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimSpace(rest) {
		m := lead.FindStringSubmatch(rest)
		w := word{field: m[1]}
		rest = rest[len(m[0]):]
		if strings.HasPrefix(rest, `"`) {
			quote, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return nil, fmt.Errorf("%s: want a closing quote, and \\\" for a quote inside", rest)
			}
			w.value, _ = strconv.Unquote(quote)
			w.quoted, rest = true, rest[len(quote):]
		} else {
			w.value = plain.FindString(rest)
			rest = rest[len(w.value):]
		}
		if rest != "" && strings.TrimLeft(rest, " \t\r\n") == rest {
			return nil, fmt.Errorf("%s: want a space here, or quotes around the whole value", rest)
		}
		words = append(words, w)
	}
	return words, nil
}

// quoteWord spells a value so that split reads it back: in quotes if it needs them.
func quoteWord(value string) string {
	if plainWord.MatchString(value) && !isPhase(value) && value != "+" {
		return value
	}
	return strconv.Quote(value)
}

// spell is an action in the text form: its name, its main value, then each field that is not at its default.
func spell(a Action) string {
	k := a.Kind()
	words := []string{k.Name}
	for _, f := range fields(a) {
		for _, t := range f.Value.Texts() {
			if f.Name != k.Main {
				words = append(words, f.Name+"="+quoteWord(t))
				continue
			}
			words = append(words, quoteWord(t))
		}
	}
	return strings.Join(words, " ")
}

// quoteYAML spells a text so that it is one scalar in a flow list.
func quoteYAML(text string) string {
	if plainScalar.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}
