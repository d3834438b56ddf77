//go:build unix && !linux

package drive

import "syscall"

// endWithUs does nothing where the kernel has no such service: after a SIGKILL of this process, clients end with their own deadlines.
func endWithUs(*syscall.SysProcAttr) {}
