//go:build unix

package report

import (
	"errors"
	"os"
	"syscall"
)

// claim takes a file that one process at a time can have. It is free again when the process has ended, however it did, or by release,
// which removes it.
func claim(file string) (release func(), err error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = errors.New("another run is going to write to it")
		}
		return nil, err
	}
	return func() {
		os.Remove(file) // while it is ours: after that it may be another's
		f.Close()
	}, nil
}
