package faults

import "testing"

// Bad values are refused when the plan is loaded; the error names the field and what would be right.
func TestBadValues(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"no name", `after-commit`, `"after-commit": unknown fault "after-commit": want one of refuse, blackhole, accept-and-close, accept-and-reset, accept-and-stall, latency, bandwidth, slice, limit, delay, hold, close, reset, status, redirect, sever, saved, interim, no-continue, range, truncate, drip, stall, last-chunk, garbage, conflict, unclosed, surplus`},
		{"nothing", ` `, `" ": got no fault, want "ok" or one such as "reset after-commit"`},
		{"nothing after the plus", `reset +`, `"reset +": got no fault, want "ok" or one such as "reset after-commit"`},
		{"a field where the name belongs", `for=2s delay`, `"for=2s delay": got for=2s, want the name of a fault first, such as "reset after-commit"`},
		{"quoted name", `"reset"`, `"\"reset\"": got "reset", want the name of a fault first, such as "reset after-commit"`},
		{"ok is no fault beside others", `ok + reset`, `"ok + reset": unknown fault "ok": want one of refuse, blackhole, accept-and-close, accept-and-reset, accept-and-stall, latency, bandwidth, slice, limit, delay, hold, close, reset, status, redirect, sever, saved, interim, no-continue, range, truncate, drip, stall, last-chunk, garbage, conflict, unclosed, surplus`},
		{"several where one is wanted", `delay 1s + reset`, `"delay 1s + reset": got 2 faults, want one`},
		{"open quote", `garbage "x`, `"garbage \"x": "x: want a closing quote, and \" for a quote inside`},
		{"text after a quote", `garbage "x"y`, `"garbage \"x\"y": y: want a space here, or quotes around the whole value`},
		{"quote inside a word", `garbage x"y"`, `"garbage x\"y\"": "y": want a space here, or quotes around the whole value`},
		{"value that is not taken", `reset 5`, `"reset 5": reset takes no value, got 5`},
		{"field that is not there", `reset for=5s`, `"reset for=5s": unknown field "for": reset has none but "at"`},
		{"misspelt field", `drip 1s byte=2`, `"drip 1s byte=2": unknown field "byte": want one of every, bytes, gzip of drip, or at`},
		{"misspelt phase", `delay 1s at=after`, `"delay 1s at=after": unknown phase "after": want one of connect, head, before-commit, after-commit, reply-head, reply-body, idle`},
		{"two phases", `reset head after-commit`, `"reset head after-commit": at: got two values, want one phase`},
		{"two values", `delay 1s for=2s`, `"delay 1s for=2s": for: got two values, want a duration above zero, such as 300ms`},

		{"refuse: no unit", `refuse 2`, `"refuse 2": for: got 2, want a duration above zero from the start of the play, such as 2s; all of it by default`},
		{"refuse: zero would be for ever", `refuse 0s`, `"refuse 0s": for: got 0s, want a duration above zero from the start of the play, such as 2s; all of it by default`},
		{"refuse: negative", `refuse -2s`, `"refuse -2s": for: got -2s, want a duration above zero from the start of the play, such as 2s; all of it by default`},
		{"blackhole: negative", `blackhole -2s`, `"blackhole -2s": for: got -2s, want a duration above zero from the start of the play, such as 2s; all of it by default`},
		{"accept-and-close: value", `accept-and-close 1s`, `"accept-and-close 1s": accept-and-close takes no value, got 1s`},
		{"accept-and-reset: value", `accept-and-reset 1s`, `"accept-and-reset 1s": accept-and-reset takes no value, got 1s`},
		{"accept-and-stall: value", `accept-and-stall 1s`, `"accept-and-stall 1s": accept-and-stall takes no value, got 1s`},

		{"latency: none", `latency`, `"latency": for: got nothing, want whole milliseconds above zero, up to 24h, such as 200ms`},
		{"latency: fraction", `latency 1500us`, `"latency 1500us": for: got 1.5ms, want whole milliseconds above zero, up to 24h, such as 200ms`},
		{"latency: beyond any play", `latency 25h`, `"latency 25h": for: got 25h0m0s, want whole milliseconds above zero, up to 24h, such as 200ms`},
		{"latency: jitter beyond it", `latency 10ms jitter=11ms`, `"latency 10ms jitter=11ms": jitter: got 11ms, want whole milliseconds, no more than for`},
		{"latency: negative jitter", `latency 10ms jitter=-1ms`, `"latency 10ms jitter=-1ms": jitter: got -1ms, want whole milliseconds, no more than for`},
		{"latency: stream", `latency 10ms stream=up`, `"latency 10ms stream=up": stream: got up, want upstream or downstream (the default)`},
		{"bandwidth: none", `bandwidth`, `"bandwidth": rate: got nothing, want 1 to 10000000 KB/s, without the unit`},
		{"bandwidth: unit", `bandwidth 10KB`, `"bandwidth 10KB": rate: got 10KB, want 1 to 10000000 KB/s, without the unit`},
		{"bandwidth: too much", `bandwidth 10000001`, `"bandwidth 10000001": rate: got 10000001, want 1 to 10000000 KB/s, without the unit`},
		{"bandwidth: stream", `bandwidth 1 stream=both`, `"bandwidth 1 stream=both": stream: got both, want upstream or downstream (the default)`},
		{"slice: none", `slice`, `"slice": size: got nothing, want 1 to 16384 bytes`},
		{"slice: too large", `slice 16385`, `"slice 16385": size: got 16385, want 1 to 16384 bytes`},
		{"slice: variation", `slice 10 variation=10`, `"slice 10 variation=10": variation: got 10, want bytes, less than size`},
		{"slice: negative variation", `slice 10 variation=-1`, `"slice 10 variation=-1": variation: got -1, want bytes, less than size`},
		{"slice: delay", `slice 10 delay=1ns`, `"slice 10 delay=1ns": delay: got 1ns, want whole microseconds after each piece, up to 24h, such as 500us`},
		{"slice: stream", `slice 10 stream=x`, `"slice 10 stream=x": stream: got x, want upstream or downstream (the default)`},
		{"limit: none", `limit`, `"limit": bytes: got nothing, want 1 or more bytes (a reply that is lost whole is "close after-commit")`},
		{"limit: negative", `limit -1`, `"limit -1": bytes: got -1, want 1 or more bytes (a reply that is lost whole is "close after-commit")`},
		{"limit: stream", `limit 1 stream=x`, `"limit 1 stream=x": stream: got x, want upstream or downstream (the default)`},

		{"delay: none", `delay`, `"delay": for: got nothing, want a duration above zero, such as 300ms`},
		{"delay: zero", `delay 0s`, `"delay 0s": for: got 0s, want a duration above zero, such as 300ms`},
		{"delay: words", `delay soon`, `"delay soon": for: got soon, want a duration above zero, such as 300ms`},
		{"delay: negative", `delay -1s`, `"delay -1s": for: got -1s, want a duration above zero, such as 300ms`},
		{"hold: for ever", `hold 1s`, `"hold 1s": hold takes no value, got 1s`},
		{"close: value", `close fin`, `"close fin": close takes no value, got fin`},
		{"reset: wrong phase", `reset reply-body`, `"reset reply-body": reset cannot strike at reply-body: the reply is being sent, and truncate, drip and stall are what can spoil it; want at: after-commit, head, before-commit, idle`},
		{"status: none", `status`, `"status": code: got nothing, want a final HTTP status, 200 to 599`},
		{"status: interim", `199`, `"199": code: got 199, want a final HTTP status, 200 to 599`},
		{"status: too large", `600`, `"600": code: got 600, want a final HTTP status, 200 to 599`},
		{"status: fraction", `status 502.9`, `"status 502.9": code: got 502.9, want a final HTTP status, 200 to 599`},
		{"status: overflow", `status 99999999999999999999`, `"status 99999999999999999999": code: got 99999999999999999999, want a final HTTP status, 200 to 599`},
		{"status: date that cannot be", `503 retry-after=date+soon`, `"503 retry-after=date+soon": retry-after: got date+soon, want any values without line breaks; date, rfc850, asctime and epoch take a duration, as in date+3s`},
		{"status: form alone", `503 retry-after=epoch`, `"503 retry-after=epoch": retry-after: got epoch, want any values without line breaks; date, rfc850, asctime and epoch take a duration, as in date+3s`},
		{"status: smuggled field", `503 retry-after="1\r\nX: y"`, `"503 retry-after=\"1\\r\\nX: y\"": retry-after: got "1\r\nX: y", want any values without line breaks; date, rfc850, asctime and epoch take a duration, as in date+3s`},
		{"status: header without a name", `503 headers=close`, `"503 headers=close": headers: got close, want names once each and values without line breaks; no Content-Length, Transfer-Encoding or Retry-After, which are set otherwise`},
		{"status: header twice", `503 headers="a: 1" headers="A: 2"`, `"503 headers=\"a: 1\" headers=\"A: 2\"": headers: got "A: 2, a: 1", want names once each and values without line breaks; no Content-Length, Transfer-Encoding or Retry-After, which are set otherwise`},
		{"status: header twice, spelled alike", `503 headers="A: 1" headers="A: 2"`, `"503 headers=\"A: 1\" headers=\"A: 2\"": headers: got "A: 2", want names once each and values without line breaks; no Content-Length, Transfer-Encoding or Retry-After, which are set otherwise`},
		{"status: framing", `503 headers="content-length: 5"`, `"503 headers=\"content-length: 5\"": headers: got "content-length: 5", want names once each and values without line breaks; no Content-Length, Transfer-Encoding or Retry-After, which are set otherwise`},
		{"status: body where none can be", `204 body=x`, `"204 body=x": body: got x, want text, and none with 204 or 304`},

		{"redirect: none", `redirect`, `"redirect": code: got nothing, want 301, 302, 303, 307 or 308`},
		{"redirect: no redirect", `redirect 304 to=/a`, `"redirect 304 to=/a": code: got 304, want 301, 302, 303, 307 or 308`},
		{"redirect: nowhere", `redirect 307`, `"redirect 307": to: got nothing, want a path without query, such as /v1/other`},
		{"redirect: query", `redirect 307 to=/a?b=c`, `"redirect 307 to=/a?b=c": to: got "/a?b=c", want a path without query, such as /v1/other`},
		{"redirect: another host", `redirect 307 to=//a`, `"redirect 307 to=//a": to: got //a, want a path without query, such as /v1/other`},
		{"redirect: line break", `redirect 307 to="/a\r\n"`, `"redirect 307 to=\"/a\\r\\n\"": to: got "/a\r\n", want a path without query, such as /v1/other`},
		{"redirect: origin", `redirect 307 to=/a origin=third`, `"redirect 307 to=/a origin=third": origin: got third, want same (the default) or second`},
		{"redirect: hint", `redirect 302 to=/a retry-after=date+soon`, `"redirect 302 to=/a retry-after=date+soon": retry-after: got date+soon, want any values without line breaks; date, rfc850, asctime and epoch take a duration, as in date+3s`},
		{"sever: none", `sever`, `"sever": for: got nothing, want a duration above zero, such as 300ms`},
		{"sever: negative", `sever -1s`, `"sever -1s": for: got -1s, want a duration above zero, such as 300ms`},
		{"sever: wrong phase", `sever 1s after-commit`, `"sever 1s after-commit": sever cannot strike at after-commit: only a request that was read whole, and not applied yet, can run on; want at: before-commit`},
		{"saved: none", `saved`, `"saved": code: got nothing, want the status of an error, 400 to 599`},
		{"saved: success", `saved 201`, `"saved 201": code: got 201, want the status of an error, 400 to 599`},
		{"saved: wrong phase", `saved 500 before-commit`, `"saved 500 before-commit": saved cannot strike at before-commit: it is kept with the effect; want at: after-commit`},

		{"status: too many bytes", `503 bytes=67108865`, `"503 bytes=67108865": bytes: got 67108865, want 1 to 67108864 bytes in place of a body, and none with 204 or 304`},
		{"status: bytes beside a body", `503 body=x bytes=1`, `"503 body=x bytes=1": bytes: got 1, want 1 to 67108864 bytes in place of a body, and none with 204 or 304`},
		{"status: bytes where no body can be", `304 bytes=1`, `"304 bytes=1": bytes: got 1, want 1 to 67108864 bytes in place of a body, and none with 204 or 304`},
		{"interim: none", `interim`, `"interim": every: got nothing, want a duration above zero, such as 500ms`},
		{"interim: negative", `interim -1s`, `"interim -1s": every: got -1s, want a duration above zero, such as 500ms`},
		{"interim: final", `interim 1s code=200`, `"interim 1s code=200": code: got 200, want an interim HTTP status, 100 to 199 but not 101, which ends HTTP; 103 by default`},
		{"interim: another protocol", `interim 1s code=101`, `"interim 1s code=101": code: got 101, want an interim HTTP status, 100 to 199 but not 101, which ends HTTP; 103 by default`},
		{"interim: never", `interim 1s times=-1`, `"interim 1s times=-1": times: got -1, want 1 or more; for as long as the client waits by default`},
		{"interim: wrong phase", `interim 1s head`, `"interim 1s head": interim cannot strike at head: there is nothing then that it could act on; want at: before-commit, after-commit`},
		{"no-continue: value", `no-continue 1s`, `"no-continue 1s": no-continue takes no value, got 1s`},
		{"range: none", `range`, `"range": answer: got nothing, want ignored, shifted or changed`},
		{"range: unknown", `range lost`, `"range lost": answer: got lost, want ignored, shifted or changed`},
		{"last-chunk: all of it", `last-chunk 5`, `"last-chunk 5": bytes: got 5, want 0 to 4, of the five bytes that end a chunked body; 0 by default`},
		{"last-chunk: negative", `last-chunk -1`, `"last-chunk -1": bytes: got -1, want 0 to 4, of the five bytes that end a chunked body; 0 by default`},
		{"last-chunk: no pause", `last-chunk 3 pause=0s`, `"last-chunk 3 pause=0s": pause: got 0s, want a duration above zero before the rest, such as 50ms; FIN in place of the rest by default`},
		{"last-chunk: negative pause", `last-chunk 3 pause=-1s`, `"last-chunk 3 pause=-1s": pause: got -1s, want a duration above zero before the rest, such as 50ms; FIN in place of the rest by default`},
		{"conflict: none", `conflict`, `"conflict": of: got nothing, want short-and-long, long-and-short (two Content-Length fields) or chunks-and-length`},
		{"conflict: unknown", `conflict lengths`, `"conflict lengths": of: got lengths, want short-and-long, long-and-short (two Content-Length fields) or chunks-and-length`},
		{"unclosed: value", `unclosed 1s`, `"unclosed 1s": unclosed takes no value, got 1s`},
		{"surplus: no body", `surplus 204`, `"surplus 204": code: got 204, want a final HTTP status that may have a body, 200 to 599; 200 by default`},
		{"surplus: interim", `surplus 103`, `"surplus 103": code: got 103, want a final HTTP status that may have a body, 200 to 599; 200 by default`},
		{"surplus: before", `surplus after=-1s`, `"surplus after=-1s": after: got -1s, want a duration above zero after the reply, such as 100ms; at once by default`},
		{"surplus: close", `surplus close=yes`, `"surplus close=yes": close: got yes, want true or false`},
		{"truncate: negative", `truncate -1`, `"truncate -1": bytes: got -1, want 0 or more bytes of the head or body; half of it by default, and never all`},
		{"truncate: words", `truncate half`, `"truncate half": bytes: got half, want 0 or more bytes of the head or body; half of it by default, and never all`},
		{"truncate: yes is no flag", `truncate chunked=yes`, `"truncate chunked=yes": chunked: got yes, want true or false`},
		{"truncate: end", `truncate end=rst`, `"truncate end=rst": end: got rst, want fin (the default) or reset`},
		{"stall: negative", `stall -1`, `"stall -1": bytes: got -1, want 0 or more bytes of the head or body; half of it by default, and never all`},
		{"drip: none", `drip`, `"drip": every: got nothing, want a duration above zero, such as 100ms`},
		{"drip: negative", `drip -1s`, `"drip -1s": every: got -1s, want a duration above zero, such as 100ms`},
		{"drip: no bytes", `drip 1s bytes=0`, `"drip 1s bytes=0": bytes: got 0, want 1 or more bytes; 1 by default`},
		{"drip: negative bytes", `drip 1s bytes=-1`, `"drip 1s bytes=-1": bytes: got -1, want 1 or more bytes; 1 by default`},
		{"drip: gzip", `drip 1s gzip=yes`, `"drip 1s gzip=yes": gzip: got yes, want true or false`},
		{"garbage: an HTTP reply", `garbage "HTTP/1.1 200 OK\r\n\r\n"`, `"garbage \"HTTP/1.1 200 OK\\r\\n\\r\\n\"": text: got "HTTP/1.1 200 OK\r\n\r\n", want anything that does not begin as a whole HTTP reply; a TLS alert by default`},
		{"garbage: after empty lines", `garbage "\n\r\nHTTP/1.0 200 OK\n\n"`, `"garbage \"\\n\\r\\nHTTP/1.0 200 OK\\n\\n\"": text: got "\n\r\nHTTP/1.0 200 OK\n\n", want anything that does not begin as a whole HTTP reply; a TLS alert by default`},
		{"garbage: body", `garbage reply-body`, `"garbage reply-body": garbage cannot strike at reply-body: the head has been sent by then; want at: reply-head`},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, _, err := Parse(row.text)
			if err == nil || err.Error() != row.want {
				t.Errorf("got  %v\nwant %s", err, row.want)
			}
		})
	}
}

// What is spelled in different ways and means the same, and values at the edge of what is allowed.
func TestSpellings(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"bare status", `503`, `status 503 before-commit`},
		{"lying status", `502 after-commit`, `status 502 after-commit`},
		{"named status", `status 503`, `status 503 before-commit`},
		{"field instead of main value", `delay for=300ms head`, `delay 300ms head`},
		{"phase by name", `reset at=head`, `reset head`},
		{"phase before the value", `delay head 2s`, `delay 2s head`},
		{"spaces", "  delay \t 90s  ", `delay 1m30s before-commit`},
		{"default spelled out", `truncate chunked=false reply-body`, `truncate reply-body`},
		{"nothing of the body", `truncate 0`, `truncate 0 reply-body`},
		{"refuse for all of the play", `refuse`, `refuse connect`},
		{"jitter as large as the latency", `latency 1ms jitter=1ms`, `latency 1ms jitter=1ms connect`},
		{"largest variation", `slice 2 variation=1 delay=1us`, `slice 2 variation=1 delay=1us connect`},
		{"quoted phase is a value", `garbage "head"`, `garbage "head" reply-head`},
		{"quoted field is a value", `garbage "a=b"`, `garbage "a=b" reply-head`},
		{"quoted plus is a value", `garbage "+"`, `garbage "+" reply-head`},
		{"equals in a value", `503 headers="A: b=c"`, `status 503 headers="A: b=c" before-commit`},
		{"any byte", `garbage "\xff\x00é"`, `garbage "\xff\x00é" reply-head`},
		{"begins like HTTP", `garbage "HTTP/1.1 banana\r\n\r\n"`, `garbage "HTTP/1.1 banana\r\n\r\n" reply-head`},
		{"an unfinished reply is garbage", `garbage "HTTP/1.1 200 OK\r\n"`, `garbage "HTTP/1.1 200 OK\r\n" reply-head`},
		{"several headers", `503 headers="B: 2" headers="A: 1"`, `status 503 headers="A: 1" headers="B: 2" before-commit`},
		{"several hints", `503 retry-after=1 retry-after=2`, `status 503 retry-after=1 retry-after=2 before-commit`},
		{"empty hint", `503 retry-after=`, `status 503 retry-after="" before-commit`},
	} {
		t.Run(row.name, func(t *testing.T) {
			f, ok, err := Parse(row.text)
			if !ok || err != nil {
				t.Fatal(ok, err)
			}
			if got := f.String(); got != row.want {
				t.Errorf("got  %s\nwant %s", got, row.want)
			}
		})
	}
}

func TestOKIsNoFault(t *testing.T) {
	f, ok, err := Parse(" ok ")
	if f != (Fault{}) || ok || err != nil {
		t.Errorf("got %v, %v, %v, want no fault and no error", f, ok, err)
	}
}
