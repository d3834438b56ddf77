package wire

// flow is one direction of a connection in memory. The pair's lock guards it.
type flow struct {
	bytes []byte
	read  int  // how many of the bytes its reader has had
	fin   bool // its writer will write no more
	reset bool // RST came after the bytes
	deaf  bool // its reader will read no more: what is written to it is answered by RST
}

// waiting is how many bytes its reader has not had.
func (f *flow) waiting() int { return len(f.bytes) - f.read }

// put takes as much of p as there is room for. The room that its reader has left behind is used again, so that a long body needs
// no more memory than a short one.
func (f *flow) put(p []byte) int {
	n := min(len(p), MemoryBuffer-f.waiting())
	if f.read > 0 && len(f.bytes)+n > cap(f.bytes) {
		f.bytes, f.read = append(f.bytes[:0], f.bytes[f.read:]...), 0
	}
	f.bytes = append(f.bytes, p[:n]...)
	return n
}

// take gives the next bytes to its reader.
func (f *flow) take(p []byte) int {
	n := copy(p, f.bytes[f.read:])
	if f.read += n; f.waiting() == 0 {
		f.bytes, f.read = f.bytes[:0], 0
	}
	return n
}

// drop loses what is waiting.
func (f *flow) drop() { f.bytes, f.read = nil, 0 }
