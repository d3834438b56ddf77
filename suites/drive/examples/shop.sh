#!/bin/sh
# shop.sh does one operation through curl and tells honestly what became of it. It makes one attempt: curl's own --retry repeats writes
# without a key and does not spread its waits, so it is left off.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
: >"$work/reply"

case $BROWNOUT_METHOD in
GET | HEAD | OPTIONS | TRACE) lost=failed ;; # nothing to be applied
*) lost=unknown ;;
esac

# answer OUTCOME STATUS ERROR: the one line that the suite reads.
answer() {
	size=$(($(wc -c <"$work/reply")))
	if [ "$size" -le 65536 ]; then
		body="\"body_base64\":\"$(base64 <"$work/reply" | tr -d '\n')\""
	else
		body="\"body_bytes\":$size,\"body_sha256\":\"$(sha256sum <"$work/reply" | cut -d' ' -f1)\""
	fi
	error=$(printf %s "$3" | tr -d '\\"' | tr -cd '[:print:]')
	printf '{"outcome":"%s","status":%d,%s,"error":"%s"}\n' "$1" "$2" "$body" "$error"
}
trap 'answer "$lost" 0 "told to stop"; exit 1' TERM # the shell gets here when curl, which is told as well, has ended

limit=30000 # milliseconds; no call lasts longer
if [ "$BROWNOUT_DEADLINE_MS" -gt 0 ] && [ "$BROWNOUT_DEADLINE_MS" -lt $limit ]; then
	limit=$BROWNOUT_DEADLINE_MS
fi
limit=$(printf '%d.%03d' $((limit / 1000)) $((limit % 1000)))

cat >"$work/body"
{
	[ -z "$BROWNOUT_HEADER_LINES" ] || printf '%s\n' "$BROWNOUT_HEADER_LINES"
	printf 'Content-Type: %s\n' "$BROWNOUT_CONTENT_TYPE" # without a value it stops curl from making one up
	case ${BROWNOUT_KEY_GIVEN:-0}$BROWNOUT_METHOD in
	0POST | 0PATCH | 1*) [ -z "$BROWNOUT_KEY_HEADER" ] || printf '%s: %s\n' "$BROWNOUT_KEY_HEADER" "$BROWNOUT_KEY" ;;
	esac
} >"$work/headers"

set -- --disable --silent --show-error --noproxy '*' --globoff --path-as-is --max-time "$limit" --connect-timeout 2
set -- "$@" --header "@$work/headers" --output "$work/reply" --write-out '%{http_code} %{time_connect}'
case $BROWNOUT_METHOD in
HEAD) set -- "$@" --head --output /dev/null ;; # --head writes the reply's head where the body should go
POST | PUT | PATCH) set -- "$@" --request "$BROWNOUT_METHOD" --data-binary "@$work/body" ;;
*)
	set -- "$@" --request "$BROWNOUT_METHOD"
	[ ! -s "$work/body" ] || set -- "$@" --data-binary "@$work/body"
	;;
esac
seen=$(curl "$@" --url "$BROWNOUT_URL" 2>"$work/error")
code=$?
status=$((1${seen%% *} - 1000)) # "000" is no number in JSON
connected=${seen#* }

outcome=$lost
case $code:$status in
0:2??) outcome=ok ;;                # a whole 2xx
*:4?? | *:503) outcome=failed ;;    # refused
esac
case $connected in
*[1-9]*) ;;
*) outcome=failed ;; # never connected, so nothing was sent
esac
answer "$outcome" "$status" "$(cat "$work/error")"
[ $outcome = ok ]
