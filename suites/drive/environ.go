package drive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// argumentLimit is the longest body that travels in an argument or in the environment: Linux takes 128 KiB for one string, and both
// together have to leave room for the client's own.
const argumentLimit = 64 << 10

// arguments fills the words of the contract into a command line. Everything else in it stays as it is, other braces as well.
func arguments(argv []string, call Call) ([]string, error) {
	const body = "{body}"
	if !fits(call.Body) && slices.ContainsFunc(argv, func(a string) bool { return strings.Contains(a, body) }) {
		return nil, fmt.Errorf("%s: %d bytes do not fit into an argument (at most %d, no NUL): read the body from stdin", body, len(call.Body), argumentLimit)
	}
	deadline := wholeMS(call.Deadline)
	fill := strings.NewReplacer(
		"{url}", call.URL,
		"{method}", call.Method,
		body, string(call.Body),
		"{operation}", string(call.Operation),
		"{key}", call.Key,
		"{deadline_ms}", strconv.FormatInt(deadline, 10),
		"{deadline_s}", strconv.FormatFloat(float64(deadline)/1000, 'f', -1, 64),
	)
	filled := slices.Clone(argv)
	for i := 1; i < len(filled); i++ {
		filled[i] = fill.Replace(filled[i])
		if strings.Contains(filled[i], "\x00") {
			return nil, fmt.Errorf("argument %d: a NUL byte cannot be passed on", i)
		}
	}
	return filled, nil
}

// environment is what the process finds in its environment: ours without what another run may have left there, and the call.
func environment(call Call, mark string) ([]string, error) {
	headers, policy, err := documents(call)
	if err != nil {
		return nil, err
	}
	ours := []string{
		"BROWNOUT_URL=" + call.URL,
		"BROWNOUT_METHOD=" + call.Method,
		"BROWNOUT_CONTENT_TYPE=" + call.Type,
		"BROWNOUT_OPERATION=" + string(call.Operation),
		"BROWNOUT_KEY=" + call.Key,
		"BROWNOUT_KEY_HEADER=" + call.KeyHeader,
		"BROWNOUT_HEADERS=" + headers,
		"BROWNOUT_HEADER_LINES=" + headerLines(call.Headers),
		"BROWNOUT_DEADLINE_MS=" + strconv.FormatInt(wholeMS(call.Deadline), 10),
		markName + mark,
	}
	if fits(call.Body) {
		ours = append(ours, "BROWNOUT_BODY="+string(call.Body))
	}
	if call.KeyGiven {
		ours = append(ours, "BROWNOUT_KEY_GIVEN=1")
	}
	if call.Stream {
		ours = append(ours, "BROWNOUT_STREAM=1")
	}
	if policy != "" {
		ours = append(ours, "BROWNOUT_POLICY="+policy)
	}
	if i := slices.IndexFunc(ours, func(v string) bool { return strings.Contains(v, "\x00") }); i >= 0 {
		name, _, _ := strings.Cut(ours[i], "=")
		return nil, fmt.Errorf("%s: a NUL byte cannot be passed on", name)
	}
	return append(inherited(), ours...), nil
}

// inherited is our own environment without what another run may have left there.
func inherited() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "BROWNOUT_") })
}

// markName begins the variable that all processes of one play share, so that orphans are found and nobody else's processes are.
const markName = "BROWNOUT_PLAY="

// documents are the values that are JSON.
func documents(call Call) (headers, policy string, err error) {
	h, err := json.Marshal(call.Headers)
	if call.Headers == nil {
		h = []byte("{}")
	}
	if call.Policy == nil {
		return string(h), "", err
	}
	p, policyErr := json.Marshal(call.Policy)
	return string(h), string(p), errors.Join(err, policyErr)
}

// headerLines are the headers as curl's -H @FILE and most shells want them: "Name: value", one a line, in the order of their names.
func headerLines(headers map[string]string) string {
	var lines []string
	for name, value := range headers {
		lines = append(lines, name+": "+value)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// fits tells whether a body can be an argument or a variable.
func fits(body []byte) bool { return len(body) <= argumentLimit && !bytes.Contains(body, []byte{0}) }

// wholeMS rounds up, so that a deadline never turns into 0, which means none.
func wholeMS(d time.Duration) int64 { return (d + time.Millisecond - 1).Milliseconds() }
