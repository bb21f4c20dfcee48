/** A person's MCP client for tests of /mcp, against a whole page without a server. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { State } from "../../../src/core/ports/state.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { openWholePage, type WholePage } from "../whole-page.ts";

export const url = "http://127.0.0.1:3000";
export const from = { incoming: { httpVersion: "1.1", socket: { remoteAddress: "127.0.0.1" } } };

const named = (id: string) => ({ platform: "console", kind: "user", id }) as const;

/** `askers`: absent, everyone can ask. */
export const open = (clock?: Clock, shared?: State, askers?: readonly string[]) =>
  openWholePage(
    {
      userHeader: {
        name: "x-user",
        managers: [named("ana")],
        ingesters: askers?.map(named),
        askers: askers?.map(named),
      },
      trustedProxy: ["127.0.0.1/32"],
      publicUrl: url,
      baseUrl: url,
    },
    shared,
    clock,
  );

export const personOf = (user: string) => ({ "x-user": user });

export async function tokenOf(page: WholePage, user: string): Promise<string> {
  const body = { name: "Claude" };
  const made = await page.request("/api/tokens", { method: "POST", body, headers: personOf(user) });
  return made.body.token;
}

export async function connect(page: WholePage, token: string, options: ConstructorParameters<typeof Client>[1] = {}) {
  const client = new Client({ name: "test", version: "1" }, options);
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}`, host: "127.0.0.1:3000" } },
    fetch: async (to, init) => page.app.request(new Request(to, init), undefined, from),
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

export const raw = (page: WholePage, init: RequestInit, path = "/mcp") =>
  page.app.request(`${url}${path}`, { method: "POST", ...init }, from);

export const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
export const headersWith = (token: string) => ({
  host: "127.0.0.1:3000",
  authorization: `Bearer ${token}`,
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
});

type Call = { readonly content?: unknown; readonly isError?: boolean };
export const textOf = ({ content }: Call) => (content as { text: string }[]).map(({ text }) => text).join("\n");
export const question = (text: string) => ({ name: "ask", arguments: { question: text } });

/** Time passes fifty times as fast. */
export function fastClock(): Clock {
  const beganMs = Date.now();
  return {
    now: () => beganMs + (Date.now() - beganMs) * 50,
    sleep: (ms, signal) => systemClock.sleep(ms / 50, signal),
    after: (ms, callback) => systemClock.after(ms / 50, callback),
  };
}

export const eras = [
  ["of 2025", {}],
  ["of 2026", { versionNegotiation: { mode: "auto" } }],
] as const;
