#!/bin/sh
# Judges the two bundled Go clients side by side: the correct one and the one that people write first.
set -u
brownout=$1

echo '━━━ naive: the retry loop that people write first'
"$brownout" run --client naive --seed 1
naive=$?
echo
echo '━━━ steady: the same work, done right'
"$brownout" run --client steady --seed 1
steady=$?

echo
if [ $naive -eq 1 ] && [ $steady -eq 0 ]; then
	echo 'As it should be: naive is not conformant, steady is.'
	exit 0
fi
echo "Not as it should be: naive ended with $naive (want 1), steady with $steady (want 0)." >&2
exit 1
