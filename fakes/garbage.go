package fakes

import (
	"os"
	"runtime/debug"
)

// gcPercent is how much garbage a process that serves a fake lets gather, by what it keeps. A journal keeps everything, so the collector has
// to look at much, and finds little: at 400 it takes a tenth of the CPU time from each request, and the process grows to five times its journal.
const gcPercent = 400

// LetGarbageGather sets the collector of this process for serving fakes, unless its user has set GOGC. It is for main functions to call.
func LetGarbageGather() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}
