package faults

// Kinds lists every fault, each as a fresh pointer to its zero value. To add a fault, write its file and add its line here.
func Kinds() []Action {
	return []Action{
		&Delay{},
		&Reset{},
		&Status{},
	}
}
