import asyncio, base64, concurrent.futures, contextlib, hashlib, http.client, json, random, socket, sys, time, uuid
HELLO = {"type": "hello", "name": "tiny-py", "features": ["retries", "retry-after", "idempotency-key", "cancel"], "claims": {
    "max_attempts": 4, "base_ms": 100, "cap_ms": 400, "jitter": "full", "bound_ms": 20000}}

def exchange(conn, call, headers):
    body = base64.b64decode(call["body_base64"]) if "body_base64" in call else call["body"].encode()
    conn.request(call["method"], "/" + call["url"].split("/", 3)[3], body or None, headers)
    reply = conn.getresponse()
    return reply.status, reply.getheader("Retry-After", ""), reply.read()

async def perform(call, sock=None):
    lost, answer = "failed" if call["method"] in ("GET", "HEAD") else "unknown", {"outcome": "failed"}  # nothing is sent yet
    key = {call["key_header"]: call["key"] or str(uuid.uuid4())} if call["key_header"] else {}
    end = asyncio.get_running_loop().call_later(call["deadline_ms"] / 1000 or 20, asyncio.current_task().cancel).when()
    with contextlib.suppress(asyncio.CancelledError):  # by the deadline, a cancel or the bye
        for most in (0.1, 0.2, 0.4, 0):
            was, status, hint, conn = answer["outcome"], 0, "", http.client.HTTPConnection(call["url"].split("/")[2], timeout=3)
            with contextlib.suppress(OSError, http.client.HTTPException):
                await asyncio.to_thread(conn.connect)
                sock, answer["outcome"] = conn.sock, lost  # as long as no reply tells better
                status, hint, body = await asyncio.to_thread(exchange, conn, call, call["headers"] | key)
                answer["outcome"] = "ok" if status // 100 == 2 else was if status // 100 == 4 or status == 503 else lost
                answer |= {"status": status, "body_sha256": hashlib.sha256(body).hexdigest(), "body_bytes": len(body)}
            conn.close()
            wait = random.uniform(0, most) + float(hint if hint.isascii() and hint.isdigit() else 0)
            if not (most and status in (0, 429, 502, 503, 504) and (key or lost == "failed") and time.monotonic() + wait < end):
                break
            await asyncio.sleep(wait)
    print(json.dumps({"type": "result", "id": call["id"], **answer}), flush=True)
    with contextlib.suppress(OSError):
        sock and sock.shutdown(socket.SHUT_RDWR)  # ends the thread that still reads from it

async def main(calls):
    asyncio.get_running_loop().set_default_executor(concurrent.futures.ThreadPoolExecutor(256))
    while (message := json.loads(await asyncio.to_thread(sys.stdin.buffer.readline) or '{"type":"bye"}'))["type"] != "bye":
        if message["type"] == "call":
            calls[message["id"]] = asyncio.create_task(perform(message))
        else:
            calls[message["id"]].cancel() if message["type"] == "cancel" else print(json.dumps(HELLO), flush=True)
asyncio.run(main({}))
