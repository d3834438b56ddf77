//go:build !unix

package drive

import (
	"context"
	"errors"
	"runtime"
)

// JSONL is refused: without process groups, what a client leaves behind could not be ended.
func JSONL(context.Context, []string, JSONLOptions) (Carrier, error) {
	return nil, errors.New("jsonl clients need process groups, which " + runtime.GOOS + " does not have: run brownout on Linux or macOS")
}
