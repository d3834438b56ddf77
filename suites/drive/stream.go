package drive

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// What is kept of a stream for people to read, and how much of that is told.
const (
	keptHead  = 2 << 10
	keptTail  = 4 << 10
	toldFirst = 2   // lines, where the stream is longer than what is kept
	toldLast  = 12  // lines: a traceback's end, or all that a shell's env tells of a call
	toldWidth = 200 // bytes of one line
)

// stream is what an adapter writes to stdout or stderr. Its beginning and its end are kept; the rest is read and forgotten, so that the
// adapter never stands still because of us.
type stream struct {
	name     string
	flood    int64            // the count of bytes after which it is a flood; 0 = any count is fine
	flooded  func(why string) // called once
	listener listener         // of stdout; nil = nobody listens

	lock       sync.Mutex // words may be asked for while the stream goes on
	total      int64
	head, tail []byte
}

// listener takes in a stream as it comes, until its end.
type listener interface {
	take(p []byte)
	end()
}

// hear reads to the end of the stream or until r is closed.
func (s *stream) hear(r io.Reader) {
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		s.take(buf[:n])
		if err != nil {
			break
		}
	}
	if s.listener != nil {
		s.listener.end()
	}
}

func (s *stream) take(p []byte) {
	before, total := s.keep(p)
	flooded := func(n int64) bool { return s.flood > 0 && n > s.flood }
	if s.listener != nil && !flooded(before) {
		s.listener.take(p)
	}
	if !flooded(before) && flooded(total) {
		s.flooded(fmt.Sprintf("flooded %s: more than %d bytes", s.name, s.flood))
	}
}

// keep keeps what people may want to read, and counts.
func (s *stream) keep(p []byte) (before, total int64) {
	s.lock.Lock()
	defer s.lock.Unlock()
	before = s.total
	s.total += int64(len(p))
	if room := keptHead - len(s.head); room > 0 {
		s.head = append(s.head, p[:min(room, len(p))]...)
	}
	s.tail = append(s.tail, p[max(0, len(p)-keptTail):]...)
	if extra := len(s.tail) - keptTail; extra > 0 {
		s.tail = append(s.tail[:0], s.tail[extra:]...)
	}
	return before, s.total
}

// words are the stream's last lines for people, after its first ones where it was long. Each line begins with the stream's name.
func (s *stream) words() string {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.total == 0 {
		return s.name + " | (nothing)\n"
	}
	last := lines(s.tail)
	var told []string
	if s.total > keptTail {
		first := lines(s.head)
		told = append(first[:min(toldFirst, len(first))], fmt.Sprintf("... %d bytes in all ...", s.total))
	}
	told = append(told, last[max(0, len(last)-toldLast):]...)
	var b strings.Builder
	for _, line := range told {
		fmt.Fprintf(&b, "%s | %s\n", s.name, line)
	}
	return b.String()
}

// lastLine is the last line that is not empty, for people; "" = there is none.
func (s *stream) lastLine() string {
	s.lock.Lock()
	defer s.lock.Unlock()
	all := lines(s.tail)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// lines splits text into lines that a terminal can show: not too long, and without control characters.
func lines(text []byte) (shown []string) {
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n")
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		width, more := len(line), ""
		if width > toldWidth {
			width, more = toldWidth, "..."
			for width > 0 && !utf8.RuneStart(line[width]) {
				width--
			}
		}
		shown = append(shown, printable(line[:width])+more)
	}
	return shown
}

func printable(line []byte) string {
	plain := func(r rune) bool { return r == '\t' || strconv.IsPrint(r) }
	if text := string(line); utf8.ValidString(text) && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	quoted := strconv.QuoteToASCII(string(line))
	return quoted[1 : len(quoted)-1]
}
