#!/usr/bin/env node
// shop_jsonl.mjs does operations as a careful client does, any number at once, and tells honestly what became of each.
//
// It is built on node:http, which repeats nothing and follows no redirect by itself; fetch does both at times. Connections are kept.
import { createHash, randomUUID } from "node:crypto"
import http from "node:http"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"

const BOUND = 30000, CONNECT = 1000 // milliseconds: of any call, of a connect
const ATTEMPT = 1000 * (process.env.SHOP_ATTEMPT_S ?? 2) // until the head of a reply is there
const SAFE = ["GET", "HEAD", "OPTIONS", "TRACE"], IDEMPOTENT = [...SAFE, "PUT", "DELETE"]
const RETRIED = [425, 429, 502, 503, 504]
const POLICY = { max_attempts: 4, base_ms: 100, cap_ms: 2000 }
const HELLO = {
  type: "hello", name: "shop_jsonl.mjs", version: "1.0", language: "javascript",
  features: ["retries", "retry-after", "idempotency-key", "cancel", "policy"],
  claims: {
    ...POLICY, multiplier: 2, jitter: "full", hint_jitter_ms: 2000, retry_statuses: RETRIED, attempt_timeout_ms: 2000,
    connect_timeout_ms: CONNECT, bound_ms: BOUND, counts_conflicts: true,
  },
}
const agent = new http.Agent({ keepAlive: true })
const say = (message) => process.stdout.write(JSON.stringify(message) + "\n")

// attempt makes one request. signal ends it whatever it waits for: a connection, a trickling head, a dripping body.
function attempt(call, headers, body, signal) {
  const got = { sent: false, status: 0, hints: [], body: null, error: "" }
  return new Promise((resolve) => {
    const request = http.request(call.url, { method: call.method, headers, agent, signal })
    // A busy loop sees its timers before what has come meanwhile; setImmediate lets that be seen first.
    const late = (what, ms, there) => setTimeout(() => setImmediate(() => there() || request.destroy(new Error("no " + what + " in time"))), ms)
    const head = late("reply", ATTEMPT, () => got.status > 0), connect = late("connection", CONNECT, () => got.sent)
    const connected = () => { got.sent = true; clearTimeout(connect) }
    request.on("socket", (socket) => socket.connecting ? socket.once("connect", connected) : connected())
    request.on("response", (reply) => {
      clearTimeout(head)
      got.status = reply.statusCode
      got.hints = reply.headersDistinct["retry-after"] ?? []
      const parts = []
      reply.on("data", (part) => parts.push(part))
      reply.on("end", () => { if (reply.complete) got.body = Buffer.concat(parts) })
      reply.on("error", (e) => { got.error = String(e) }) // shorter than its framing says, or ended by us
    })
    request.on("error", (e) => { got.error = String(e) })
    request.on("close", () => { clearTimeout(head); clearTimeout(connect); resolve(got) })
    request.end(body)
  })
}

// askedToWait gives the milliseconds that the server asked for. What is no Retry-After by the grammar, or is there twice, asks for nothing.
function askedToWait([hint, second]) {
  if (hint === undefined || second !== undefined) return 0
  if (/^\d+$/.test(hint)) return 1000 * hint // may be Infinity, and is then longer than any deadline
  if (!/^[A-Z][a-z]{2,8},? [\w -]+ \d\d:\d\d:\d\d (GMT|\d{4})$/.test(hint)) return 0
  const date = Date.parse(hint.endsWith("GMT") ? hint : hint + " GMT")
  return Math.max(0, date - Date.now()) || 0
}

async function perform(call, signal, left) {
  const body = "body_base64" in call ? Buffer.from(call.body_base64, "base64") : Buffer.from(call.body)
  const policy = { ...POLICY, ...call.policy }, headers = { ...call.headers }
  const keyed = call.key_header !== "" && (call.key !== "" || !IDEMPOTENT.includes(call.method))
  if (keyed) headers[call.key_header] = call.key || randomUUID()
  if (body.length > 0) headers["Content-Length"] = body.length // node leaves it out for a DELETE
  for (let n = 1, applied = false; ; n++) {
    const before = applied
    applied = !SAFE.includes(call.method) // until the attempt proves that it was not
    const got = await attempt(call, headers, body, signal)
    const family = Math.floor(got.status / 100)
    if (got.body !== null && family === 2) return ["ok", got]
    if (!got.sent || family === 4 || got.status === 503) applied = before
    const again = !got.sent || (got.status === 409
      ? keyed && before // our own earlier attempt may still be running
      : (keyed || IDEMPOTENT.includes(call.method)) && (RETRIED.includes(got.status) || got.body === null && got.status < 300))
    const wait = askedToWait(got.hints) + Math.random() * Math.min(policy.cap_ms, policy.base_ms * 2 ** (n - 1))
    const woken = again && n < policy.max_attempts && wait < left() && await sleep(wait, true, { signal }).catch(() => false)
    if (!woken) return [applied ? "unknown" : "failed", got]
  }
}

async function answer(call, stop) {
  const began = performance.now(), limit = Math.min(call.deadline_ms || BOUND, BOUND)
  const timer = setTimeout(() => stop.abort(), limit)
  const [outcome, got] = await perform(call, stop.signal, () => limit - (performance.now() - began)).catch((e) => ["error", { body: null, error: String(e) }])
  clearTimeout(timer)
  const told = { type: "result", id: call.id, outcome, status: got.status, error: got.error }
  if (got.body?.length <= 1 << 16) told.body_base64 = got.body.toString("base64")
  else if (got.body) Object.assign(told, { body_sha256: createHash("sha256").update(got.body).digest("hex"), body_bytes: got.body.length })
  running.delete(call.id)
  say(told)
}

const running = new Map()
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line)
  if (message.type === "bye") break
  if (message.type === "hello") say(HELLO)
  if (message.type === "cancel") running.get(message.id)?.abort()
  if (message.type === "call") {
    const stop = new AbortController()
    running.set(message.id, stop)
    answer(message, stop) // and read on: the next call does not wait for this one
  }
}
for (const stop of running.values()) stop.abort() // each of them still answers before the process ends
