#!/usr/bin/env python3
"""shop.py does one operation as a careful client does, and tells honestly what became of it.

One deadline over everything, retries with full jitter that never come before the time a server asks for, one key in all attempts.
"""
import time

STARTED = time.monotonic()  # the deadline counts from here, not from when everything is loaded
import base64, calendar, hashlib, http.client, json, os, random, re, signal, sys, types, urllib.parse, uuid

env = os.environ
BOUND, CONNECT = 30.0, 1.0  # seconds: of any call, of a connect
ATTEMPT = float(env.get("SHOP_ATTEMPT_S", "2"))  # until the head of a reply is there
SAFE, IDEMPOTENT = {"GET", "HEAD", "OPTIONS", "TRACE"}, {"PUT", "DELETE"}
RETRIED = {429, 502, 503, 504}

method, url = env["BROWNOUT_METHOD"], urllib.parse.urlsplit(env["BROWNOUT_URL"])
body = sys.stdin.buffer.read() or None
limit = min(int(env["BROWNOUT_DEADLINE_MS"]) / 1000 or BOUND, BOUND)
policy = {"max_attempts": 4, "base_ms": 100, "cap_ms": 2000} | json.loads(env.get("BROWNOUT_POLICY", "{}"))

headers = json.loads(env["BROWNOUT_HEADERS"])
if env["BROWNOUT_CONTENT_TYPE"]:
    headers["Content-Type"] = env["BROWNOUT_CONTENT_TYPE"]
given, key_header = env.get("BROWNOUT_KEY_GIVEN") == "1", env["BROWNOUT_KEY_HEADER"]
keyed = bool(key_header) and (given or method not in SAFE | IDEMPOTENT)
if keyed:
    headers[key_header] = env["BROWNOUT_KEY"] if given else str(uuid.uuid4())
repeatable = method in SAFE | IDEMPOTENT or keyed


class TimeUp(Exception):
    """The alarm of an attempt, or of the whole call, went off."""


class Stopped(BaseException):
    """The caller cancelled; no handler of ordinary errors may swallow it."""


def on_alarm(*_):
    raise TimeUp("time is up")


def on_stop(*_):
    raise Stopped("told to stop")


def left():
    return STARTED + limit - time.monotonic()


def alarm(seconds):
    """Ends whatever blocks after so many seconds: a connect, a trickling head, a dripping body. One timer cannot be outlived by many reads."""
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))


def attempt():
    """Makes one request on a connection of its own, so that nothing below repeats it."""
    got = types.SimpleNamespace(sent=False, status=0, headers=None, body=None, error="")
    secure = url.scheme == "https"
    conn = (http.client.HTTPSConnection if secure else http.client.HTTPConnection)(url.hostname, url.port, timeout=CONNECT)
    try:
        alarm(min(ATTEMPT, left()))
        conn.connect()
        conn.sock.settimeout(None)  # the alarm takes over
        got.sent = True
        conn.request(method, (url.path or "/") + ("?" + url.query if url.query else ""), body, headers)
        reply = conn.getresponse()
        if len(set(reply.headers.get_all("Content-Length", []))) > 1:
            raise http.client.HTTPException("two lengths")  # http.client itself takes the first
        alarm(left())
        got.status, got.headers = reply.status, reply.headers
        got.body = reply.read()  # raises when the body is shorter than its framing says
    except Exception as e:
        got.error = f"{type(e).__name__}: {e}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        conn.close()
    return got


def asked_to_wait(got):
    """Seconds that the server asked for. What is no Retry-After by the grammar, or is there twice, asks for nothing."""
    values = got.headers.get_all("Retry-After", []) if got.headers else []
    if len(values) != 1:
        return 0.0
    if re.fullmatch("[0-9]+", values[0]):
        return float(values[0])  # may be infinite, and is then longer than any deadline
    for form in "%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %d %H:%M:%S %Y":
        try:
            return max(0.0, calendar.timegm(time.strptime(values[0], form)) - time.time())
        except (ValueError, OverflowError):
            pass
    return 0.0


def call(state):
    for n in range(1, policy["max_attempts"] + 1):
        before, state.applied = state.applied, method not in SAFE  # until the attempt proves that it was not
        state.got = got = attempt()
        if got.body is not None and got.status // 100 == 2:
            return "ok"
        refused = got.status // 100 == 4 or got.status == 503
        if not got.sent or refused:
            state.applied = before
        if not got.sent:
            again = True
        elif got.status == 409:
            again = keyed and before  # our own earlier attempt may still be running
        else:
            again = repeatable and (got.status in RETRIED or got.body is None and got.status < 300)
        wait = asked_to_wait(got) + random.uniform(0, min(policy["cap_ms"], policy["base_ms"] * 2 ** (n - 1)) / 1000)
        if not again or n == policy["max_attempts"] or wait >= left():
            break
        time.sleep(wait)
    return "unknown" if state.applied else "failed"


state = types.SimpleNamespace(applied=False, got=types.SimpleNamespace(status=0, body=None, error=""))
signal.signal(signal.SIGALRM, on_alarm)
signal.signal(signal.SIGTERM, on_stop)
try:
    outcome = call(state)
except (Stopped, TimeUp) as e:  # an alarm can go off between two lines, too
    outcome, state.got.error = "unknown" if state.applied else "failed", str(e)
told = {"outcome": outcome, "status": state.got.status, "error": state.got.error}
if state.got.body is not None and len(state.got.body) <= 1 << 16:
    told["body_base64"] = base64.b64encode(state.got.body).decode()
elif state.got.body is not None:
    told |= {"body_sha256": hashlib.sha256(state.got.body).hexdigest(), "body_bytes": len(state.got.body)}
print(json.dumps(told), flush=True)
sys.exit(outcome != "ok")
