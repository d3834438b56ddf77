#!/bin/sh
# Judges the two bundled Go clients at the same time, and shows them one after the other: the one that people write first, and the correct one.
set -u
brownout=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

echo 'judging two clients, naive and steady, which takes less than a minute …'
"$brownout" run --once --client naive --seed 1 >"$out/naive" 2>"$out/naive.log" &
naive=$!
"$brownout" run --client steady --seed 1 >"$out/steady" 2>"$out/steady.log" &
steady=$!
wait $naive
naive=$?
wait $steady
steady=$?

echo
echo '━━━ naive: the retry loop that people write first ━━━'
cat "$out/naive"
echo
echo '━━━ steady: the same work, done right ━━━'
cat "$out/steady"
echo

if [ $naive -eq 1 ] && [ $steady -eq 0 ]; then
	echo 'As it should be: naive is not conformant, steady is.'
	exit 0
fi
cat "$out/naive.log" "$out/steady.log" >&2
echo "Not as it should be: naive ended with $naive (want 1), steady with $steady (want 0)." >&2
exit 1
