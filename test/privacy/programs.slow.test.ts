/** `npm run erase` and `npm run export`, beside a running Parley and without one, on SQLite and on Redis. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { startEnvironment } from "../doubles/processes/as-started.ts";
import { createParleyProcess } from "../doubles/processes/parley-process.ts";
import { startRedisServer } from "../doubles/processes/redis-server.ts";
import { until } from "../doubles/until.ts";

const program = fileURLToPath(new URL("../../src/person.ts", import.meta.url));

async function run(args: readonly string[], settings: Readonly<Record<string, string>>) {
  const env = { PATH: process.env["PATH"], ...startEnvironment, ...settings };
  const child = spawn(process.execPath, [program, ...args], { cwd: tmpdir(), env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part: Buffer) => {
      output += part.toString();
    });
  }
  const [code] = await once(child, "close");
  return { code, output };
}

it.each(["SQLite", "Redis"])(
  "exports and erases a person of the page on %s, while Parley runs and afterwards",
  async (backend) => {
    const redis = backend === "Redis" ? await startRedisServer() : undefined;
    const settings: Record<string, string> = redis === undefined ? {} : { REDIS_URL: redis.url };
    const parley = await createParleyProcess(settings);
    onTestFinished(async () => {
      await parley.close();
      await redis?.stop();
    });
    await parley.start();
    const env = { ...settings, DATA_DIR: parley.dataDir };

    async function ask(id: string): Promise<void> {
      const body = JSON.stringify({ id, tab: "tab", channel: "general", text: `How do I connect Slack, ${id}?` });
      const headers = { "content-type": "application/json" };
      await fetch(`${parley.url}/api/messages`, { method: "POST", headers, body });
      await until("it is answered", async () => {
        const { messages } = JSON.parse(await (await fetch(`${parley.url}/api/conversations/general/${id}`)).text());
        return messages.at(-1)?.payload?.tone === "done";
      });
    }

    await ask("first");
    const exported = await run(["export", "console:local/you"], env);
    expect(exported.code).toBe(0);
    expect(JSON.parse(exported.output)).toMatchObject({ person: "console:local/you", version: 1 });
    expect(exported.output).toContain("How do I connect Slack, first?");

    const erased = await run(["erase", "console:local/you"], env);
    expect(erased).toMatchObject({ code: 0, output: expect.stringContaining("questions: 1 removed") });
    const { conversations } = JSON.parse(await (await fetch(`${parley.url}/api/conversations`)).text());
    expect(conversations).toEqual([]);

    await ask("second");
    await parley.end();
    const afterwards = await run(["erase", "console:local/you"], env);
    expect(afterwards).toMatchObject({ code: 0, output: expect.stringContaining("questions: 1 removed") });
    expect((await run(["export", "console:local/you"], env)).output).not.toContain("How do I");
  },
);

it.each(["erase", "erase U123", "export slack:T1"])("explains how a person is written: %s", async (words) => {
  const { code, output } = await run(words.split(" "), { DATA_DIR: "/nowhere" });

  expect(code).toBe(2);
  expect(output).toContain("slack:T1/U123");
});
