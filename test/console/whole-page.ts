/** A whole Parley on its page, over requests without a server, with an agent service that the test plays. */
import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { expect, onTestFinished } from "vitest";
import { type ConsoleOptions, createConsole } from "../../adapters/console/index.ts";
import type { ChatPlatform } from "../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { State } from "../../src/core/ports/state.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { composeParley } from "../../src/parley.ts";
import { openState } from "../../src/state/open-state.ts";
import { readingFor, settingsWith } from "../doubles/composition.ts";
import { noMetrics } from "../doubles/nulls/no-metrics.ts";
import { createAgents } from "../doubles/service/agents.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";
import { until } from "../doubles/until.ts";

/** `headers` of every request, such as one that names the person. */
export type Sent = { readonly method?: string; readonly body?: object; readonly headers?: Record<string, string> };

/** With a state, it is another instance over that state, which the caller closes. */
export async function openWholePage(options: Partial<ConsoleOptions> = {}, shared?: State, clock: Clock = systemClock) {
  const state = shared ?? (await openState({ dataDir: await temporaryFolder("whole-page"), clock, log }));
  const agents = createAgents();
  const app = new Hono();
  const connect = async ({ commands: _commands, ...parts }: Parameters<Connect>[0]): Promise<ChatPlatform> => {
    const page = createConsole({
      ...parts,
      host: "127.0.0.1",
      baseUrl: "http://127.0.0.1:3000",
      projectFolder: new URL("../..", import.meta.url).pathname.replace(/\/$/, ""),
      commands: () => [],
      ...options,
    });
    await page.mount(app);
    return page as ChatPlatform;
  };
  const parley = await composeParley({
    settings: settingsWith(),
    state,
    service: agents,
    platforms: [{ name: "console", connect }],
    reading: readingFor(clock),
    metrics: noMetrics,
    clock,
    log,
  });
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await parley.close();
    await parley.drain(0);
    if (shared === undefined) await state.close();
  };
  onTestFinished(close);
  await parley.start();

  const request = async (path: string, { method = "GET", body, headers = {} }: Sent = {}) => {
    const sent = {
      method,
      headers: { host: "127.0.0.1:3000", "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const from = { incoming: { httpVersion: "1.1", socket: { remoteAddress: "127.0.0.1" } } };
    const response = await app.request(`http://127.0.0.1:3000${path}`, sent, from);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true && text !== "";
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  };

  return {
    app,
    state,
    agents,
    parley,
    close,
    /** For a process that is killed: nothing of it ends in order. */
    abandon: () => {
      isOpen = false;
    },
    request,
    /** Returns the id of the question, which opens a thread of that id unless it is in one. */
    ask: async (text: string, at: { channel?: string; thread?: string } = {}, headers: Sent["headers"] = {}) => {
      const id = randomUUID();
      const body = { id, tab: "tab-1", channel: "general", ...at, text };
      const { status } = await request("/api/messages", { method: "POST", body, headers });
      if (status !== 202) throw new Error(`The question was not taken: ${status}`);
      return id;
    },
    /** Resolves when nothing is being answered. */
    idle: () =>
      until("nothing is being answered", () => {
        const { running, waiting } = parley.bridge.counts();
        return running + waiting === 0;
      }),
  };
}

type Connect = Parameters<typeof composeParley>[0]["platforms"][number]["connect"];
export type WholePage = Awaited<ReturnType<typeof openWholePage>>;

/** Returns the file's id. */
export async function upload(page: WholePage, name: string, mediaType: string, content: Buffer): Promise<string> {
  const announced = await page.request("/api/uploads", {
    method: "POST",
    body: { name, mediaType, sizeBytes: content.byteLength },
  });
  const response = await page.app.request(`http://127.0.0.1:3000/api/uploads/${announced.body.id}`, {
    method: "PUT",
    headers: { host: "127.0.0.1:3000", "content-type": "application/octet-stream" },
    body: new Uint8Array(content),
  });
  expect(response.status).toBe(200);
  return announced.body.id;
}
