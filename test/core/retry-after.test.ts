import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { fetchWithRetryAfter } from "../../src/core/tools/retry.ts";

const now = "Mon, 23 Nov 2026 20:00:00 GMT";

async function answered(status: number, headers: Readonly<Record<string, string>>) {
  const server = createServer((_, response) => void response.writeHead(status, headers).end("too many"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return fetchWithRetryAfter(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

it.each([
  ["7", "7"],
  ["0.25", "0.25"],
  ["3600", "3600"],
  ["99999999999", "86400"],
  ["Mon, 23 Nov 2026 20:00:04 GMT", "4"],
  ["Mon, 23 Nov 2026 19:00:00 GMT", "1"],
  ["soon", "1"],
  ["-5", "1"],
  ["0", "1"],
  ["", "1"],
  ["Infinity", "86400"],
])("reads how long a 429 asks to wait, in seconds: %j", async (given, seconds) => {
  const response = await answered(429, { date: now, "retry-after": given });

  expect([response.status, response.headers.get("retry-after")]).toEqual([429, seconds]);
  expect(await response.text()).toBe("too many");
});

it("waits a second where a 429 says nothing, and leaves other answers as they are", async () => {
  expect((await answered(429, {})).headers.get("retry-after")).toBe("1");
  expect((await answered(503, { "retry-after": "soon" })).headers.get("retry-after")).toBe("soon");
});
