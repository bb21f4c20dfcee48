/** `npm run erase` and `npm run export`, beside a running Parley and without one, on SQLite and on Redis. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { expect, it, onTestFinished } from "vitest";
import { createInstallations } from "../../../adapters/slack/installations/stored.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { openState } from "../../../src/state/open-state.ts";
import { main as program } from "../../doubles/processes/built.ts";
import { createParleyProcess } from "../../doubles/processes/parley-process.ts";
import { startRedisServer } from "../../doubles/processes/redis-server.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { until } from "../../doubles/until.ts";

async function run(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  onOutput = (_part: string): void => undefined,
) {
  const env = { PATH: process.env["PATH"], ...settings };
  const child = spawn(process.execPath, [program, ...args], { cwd: tmpdir(), env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part: Buffer) => {
      output += part.toString();
      onOutput(part.toString());
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

it("exports and erases who installed the app in a Slack workspace", async () => {
  const DATA_DIR = await temporaryFolder("installer");
  const open = () => openState({ dataDir: DATA_DIR, clock: systemClock, log: silentLog });
  const state = await open();
  await createInstallations({ ...state, stateSecret: "secret", log: silentLog }).put({
    ...{ platform: "slack", workspace: "T1", name: "Acme", teams: [], actorId: "U0INSTALLER", installedAtMs: 1 },
    credentials: { token: "xoxb-1", botId: "B1", botUserId: "U0", scopes: [] },
  });
  await state.close();

  const exported = await run(["export", "slack:T1/U0INSTALLER"], { DATA_DIR });
  const erased = await run(["erase", "slack:T1/U0INSTALLER"], { DATA_DIR });

  expect(exported.output).toContain('"Acme"');
  expect(erased.code).toBe(0);
  const later = await open();
  const installation = await createInstallations({ ...later, stateSecret: "secret", log: silentLog }).get("T1");
  expect(installation).toMatchObject({ workspace: "T1", credentials: { token: "xoxb-1" } });
  expect(installation?.actorId).not.toContain("U0INSTALLER");
  await later.close();
});

it.each([
  ["erase", 2, "slack:T1/U123"],
  ["erase U123", 2, "slack:T1/U123"],
  ["export slack:T1", 2, "slack:T1/U123"],
  ["erase slack:T1/U1 slack:T1/U2", 2, "Name one person"],
  ["erase irc:T1/U1", 2, 'Parley has no platform "irc". It has slack, discord, console.'],
  ["erase slack:T1/U1", 1, "There is no data of Parley in DATA_DIR (/nowhere), so nothing was done."],
])("says what is wrong, and does nothing: %s", async (words, code, says) => {
  const outcome = await run(words.split(" "), { DATA_DIR: "/nowhere" });

  expect(outcome).toMatchObject({ code, output: expect.stringContaining(says) });
});

it("says that Redis is down, and doesn't wait for it", async () => {
  const outcome = await run(["erase", "slack:T1/U1"], { REDIS_URL: "redis://127.0.0.1:1" });

  expect(outcome).toEqual({ code: 1, output: "Parley can't reach its storage. Try again in a minute.\n" });
});

it("says that it waits for another Parley, such as one that is shutting down, and then does its work", async () => {
  const dataDir = await temporaryFolder("held");
  const state = await openState({ dataDir, clock: systemClock, log: silentLog });
  let output = "";
  const outcome = run(["erase", "slack:T1/U1"], { DATA_DIR: dataDir }, (part) => {
    output += part;
  });
  await until("it says what it waits for", () => output !== "");
  const before = output;

  await state.close();

  expect(before).toBe("Another Parley is using DATA_DIR; waiting for it to end.\n");
  expect(await outcome).toMatchObject({ code: 0, output: expect.stringContaining("Parley keeps nothing about") });
});

it.each(["erase", "export"])(
  "ends quietly with a shell's code for it when nobody reads what %s writes",
  async (action) => {
    const dataDir = await temporaryFolder("unread");
    await (await openState({ dataDir, clock: systemClock, log: silentLog })).close();
    const env = { PATH: process.env["PATH"], DATA_DIR: dataDir };
    const child = spawn(process.execPath, [program, action, "slack:T1/U1"], { cwd: tmpdir(), env });
    child.stdout.destroy();
    let said = "";
    child.stderr.on("data", (part: Buffer) => {
      said += part.toString();
    });

    const [code] = await once(child, "close");

    expect({ code, said }).toEqual({ code: 141, said: "" });
  },
);

it("says that nothing is known under an id, without characters that turn text around", async () => {
  const dataDir = await temporaryFolder("nobody");
  await (await openState({ dataDir, clock: systemClock, log: silentLog })).close();

  const { code, output } = await run(["erase", "slack:T1/<b>\u202eU1"], { DATA_DIR: dataDir });

  expect(code).toBe(0);
  expect(output).toContain("Parley keeps nothing about slack:T1/<b>U1. If you expected something, check the id");
});
