import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
const hello = { type: "hello", name: "tiny-mjs", features: ["retries", "retry-after", "idempotency-key", "cancel"],
  claims: { max_attempts: 4, base_ms: 100, cap_ms: 400, jitter: "full", bound_ms: 20_000 } };
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

async function perform({ id, method, url, headers, key, key_header, deadline_ms, ...call }) {
  const safe = ["GET", "HEAD"].includes(method), answer = { type: "result", id, outcome: "failed" }; // nothing is sent yet
  const { signal } = (stops[id] = new AbortController()), limit = deadline_ms || 20_000, end = performance.now() + limit;
  setTimeout(stop, limit, { id }).unref();
  const body = Buffer.from(call.body_base64 ?? call.body, call.body_base64 ? "base64" : "utf8");
  if (key_header) headers[key_header] = key || randomUUID();
  for (const ceiling of [100, 200, 400, 0]) {
    let was = answer.outcome, status = 0, hint;
    answer.outcome = safe ? "failed" : "unknown"; // as long as no reply tells better
    try {
      const [reply] = await once(request(url, { method, headers, signal }).on("error", () => {}).end(body), "response");
      const content = Buffer.concat(await reply.toArray());
      [status, hint] = [reply.statusCode, reply.headers["retry-after"]];
      if (status < 300 || (status >= 400 && status < 500) || status === 503) answer.outcome = status < 300 ? "ok" : was;
      Object.assign(answer, { status, body_sha256: sha256(content), body_bytes: content.length });
    } catch (error) {
      if (error.code === "ECONNREFUSED") answer.outcome = was;
    }
    const wait = Math.random() * ceiling + (/^\d+$/.test(hint) ? hint * 1000 : 0);
    const again = [0, 429, 502, 503, 504].includes(status) && ceiling && (safe || key_header) && performance.now() + wait < end;
    if (!again || !(await sleep(wait, true, { signal }).catch(() => false))) break;
  }
  say(answer);
}

const stops = {}, stop = ({ id }) => stops[id].abort();
const orders = { hello: () => say(hello), call: perform, cancel: stop, bye: () => lines.close() };
const obey = (message) => orders[message.type](message);
const lines = createInterface({ input: process.stdin }).on("line", (line) => obey(JSON.parse(line)));
lines.on("close", () => Object.keys(stops).forEach((id) => stop({ id })));
