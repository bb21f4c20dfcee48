/** What reaches a browser through a real nginx: refusals as Parley words them, and an answer's steps while it runs. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasNginx, type Nginx, startNginx } from "../../doubles/processes/nginx.ts";
import { createParleyProcess, type ParleyProcess } from "../../doubles/processes/parley-process.ts";
import { chunk, gate } from "../../doubles/service/scripted-moves.ts";
import { type ScriptedService, startScriptedService } from "../../doubles/service/scripted-service.ts";
import { event } from "../requests.ts";
import { cookiesFrom, documentedNginx, nginxAddress, signInAt } from "./documented-nginx.ts";

const token = "a-token-of-the-page";
const look = { tool: "kb_list_tool", tool_input: "", log: "Thought: look" };
const step = "Checking which knowledge bases are available";

/** As docs/deploy.md says, and as somebody writes it who has read nothing. */
const setUps = ["as docs/deploy.md says", "with proxy_pass alone"] as const;
type SetUp = { readonly parley: ParleyProcess; readonly nginx: Nginx; readonly base: string };

describe.skipIf(!hasNginx())("through nginx", () => {
  let service: ScriptedService;
  const setUp = new Map<(typeof setUps)[number], SetUp>();

  beforeAll(async () => {
    service = await startScriptedService((run) => [
      chunk({ type: "start", prompt: run.question, trace_id: "" }),
      chunk({ actions: [look], messages: [], trace_id: "" }),
      gate("step"),
      chunk({ output: "At two o'clock.", messages: [], trace_id: "" }),
      chunk({ type: "end" }),
    ]);
    for (const name of setUps) {
      const isDocumented = name === setUps[0];
      const found: { nginx?: Nginx } = {};
      const baseOf = () => `${found.nginx?.url}${isDocumented ? "/parley" : ""}`;
      const parley = await createParleyProcess(() => ({
        AGENT_SERVICE_URL: service.url,
        AGENT_DEFAULT: "support",
        CONSOLE_TOKEN: token,
        PUBLIC_URL: baseOf(),
        ...(isDocumented ? { TRUSTED_PROXY: nginxAddress } : {}),
      }));
      const config = isDocumented ? await documentedNginx(parley.url) : `location / { proxy_pass ${parley.url}; }`;
      found.nginx = await startNginx(config);
      setUp.set(name, { parley, nginx: found.nginx, base: baseOf() });
      await parley.start();
    }
  });
  afterAll(async () => {
    for (const { parley, nginx } of setUp.values()) {
      await parley.close();
      await nginx.stop();
    }
    await service?.close();
  });

  const baseOf = (name: (typeof setUps)[number]) => setUp.get(name)?.base ?? "";
  const signedIn = async (base: string) => ({
    cookie: cookiesFrom(await signInAt(base, token)),
    "content-type": "application/json",
    origin: new URL(base).origin,
  });

  it.each(setUps)("an answer's step arrives while the answer still runs: nginx set up %s", async (name) => {
    const base = baseOf(name);
    const headers = await signedIn(base);
    const stop = new AbortController();
    const stream = await fetch(`${base}/api/events?tab=tab-1`, { headers, signal: stop.signal });
    let received = "";
    let wasRunning: boolean | undefined;

    for await (const part of stream.body ?? []) {
      const isFirst = received === "";
      received += Buffer.from(part).toString();
      if (isFirst) {
        const body = JSON.stringify(event({ text: "When does the backup run?" }));
        await fetch(`${base}/api/messages`, { method: "POST", headers, body });
      }
      if (wasRunning === undefined && received.includes(step)) {
        wasRunning = service.runs.atOnce === 1 && !received.includes("At two");
        service.release("step");
      }
      if (received.includes("At two o'clock.")) break;
    }
    stop.abort();

    expect(wasRunning).toBe(true);
  });

  // Nginx answers 502 when the connection is closed while it still sends. Several times: it is a race.
  it.each([
    ["a token of 900 kB", setUps[1], "POST", "/", "application/x-www-form-urlencoded", 900_000, 413],
    ["a token of 10 MB", setUps[0], "POST", "/", "application/x-www-form-urlencoded", 10_000_000, 413],
    ["a message of 10 MB", setUps[0], "POST", "/api/messages", "application/json", 10_000_000, 413],
    ["a file that nobody announced", setUps[0], "PUT", "/api/uploads/x", "application/octet-stream", 10_000_000, 404],
    ["a file as a form", setUps[0], "PUT", "/api/uploads/x", "text/plain", 10_000_000, 415],
  ] as const)("the refusal of %s arrives", async (_, name, method, path, type, bytes, status) => {
    const base = baseOf(name);
    const headers = { ...(await signedIn(base)), "content-type": type };
    const body = "x".repeat(bytes);
    const statuses: number[] = [];

    for (let time = 0; time < 6; time += 1) {
      statuses.push((await fetch(base + path, { method, headers, body })).status);
    }

    expect(statuses).toEqual(Array(6).fill(status));
  });

  it("the refusal of a file arrives where the session has ended meanwhile", async () => {
    const base = baseOf(setUps[0]);
    const headers = { "content-type": "application/octet-stream" };
    const statuses: number[] = [];

    for (let time = 0; time < 6; time += 1) {
      const response = await fetch(`${base}/api/uploads/x`, { method: "PUT", headers, body: "x".repeat(10_000_000) });
      statuses.push(response.status);
    }

    expect(statuses).toEqual(Array(6).fill(401));
  });
});
