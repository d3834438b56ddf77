package drive

import "syscall"

// endWithUs has the kernel kill a process when the thread that started it ends, with this process or before it.
func endWithUs(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
