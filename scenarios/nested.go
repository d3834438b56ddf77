package scenarios

import "bytes"

// MostNested is how deep the brackets and lists of a YAML file of ours may nest. The parser's work grows with the square of it: ten thousand
// take it half a second, a million for ever.
const MostNested = 50

// Nested is how deep the brackets of a text nest at the most, or how many lists and keys begin in one another on one line: "- - - 1".
func Nested(text []byte) int {
	depth, most := 0, 0
	for line := range bytes.Lines(text) {
		begun := 0
		for rest := bytes.TrimLeft(line, " "); len(rest) > 1 && (rest[0] == '-' || rest[0] == '?') && (rest[1] == ' ' || rest[1] == '\t'); begun++ {
			rest = bytes.TrimLeft(rest[1:], " \t")
		}
		most = max(most, begun)
		for _, c := range line {
			switch c {
			case '[', '{':
				depth++
				most = max(most, depth)
			case ']', '}':
				depth = max(0, depth-1)
			}
		}
	}
	return most
}
