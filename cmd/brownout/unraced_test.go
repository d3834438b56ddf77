//go:build !race

package main

// raced tells whether the race detector is on: then the built command has it too.
const raced = false
