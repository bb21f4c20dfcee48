import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createClient } from "@redis/client";
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { askEmbeddingModel, askModel, askRerankModel } from "../../src/agent-service/built-in/model/local-model.ts";
import { profileOf } from "../../src/agent-service/mindsdb/profile.ts";
import { readConfig } from "../../src/config/config.ts";
import { ParleyError } from "../../src/core/errors.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { type ExaminationOptions, examine } from "../../src/findings.ts";
import { newGap } from "../../src/insight/gaps/gap-record.ts";
import { gapsIn } from "../../src/insight/gaps/gap-store.ts";
import { createHttpServer } from "../../src/operations/http-server.ts";
import { platformModules } from "../../src/platforms.ts";
import { openState } from "../../src/state/open-state.ts";
import { sampleTurn } from "../contracts/storage/sample-records.ts";
import { createCollectedLog } from "../doubles/collected-log.ts";
import { freePort } from "../doubles/network/free-port.ts";
import { hasRedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";
import { startModelServer } from "../fakes/model-server/index.ts";

const noDamage = { count: 0, keys: [] };
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

let port: number;
beforeAll(async () => {
  port = await freePort();
});

async function findings(env: Record<string, string>, parts: Partial<ExaminationOptions> = {}) {
  const found: Record<string, string> = {};
  const examined = examine({
    loadConfig: () => {
      const config = readConfig({ PORT: String(port), ...env }, platformModules);
      const examine = async () => [{ isOk: true, says: "the token works" }];
      return { ...config, platforms: config.platforms.map((platform) => ({ ...platform, examine })) };
    },
    nodeVersion: "24.21.0",
    connectService: () => serviceWith(["support", "sales"]),
    askModel: (config) => askModel(config, systemClock),
    askEmbeddingModel: (config) => askEmbeddingModel(config, systemClock),
    askRerankModel: (config) => askRerankModel(config, systemClock),
    platforms: platformModules,
    examineState: async () => ({ access: "writable", damage: noDamage }),
    clock: systemClock,
    log: silentLog,
    ...parts,
  });
  for await (const { isOk, name, says } of examined) found[name] = `${isOk ? "ok" : "FAIL"}: ${says}`;
  return found;
}

function serviceWith(names: readonly string[]): ReturnType<ExaminationOptions["connectService"]> {
  return {
    status: async () => ({ ...profileOf({ mindsdb_version: "25.9.3.1" }, undefined), foundBy: "/api/status" }),
    listAgents: async (project) => names.map((name) => ({ name, project, tables: [], knowledgeBases: [] })),
    listProjects: async () => ["mindsdb", "acme"],
    close: async () => {},
  };
}

const url = { AGENT_SERVICE_URL: "http://127.0.0.1:47334" };

describe("the doctor", () => {
  it("reports a machine with only the defaults as healthy", async () => {
    expect(await findings({})).toEqual({
      node: "ok: 24.21.0",
      settings: "ok: valid",
      storage: "ok: the folder ./data is writable",
      port: `ok: ${port} on 127.0.0.1 is free`,
      service: "ok: built-in (AGENT_SERVICE_URL isn't set)",
      page: "ok: the token works",
    });
  });

  it("stops at settings that cannot be read, with their one line", async () => {
    const found = await findings({ LOG_LEVEL: "loud" });

    expect(found["settings"]).toMatch(/^FAIL: LOG_LEVEL: must be .* For example LOG_LEVEL=debug$/);
    expect(Object.keys(found)).toEqual(["node", "settings"]);
  });

  it("refuses an old Node", async () => {
    expect((await findings({}, { nodeVersion: "20.20.2" }))["node"]).toMatch(/^FAIL: 20\.20\.2; Parley needs 24/);
  });

  it("says which service it found, how, and what it can't do, and counts its agents", async () => {
    expect(await findings(url)).toMatchObject({
      service:
        "ok: MindsDB 25.9.3.1, found by /api/status; 20 questions at once; it can't stop runs or continue runs after a restart of Parley",
      agents: "ok: 2 agents in the project mindsdb",
    });

    const litellm = {
      ...profileOf(undefined, undefined),
      dialect: "responses",
      generation: "litellm",
      version: "1.106.2",
      foundBy: "AGENT_SERVICE_KIND",
      maxRuns: 20,
      offers: [],
    } as const;
    const without = await findings(url, {
      connectService: () => ({ ...serviceWith([]), status: async () => litellm }),
    });
    expect(without["service"]).toBe(
      "ok: LiteLLM 1.106.2, Responses API, set by AGENT_SERVICE_KIND; 20 questions at once; it can't create agents, hold knowledge bases or continue runs after a restart of Parley",
    );
    expect(without["agents"]).toBe("ok: 0 agents; add one in the service");
    expect(without["knowledge bases"]).toBe("ok: kept by Parley, in DATA_DIR");
  });

  it("says what to check when the service is down, and continues with the rest", async () => {
    const away = {
      ...serviceWith([]),
      status: () => Promise.reject(new ParleyError("service_unreachable")),
    };

    const found = await findings(url, { connectService: () => away });

    expect(found["service"]).toBe(
      "FAIL: The agent service can't be reached. Check that it is running, and AGENT_SERVICE_URL.",
    );
    expect(found).toHaveProperty("page");
    expect(found).not.toHaveProperty("agents");
  });

  it("asks the language model of the built-in service for a word, and never shows its key", async () => {
    const server = await startModelServer({ key: "sk-doctor-0123456789" });
    onTestFinished(server.close);
    const settings = {
      LOCAL_MODEL_URL: server.url,
      LOCAL_MODEL_KEY: server.key,
      LOCAL_EMBEDDING_MODEL: "fake-chat",
      DATA_DIR: await temporaryFolder("doctor-model"),
    };

    const well = await findings(settings);
    const wrongKey = await findings({ ...settings, LOCAL_MODEL_KEY: "sk-wrong-0123456789" });
    const wrongEmbedding = await findings({ ...settings, LOCAL_EMBEDDING_MODEL: "none" });
    const elsewhere = await findings({ ...settings, AGENT_SERVICE_URL: server.root });
    const wrongModel = await findings({ ...settings, LOCAL_MODEL: "none" });
    await server.close();
    const gone = await findings(settings);

    expect(well["model"]).toBe(`ok: fake-chat at ${server.url} answers (Chat Completions)`);
    expect(well["embedding"]).toBe("ok: fake-chat answers; 0 of 0 passages have an embedding");
    expect(gone["embedding"]).toContain("FAIL: The embedding model");
    expect(wrongEmbedding["embedding"]).toContain("Set LOCAL_EMBEDDING_MODEL to one that it has.");
    expect(elsewhere["model"]).toBe("ok: LOCAL_MODEL_URL isn't used, because AGENT_SERVICE_URL is set");
    expect(wrongKey["model"]).toBe(`FAIL: The language model at ${server.url} refuses the key. Check LOCAL_MODEL_KEY.`);
    expect(wrongModel["model"]).toContain("Set LOCAL_MODEL to one that it has.");
    expect(gone["model"]).toContain("can't be reached. Check that it is running, and LOCAL_MODEL_URL.");
    expect(JSON.stringify([well, wrongKey, wrongModel, gone])).not.toContain("0123456789");
  });

  it("names the projects of WORKSPACE_PROJECTS that the service doesn't have, and the workspaces without an agent", async () => {
    const projects = (text: string, env: Record<string, string> = url) =>
      findings({ ...env, WORKSPACE_PROJECTS: text });

    expect((await projects("slack:T1=acme"))["projects"]).toBe(
      "ok: the service has all projects of WORKSPACE_PROJECTS",
    );
    expect((await projects("slack:T1=acme, slack:T2=globex, discord:12345=globex"))["projects"]).toBe(
      "FAIL: the service has no project globex, so no agent answers in slack:T2, discord:12345: create it there, or correct WORKSPACE_PROJECTS",
    );
    expect((await projects("slack:T1=acme", {}))["projects"]).toContain("the service has no project acme");
    expect((await projects("slack:T1=mindsdb", {}))["projects"]).toMatch(/^ok/);
  });

  it("sees that AGENT_DEFAULT is not there", async () => {
    const found = await findings({ ...url, AGENT_DEFAULT: "helper" });

    expect(found["agents"]).toBe("FAIL: There is no agent with that name. Check AGENT_DEFAULT.");
  });

  it("sees that the storage cannot be written", async () => {
    const examineState = () => Promise.reject(new ParleyError("state_unavailable", { what: "DATA_DIR is damaged." }));

    expect((await findings({}, { examineState }))["storage"]).toMatch(/^FAIL: DATA_DIR is damaged\. /);
  });

  it("accepts a folder and a port that a running Parley uses", async () => {
    const server = createHttpServer({
      host: "127.0.0.1",
      port: 0,
      clock: systemClock,
      log: createCollectedLog().log,
    });
    ends.push(() => server.close(0));
    server.app.get("/healthz", (context) => context.json({ alive: true }));
    const { port } = await server.listen();

    const found = await findings(
      { PORT: String(port) },
      { examineState: async () => ({ access: "in use", damage: noDamage }) },
    );

    expect(found["storage"]).toBe("ok: the folder ./data is in use by a running Parley");
    expect(found["port"]).toBe(`ok: ${port} on 127.0.0.1 is in use by a running Parley`);
  });

  it("fetches the documents under PUBLIC_URL while Parley runs, and says that it did not check otherwise", async () => {
    const server = createHttpServer({ host: "127.0.0.1", port: 0, clock: systemClock, log: silentLog });
    ends.push(() => server.close(0));
    server.app.get("/healthz", (context) => context.json({ alive: true }));
    server.app.get("/docs/README.md", (context) => context.html("<title>Parley documentation</title>"));
    const { port, url: publicUrl } = await server.listen();
    const running = { PORT: String(port), PUBLIC_URL: publicUrl };

    expect((await findings({ PUBLIC_URL: publicUrl }))["public"]).toMatch(/^ok: .* was not checked, because Parley/);
    expect((await findings(running))["public"]).toBe(`ok: ${publicUrl} leads to this Parley's documents`);
    const other = createHttpServer({ host: "127.0.0.1", port: 0, clock: systemClock, log: silentLog });
    ends.push(() => other.close(0));
    const { url: elsewhere } = await other.listen();
    expect((await findings({ ...running, PUBLIC_URL: elsewhere }))["public"]).toMatch(
      /^FAIL: .*\/docs\/README\.md answers 404, .* Check PUBLIC_URL/,
    );
  });

  it("sees that another program has the port", async () => {
    const server = createHttpServer({ host: "127.0.0.1", port: 0, clock: systemClock, log: createCollectedLog().log });
    ends.push(() => server.close(0));
    const { port } = await server.listen();

    expect((await findings({ PORT: String(port) }))["port"]).toMatch(/^FAIL: PORT: \d+ is in use by another program/);
  });

  it("notices that nobody could ask", async () => {
    expect((await findings({ CONSOLE: "off" }))["settings"]).toMatch(
      /^FAIL: CONSOLE: is off and no chat platform is set/,
    );
  });

  it("asks each platform that is switched on, and says how to switch on the page", async () => {
    const found = await findings({ SLACK_BOT_TOKEN: "xoxb-1", SLACK_SIGNING_SECRET: "s" });

    expect(found["slack"]).toBe("ok: the token works");
    expect(found).not.toHaveProperty("discord");
    expect(found["page"]).toBe("ok: is off (CONSOLE=on turns it on)");
  });
});

describe("npm run doctor", () => {
  async function run(env: Record<string, string>) {
    const folder = await temporaryFolder("doctor");
    await writeFile(join(folder, ".env"), `PORT=${port}\n`);
    const script = resolve(import.meta.dirname, "../../src/main.ts");
    return new Promise<{ code: unknown; lines: string[]; errors: string }>((done) => {
      execFile(process.execPath, [script, "doctor"], { cwd: folder, env }, (failure, stdout, stderr) =>
        done({ code: failure?.code ?? 0, lines: stdout.trimEnd().split("\n"), errors: stderr }),
      );
    });
  }

  it("ends with 0 when all is well, one line a finding, and reads .env", async () => {
    const { code, lines, errors } = await run({});

    expect(errors).toBe("");
    expect(lines.every((line) => line.startsWith("ok "))).toBe(true);
    expect(lines).toContain(`ok    port      ${port} on 127.0.0.1 is free`);
    expect(code).toBe(0);
  });

  it("ends with 1 when the service is not there", async () => {
    const { code, lines } = await run({ AGENT_SERVICE_URL: "http://127.0.0.1:1" });

    expect(lines.find((line) => line.startsWith("FAIL"))).toContain("The agent service can't be reached");
    expect(code).toBe(1);
  });

  it("names damaged records, also finished ones, while Parley runs and while it does not", async () => {
    const dataDir = await temporaryFolder("doctor");
    const state = await openState({ dataDir, clock: systemClock, log: silentLog });
    await state.turns.create(sampleTurn("t1", { state: "answered" }));
    await state.keyValue("bindings").set("slack/T1/C1", { agent: "support" });
    const scope = { platform: "slack", workspace: "T1", agent: { project: "p", name: "a" } };
    await gapsIn(state).put("slack/T1/g1", newGap({ ...scope, id: "g1", nowMs: 1 }));
    await state.close();
    const database = new DatabaseSync(join(dataDir, "parley.db"));
    database.exec("UPDATE turns SET record = substr(record, 1, 40); UPDATE key_values SET value = 'x'");
    database.exec(`UPDATE "collection_gaps" SET record = 'x'`);
    database.close();
    const found = "turns/t1, bindings/slack/T1/C1, gaps/slack/T1/g1";
    const wanted = `ok    records   3 damaged (skipped), including ${found}`;

    expect((await run({ DATA_DIR: dataDir })).lines).toContain(wanted);

    const running = await openState({ dataDir, clock: systemClock, log: silentLog });
    const { lines } = await run({ DATA_DIR: dataDir });
    await running.close();
    expect(lines).toContain(wanted);
    expect(lines.find((line) => line.includes("storage"))).toContain("is in use by a running Parley");
  });

  it.skipIf(!hasRedisServer())("reports a Redis that may evict its data, and what to set", async () => {
    const server = await startRedisServer();
    ends.push(server.stop);
    const client = createClient({ url: server.url });
    await client.connect();
    await client.configSet("maxmemory-policy", "allkeys-lru");
    await client.set("parley:kv:bindings::slack/T1/C1", "cut");
    await client.hSet("parley:{gaps}:records", "slack/T1/g1", "cut");
    client.destroy();

    const { code, lines } = await run({ REDIS_URL: server.url });

    expect(lines.find((line) => line.startsWith("FAIL"))).toMatch(
      /redis .*maxmemory-policy allkeys-lru.*Set maxmemory-policy noeviction/,
    );
    expect(lines).toContain("ok    records   2 damaged (skipped), including bindings/slack/T1/C1, gaps/slack/T1/g1");
    expect(code).toBe(1);
  });
});
