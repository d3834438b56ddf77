package fakes

import (
	"strconv"
	"strings"
)

// canonicalNumber spells a JSON number by its value, exactly: its significant digits and the power of ten of the last one, so that
// 1, 1.0, 10e-1 and 0.1E1 are all "1e0". Nothing is rounded. An exponent beyond 18 digits is left as it was spelled.
func canonicalNumber(n string) string {
	mantissa, exponent, found := strings.Cut(strings.ToLower(n), "e")
	power := int64(0)
	if found {
		var err error
		if power, err = strconv.ParseInt(exponent, 10, 64); err != nil || len(exponent) > 19 {
			return n
		}
	}
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	power -= int64(len(fraction))
	significant := strings.TrimRight(digits, "0")
	power += int64(len(digits) - len(significant))
	switch {
	case significant == "":
		return "0e0"
	case negative:
		return "-" + significant + "e" + strconv.FormatInt(power, 10)
	default:
		return significant + "e" + strconv.FormatInt(power, 10)
	}
}
