import { readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { askRunning, type ControlHandler, startControl } from "../../src/operations/control.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

async function* echo(request: unknown): AsyncGenerator<unknown> {
  yield { request };
  yield "Ünïcode 😀\n";
}

async function started(handle: ControlHandler = echo) {
  const dataDir = await temporaryFolder("control");
  const stop = await startControl({ dataDir, handle, log });
  onTestFinished(stop);
  return { dataDir, stop, file: join(dataDir, "control.json") };
}

async function all(lines: AsyncIterable<unknown> | undefined): Promise<unknown> {
  const found: unknown[] = [];
  for await (const line of lines ?? []) found.push(line);
  return lines === undefined ? "nobody" : found;
}

describe("the running Parley, asked by another program", () => {
  it("answers in lines, to a program that can read its file", async () => {
    const { dataDir, file } = await started();

    expect(await all(await askRunning(dataDir, { action: "export" }))).toEqual([
      { request: { action: "export" } },
      "Ünïcode 😀\n",
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it.each(["", "Bearer wrong", "Basic abc"])("refuses everyone else: %j", async (authorization) => {
    const { file } = await started();
    const { url } = JSON.parse(await readFile(file, "utf8"));

    expect((await fetch(url, { method: "POST", headers: { authorization }, body: "{}" })).status).toBe(403);
  });

  it("leaves nothing behind when it ends, and isn't found then", async () => {
    const { dataDir, stop, file } = await started();
    await stop();

    expect(await askRunning(dataDir, {})).toBeUndefined();
    await expect(stat(file)).rejects.toThrow("ENOENT");
  });

  it("isn't found where a process was killed, or another program has its port", async () => {
    const killed = await started();
    const text = await readFile(killed.file, "utf8");
    const other = await started();
    await killed.stop();
    const { token } = JSON.parse(text);
    const { url } = JSON.parse(await readFile(other.file, "utf8"));

    await writeFile(killed.file, text);
    expect(await askRunning(killed.dataDir, {})).toBeUndefined();
    await writeFile(killed.file, JSON.stringify({ url, token }));
    expect(await askRunning(killed.dataDir, {})).toBeUndefined();
    await writeFile(killed.file, "not JSON");
    expect(await askRunning(killed.dataDir, {})).toBeUndefined();
  });

  it("doesn't tell another user's program that has its port what is asked, and believes nothing that it answers", async () => {
    const seen: unknown[] = [];
    const impostor = createServer((request, response) => {
      seen.push(request.method, request.headers.authorization);
      response.writeHead(200, { "x-parley-proof": "invented" }).end('{"isComplete":true}\n');
    });
    await new Promise<void>((resolve) => impostor.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void impostor.close());
    const bound = impostor.address();
    const { dataDir, stop, file } = await started();
    const { token } = JSON.parse(await readFile(file, "utf8"));
    await stop();
    const url = `http://127.0.0.1:${typeof bound === "object" ? bound?.port : 0}`;
    await writeFile(file, JSON.stringify({ url, token }));

    expect(await all(await askRunning(dataDir, { action: "erase", person: "slack:T1/U1" }))).toBe("nobody");
    expect(seen).toEqual(["GET", undefined]);
  });

  it("says when a request fails there, before the first line and after it", async () => {
    const before = await started(async function* () {
      yield* [];
      throw new Error("no such person");
    });
    await expect(askRunning(before.dataDir, {})).rejects.toThrow("500");

    const after = await started(async function* () {
      yield "one";
      throw new Error("the store is gone");
    });
    await expect(askRunning(after.dataDir, {}).then(all)).rejects.toThrow();
  });

  it("says now and then that it is still at work, so that nobody gives up after five minutes", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const finished = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const { dataDir } = await started(async function* () {
      begun.resolve();
      await finished.promise;
      yield "erased";
    });

    const asked = askRunning(dataDir, {});
    await begun.promise;
    vi.advanceTimersByTime(30_000);
    const lines = await asked;
    finished.resolve();

    expect(await all(lines)).toEqual(["erased"]);
  });

  it("refuses a request that is too long", async () => {
    const { dataDir } = await started();

    await expect(askRunning(dataDir, "x".repeat(20_000))).rejects.toThrow("500");
  });
});
