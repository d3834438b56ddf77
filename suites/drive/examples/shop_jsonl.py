#!/usr/bin/env python3
"""shop_jsonl.py does operations as a careful client does, any number at once, and tells honestly what became of each.

One deadline over everything, retries with full jitter that never come before the time a server asks for, one key in all attempts.
"""
import base64, calendar, hashlib, http.client, json, os, random, re, socket, sys, threading, time, types, urllib.parse, uuid

BOUND, CONNECT = 30.0, 1.0  # seconds: of any call, of a connect
ATTEMPT = float(os.environ.get("SHOP_ATTEMPT_S", "2"))  # until the head of a reply is there
SAFE, IDEMPOTENT = {"GET", "HEAD", "OPTIONS", "TRACE"}, {"PUT", "DELETE"}
RETRIED = [425, 429, 502, 503, 504]
POLICY = {"max_attempts": 4, "base_ms": 100, "cap_ms": 2000}
HELLO = {"type": "hello", "name": "shop_jsonl.py", "version": "1.0", "language": "python",
         "features": ["retries", "retry-after", "idempotency-key", "cancel", "policy"],
         "claims": POLICY | {"multiplier": 2, "jitter": "full", "hint_jitter_ms": 2000, "retry_statuses": RETRIED, "attempt_timeout_ms": 2000,
                             "connect_timeout_ms": 1000, "bound_ms": 30000, "counts_conflicts": True}}

mouth = threading.Lock()


def say(message):
    with mouth:  # or two answers might share a line
        print(json.dumps(message), flush=True)


class BoundedSocket(socket.socket):
    """A socket whose reads together end at a time. A timeout alone bounds each of them, and a dripping reply has many."""
    until = 0.0

    def recv_into(self, *args):
        self.settimeout(max(self.until - time.monotonic(), 0.001))
        return super().recv_into(*args)


class Operation(threading.Thread):
    def __init__(self, call):
        super().__init__()
        self.ends = time.monotonic() + min(call["deadline_ms"] / 1000 or BOUND, BOUND)
        self.call, self.method, self.url = call, call["method"], urllib.parse.urlsplit(call["url"])
        self.body = base64.b64decode(call["body_base64"]) if "body_base64" in call else call["body"].encode() or None
        self.policy = POLICY | call.get("policy", {})
        self.headers = dict(call["headers"])
        self.keyed = bool(call["key_header"]) and (bool(call["key"]) or self.method not in SAFE | IDEMPOTENT)
        if self.keyed:
            self.headers[call["key_header"]] = call["key"] or str(uuid.uuid4())
        self.stopped, self.sock = threading.Event(), None

    def stop(self):
        self.stopped.set()
        if sock := self.sock:
            try:
                sock.shutdown(socket.SHUT_RDWR)  # wakes whoever reads or writes
            except OSError:
                pass  # it is closed already

    def left(self):
        return self.ends - time.monotonic()

    def attempt(self):
        """Makes one request on a connection of its own, so that nothing below repeats it."""
        got = types.SimpleNamespace(sent=False, status=0, headers=None, body=None, error="")
        conn = http.client.HTTPConnection(self.url.hostname, self.url.port or 80)
        until = time.monotonic() + min(ATTEMPT, self.left())
        try:
            found = socket.create_connection((conn.host, conn.port), max(min(CONNECT, self.left()), 0.001))
            conn.sock = self.sock = sock = BoundedSocket(fileno=found.detach())
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.until = until
            sock.settimeout(max(until - time.monotonic(), 0.001))  # of all writing together
            if self.stopped.is_set():
                raise InterruptedError("cancelled")
            got.sent = True
            conn.request(self.method, (self.url.path or "/") + (self.url.query and "?" + self.url.query), self.body, self.headers)
            reply = conn.getresponse()
            if len(set(reply.headers.get_all("Content-Length", []))) > 1:
                raise http.client.HTTPException("two lengths")  # http.client itself takes the first
            sock.until = self.ends
            got.status, got.headers = reply.status, reply.headers
            got.body = reply.read()  # raises when the body is shorter than its framing says
        except Exception as e:
            got.error = f"{type(e).__name__}: {e}"
        finally:
            self.sock = None
            conn.close()
        return got

    def perform(self):
        applied = False
        for n in range(1, self.policy["max_attempts"] + 1):
            before, applied = applied, self.method not in SAFE  # until the attempt proves that it was not
            got = self.attempt()
            if got.body is not None and got.status // 100 == 2:
                return "ok", got
            if not got.sent or got.status // 100 == 4 or got.status == 503:
                applied = before
            if not got.sent:
                again = True
            elif got.status == 409:
                again = self.keyed and before  # our own earlier attempt may still be running
            else:
                again = (self.keyed or self.method in SAFE | IDEMPOTENT) and (got.status in RETRIED or got.body is None and got.status < 300)
            wait = asked_to_wait(got) + random.uniform(0, min(self.policy["cap_ms"], self.policy["base_ms"] * 2 ** (n - 1)) / 1000)
            if not again or n == self.policy["max_attempts"] or wait >= self.left() or self.stopped.wait(wait):
                break
        return "unknown" if applied else "failed", got

    def run(self):
        outcome, got = self.perform()
        told = {"type": "result", "id": self.call["id"], "outcome": outcome, "status": got.status, "error": got.error}
        if got.body is not None and len(got.body) <= 1 << 16:
            told["body_base64"] = base64.b64encode(got.body).decode()
        elif got.body is not None:
            told |= {"body_sha256": hashlib.sha256(got.body).hexdigest(), "body_bytes": len(got.body)}
        running.pop(self.call["id"])
        say(told)


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


running = {}
for line in sys.stdin.buffer:
    message = json.loads(line)
    if message["type"] == "hello":
        say(HELLO)
    elif message["type"] == "call":
        running[message["id"]] = operation = Operation(message)
        operation.start()  # and read on: the next call does not wait for this one
    elif message["type"] == "cancel" and (operation := running.get(message["id"])):
        operation.stop()
    elif message["type"] == "bye":
        break
for operation in list(running.values()):
    operation.stop()  # each of them still answers before the process ends
