/**
 * Compares what docs/privacy.md says about how long things are kept with what the code does: a day on the page fills a
 * store, each record has the time to live that its row says, and what has none is gone once RETENTION_DAYS are over.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { settingsSchema } from "../../../src/config/settings.ts";
import { auditEntriesIn } from "../../../src/core/audit.ts";
import { schedulesIn } from "../../../src/core/model/schedule.ts";
import type { State } from "../../../src/core/ports/state.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { questionLogIn, questionQuery } from "../../../src/insight/derived/question-log.ts";
import { keptKinds } from "../../../src/insight/privacy/kinds.ts";
import { openState } from "../../../src/state/open-state.ts";
import { connectRedis, scanKeys } from "../../../src/state/redis/connection.ts";
import { openWholePage, type WholePage } from "../../console/whole-page.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { hasRedisServer, startRedisServer } from "../../doubles/processes/redis-server.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { until } from "../../doubles/until.ts";

const dayMs = 86_400_000;
const { retentionMs, auditMs } = settingsSchema.parse({});

/** Ms that the words of a row mean. Undefined: it doesn't expire. */
function livesMs(kept: string): number | undefined {
  if (kept === "`RETENTION_DAYS`") return retentionMs;
  if (kept === "`AUDIT_DAYS`") return auditMs;
  if (kept === "a year") return 365 * dayMs;
  const [, count = "", unit = ""] = /^(a|an|\d+) (minute|hour|day)s?$/.exec(kept) ?? [];
  const units: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: dayMs };
  const ms = (/^\d+$/.test(count) ? Number(count) : 1) * (units[unit] ?? Number.NaN);
  return Number.isNaN(ms) ? undefined : ms;
}

/** These have no time to live: they are removed when they are that old, or nothing shows them. */
const pruned: readonly string[] = ["console-uploads", "console-upload-pieces"];
/** What the day must have filled. */
const expected: readonly string[] = [
  ...["bindings", "binding-stamps", "console-channels", "console-messages"],
  ...["console-texts", "console-uploads", "contributions", "conversations", "counted", "feedback"],
  ...["latest-questions", "pending-schedules", "recent-questions", "thread-talk"],
  ...["console-order", "typed"],
];

type Kept = { readonly namespace: string; readonly key: string; readonly leftMs: number | undefined };

function keptOnSqlite(dataDir: string): readonly Kept[] {
  const db = new DatabaseSync(join(dataDir, "parley.db"), { readOnly: true });
  const rows = db.prepare("SELECT namespace, key, expires_at_ms FROM key_values").all();
  db.close();
  return rows.map(({ namespace, key, expires_at_ms: atMs }) => {
    const leftMs = atMs === null ? undefined : Number(atMs) - Date.now();
    return { namespace: String(namespace), key: String(key), leftMs };
  });
}

async function keptOnRedis(url: string): Promise<readonly Kept[]> {
  const connection = await connectRedis({ url, clock: systemClock, log });
  const found: Kept[] = [];
  for await (const keys of scanKeys(connection, "parley:kv:*")) {
    for (const full of keys) {
      const [namespace = "", ...rest] = full.slice("parley:kv:".length).split("::");
      const leftMs = await connection.run((client) => client.pTTL(full));
      if (rest.length > 0) found.push({ namespace, key: rest.join("::"), leftMs: leftMs < 0 ? undefined : leftMs });
    }
  }
  await connection.close();
  return found;
}

async function spendADay(page: WholePage, state: State): Promise<void> {
  page.agents.set({ knowledgeBases: ["docs"] });
  const event = (more: object) => ({ id: randomUUID(), tab: "tab-1", channel: "general", ...more });
  const send = async (path: string, body: object, method = "POST") => {
    expect((await page.request(path, { method, body })).status, path).toBeLessThan(300);
  };
  const thread = await page.ask("How do I connect Slack?");
  (await page.agents.run(0)).answer("I don't know.");
  await page.idle();
  await page.ask("How do I connect Slack then?", { thread });
  (await page.agents.run(1)).answer("By a token.");
  await page.idle();
  const [turn] = await state.turns.recent(1);
  await send("/api/actions", event({ thread, action: "thumb-down", value: turn?.id }));
  await send("/api/uploads", { name: "a.txt", mediaType: "text/plain", sizeBytes: 3 });
  await send("/api/channels", { name: "new" });
  const texts = [
    "/ask what is new? every monday",
    "parley mode mention",
    "/agent use guide",
    "/kb ingest https://x.example/ into docs by service",
  ];
  for (const text of texts) await send("/api/messages", event({ text }));
  const place = { platform: "console", workspace: "local", channel: "general" };
  if (turn === undefined) throw new Error("Nothing was asked.");
  await schedulesIn(state).put("console/local/s1", {
    ...{ version: 1, id: "s1", owner: turn.actor, place, state: "active", dueAtMs: 9e15, createdAtMs: 1 },
    time: { cron: "0 9 * * 1", timeZone: "UTC", text: "every Monday" },
    what: { kind: "question", question: "What is new?" },
  });
  const isThere = async (namespace: string) => {
    for await (const _ of state.keyValue(namespace).entries("")) return true;
    return false;
  };
  await until("the job has ended", async () => {
    for await (const _ of state.jobs.unfinished()) return false;
    return (await state.jobs.count()) > 0;
  });
  for (const namespace of expected) await until(`there is something in ${namespace}`, () => isThere(namespace));
}

describe.each(["SQLite", "Redis"] as const)("what %s keeps", (backend) => {
  it.skipIf(backend === "Redis" && !hasRedisServer())(
    "stays as long as docs/privacy.md says, for every kind",
    async () => {
      const redis = backend === "Redis" ? await startRedisServer() : undefined;
      onTestFinished(() => redis?.stop());
      const dataDir = await temporaryFolder("retention");
      const where = { dataDir, ...(redis === undefined ? {} : { redisUrl: redis.url }), log };
      const kept = async () => (redis === undefined ? keptOnSqlite(dataDir) : keptOnRedis(redis.url));
      const rows = new Map(keptKinds.map((kind) => [kind.namespace, kind]));
      const state = await openState({ ...where, clock: systemClock });
      const page = await openWholePage({}, state);
      await spendADay(page, state);

      for (const { namespace, key, leftMs } of await kept()) {
        if (namespace === "claims") continue;
        const row = rows.get(namespace);
        const lives = pruned.includes(namespace) ? undefined : livesMs(row?.kept ?? "");
        const said = `${namespace}/${key} is kept ${row?.kept}`;
        if (lives === undefined || leftMs === undefined) expect(leftMs, said).toBe(lives);
        else expect(Math.abs(lives - leftMs), said).toBeLessThan(60_000);
      }
      await page.close();
      await state.close();

      const clock = createFakeClock(Date.now() + retentionMs + dayMs);
      // On Redis, keys expire and works are due by its own clock.
      const later = await openState({ ...where, clock: redis === undefined ? clock : systemClock });
      const again = await openWholePage({}, later, clock);
      for (let hours = 0; hours < 3; hours += 1) await clock.advance(3_600_000);
      if (redis !== undefined) await later.works.add("retention", "all", null);

      await until("everything that has no time to live is removed", async () => {
        const left = (await kept()).map(({ namespace }) => namespace);
        return (await later.turns.count()) === 0 && !pruned.some((namespace) => left.includes(namespace));
      });
      expect(await later.jobs.count()).toBe(0);
      expect(await questionLogIn(later).count(questionQuery({}), 10)).toMatchObject({
        count: 0,
      });
      const left = new Set((await kept()).map(({ namespace }) => namespace));
      if (redis === undefined) {
        const isOver = ({ namespace, kept: words }: (typeof keptKinds)[number]) =>
          (livesMs(words) ?? Number.POSITIVE_INFINITY) <= retentionMs && left.has(namespace);
        expect(keptKinds.filter(isOver).map(({ namespace }) => namespace)).toEqual([]);
      }
      expect(left).toContain("bindings");
      expect(await schedulesIn(later).get("console/local/s1")).toBeDefined();
      expect(await auditEntriesIn(later).count({ order: "atMs" }, 1)).toMatchObject({ count: 1 });
      const drained = again.close();
      await clock.advance(60_000);
      await drained;
      await later.close();
    },
  );
});
