/** The page of real processes over one Redis: one is killed in the middle of its work, or Redis goes away. */
import { request as httpRequest } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createConsoleStore } from "../../../adapters/console/writing/store.ts";
import type { State } from "../../../src/core/ports/state.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { openState } from "../../../src/state/open-state.ts";
import { requestsTo } from "../../console/requests.ts";
import { createParleyProcess, type ParleyProcess } from "../../doubles/processes/parley-process.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../../doubles/processes/redis-server.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { until } from "../../doubles/until.ts";

const clock = systemClock;
/** Instances look each minute, and the lease of one that was killed expires after 15 s. */
const takenUpMs = 150_000;

describe.skipIf(!hasRedisServer())("the page of two processes", () => {
  let redis: RedisServer;
  let state: State;
  let processes: ParleyProcess[] = [];
  beforeEach(async () => {
    redis = await startRedisServer();
    state = await openState({ dataDir: "", redisUrl: redis.url, clock, log });
  });
  afterEach(async () => {
    await Promise.all(processes.map((one) => one.close()));
    processes = [];
    await state.close();
    await redis.stop();
  });

  async function start(): Promise<ParleyProcess> {
    const parley = await createParleyProcess({ REDIS_URL: redis.url, CONSOLE: "on" });
    processes.push(parley);
    await parley.start();
    return parley;
  }

  it("empties a removed channel whose instance was killed in the middle", async () => {
    const parts = { removeFiles: async () => undefined, onChange: () => undefined };
    const store = createConsoleStore({ ...state, ...parts, clock, log });
    const by = { id: "you", name: "You", isVerified: false };
    const count = 400;
    for (let index = 0; index < count; index += 1) {
      await store.putQuestion({ channel: "general", thread: `t${index}` }, `t${index}`, `Question ${index}?`, by);
    }
    await store.texts.close();
    const [one] = [await start(), await start()];
    const { send } = requestsTo(() => one);
    const left = () => store.listing.count("general");

    expect((await send("DELETE", "/api/channels/general", { id: "remove-1" })).status).toBe(202);
    await until("it is being emptied", async () => (await left()) < count);
    await one.kill();
    expect(await left()).toBeGreaterThan(0);

    await until("the other one has emptied it", async () => (await left()) === 0, takenUpMs);
    const channels = state.keyValue<{ readonly leaving?: object }>("console-channels");
    await until("it is done", async () => (await channels.get("local/general"))?.leaving === undefined);
    for (const kind of ["messages", "conversations", "texts"]) {
      expect(await Array.fromAsync(state.keyValue(`console-${kind}`).entries("local/"))).toEqual([]);
    }
  });

  it("says in a sentence that a file can't be stored while Redis is away, and takes it afterwards", async () => {
    const parley = await start();
    const { announce, upload, send } = requestsTo(() => parley);
    const sizeBytes = 2_000_000;
    const { body } = await announce({ name: "rows.csv", sizeBytes });
    const path = `/api/uploads/${body.id}`;
    const headers = { "content-type": "application/octet-stream", "content-length": sizeBytes };
    const sending = httpRequest(`${parley.url}${path}`, { method: "PUT", headers });
    const answer = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      sending.on("error", reject);
      sending.on("response", async (response) => {
        let text = "";
        for await (const part of response) text += part;
        resolve({ status: response.statusCode, text });
      });
    });
    sending.write(Buffer.alloc(sizeBytes / 2));
    const pieces = () => Array.fromAsync(state.keyValue("console-upload-pieces").entries("local/"));
    await until("a piece is stored", async () => (await pieces()).length > 0);

    await redis.kill();
    sending.end(Buffer.alloc(sizeBytes / 2));

    const { status, text } = await answer;
    expect(status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({ error: { what: "Parley can't reach its storage." } });
    await redis.restart();
    await until("a file is taken", async () => (await upload("notes.txt", "abc").catch(() => "")) !== "");
    const refused = { id: "q1", tab: "tab-1", channel: "general", text: "What?", files: [body.id] };
    expect(await send("POST", "/api/messages", refused)).toMatchObject({ status: 422 });
  });
});
