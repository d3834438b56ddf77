//go:build !unix

package drive

import (
	"errors"
	"runtime"
)

// Exec is refused: without process groups, what a client leaves behind could not be ended.
func Exec(Hello, []string, ExecOptions) (Carrier, error) {
	return nil, errors.New("exec clients need process groups, which " + runtime.GOOS + " does not have: run brownout on Linux or macOS")
}
