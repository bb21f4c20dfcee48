/**
 * Looks through everything that a store has after people were erased: a month of a company, and what one person did on
 * the page. Names, ids, words of questions, answers and votes, and names of files are gone, and what others did is there.
 */
import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { onPlatforms } from "../../../bench/demo/company.ts";
import { fill } from "../../../bench/demo/fill.ts";
import type { Feedback } from "../../../src/core/model/insight.ts";
import type { Turn } from "../../../src/core/model/turn.ts";
import { changeRecord } from "../../../src/core/tools/change-record.ts";
import { systemClock as clock } from "../../../src/core/tools/system-clock.ts";
import { questionLogIn } from "../../../src/insight/derived/question-log.ts";
import { everyRecord } from "../../../src/insight/privacy/turns.ts";
import { openState } from "../../../src/state/open-state.ts";
import { openWholePage, type WholePage } from "../../console/whole-page.ts";
import { hasRedisServer, startRedisServer } from "../../doubles/processes/redis-server.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { until } from "../../doubles/until.ts";
import { everythingOnRedis, everythingOnSqlite } from "./whole-store.ts";

const theo = { platform: "slack", workspace: "T0LARKMERE", id: "U0THEO" };
const ana = "zana@x.example";
/** Words that only these two used, and what their records are called by. */
const trace = /zebra|U0THEO|Theo Lindqvist|zana/i;

async function openMonth(backend: "SQLite" | "Redis") {
  const redis = backend === "Redis" ? await startRedisServer() : undefined;
  const dataDir = await temporaryFolder("every-trace");
  const state = await openState({ dataDir, ...(redis === undefined ? {} : { redisUrl: redis.url }), clock, log });
  onTestFinished(async () => {
    await state.close();
    await redis?.stop();
  });
  const month = { company: onPlatforms, seed: 18, untilMs: Date.now(), days: 30, questions: 300, moreChannels: 0 };
  await fill(state, month, clock, log);
  const everything = async () => {
    const lines = redis === undefined ? everythingOnSqlite(dataDir) : await everythingOnRedis(redis.url);
    // How much someone asked in the last minutes, for the limits. It expires soon.
    return lines.filter((line) => !line.startsWith("parley:bucket:"));
  };
  return { state, everything };
}

type Store = Awaited<ReturnType<typeof openMonth>>["state"];

/** In all that he wrote. */
async function markWords(state: Store): Promise<void> {
  for await (const turn of everyRecord(state.turns)) {
    if (turn.actor.id !== theo.id) continue;
    const { question, outcome } = turn;
    const changed = outcome && { ...outcome, question: `${question} zebras`, answer: `${outcome.answer} Zebras.` };
    await changeRecord(state.turns, turn.id, () => ({ question: `${question} zebras`, outcome: changed }));
  }
  const votes = state.keyValue<Feedback>("feedback");
  for await (const [key, vote] of votes.entries("")) {
    if (vote.voter === theo.id) await votes.set(key, { ...vote, comment: "Zebras are missing." });
  }
}

/** What one does on the page: files, questions, votes with a comment, a name for a conversation, drafts. */
async function useThePage(page: WholePage): Promise<string> {
  const headers = { "x-user": ana };
  const send = async (path: string, body: object, method = "POST") => {
    const sent = await page.request(path, { method, body, headers });
    expect(sent.status, path).toBeLessThan(300);
    return sent.body;
  };
  const upload = async (name: string) => {
    const { id } = await send("/api/uploads", { name, mediaType: "text/plain", sizeBytes: 6 });
    const put = {
      method: "PUT",
      headers: { host: "127.0.0.1:3000", ...headers, "content-type": "application/octet-stream" },
    };
    const from = { incoming: { httpVersion: "1.1", socket: { remoteAddress: "127.0.0.1" } } };
    await page.app.request(`http://127.0.0.1:3000/api/uploads/${id}`, { ...put, body: "zebras" }, from);
    return id;
  };
  const answerNext = async (text: string) => {
    const run = page.agents.runs.find((one) => !one.isOver()) ?? (await page.agents.run(page.agents.runs.length));
    run.answer(text);
    await page.idle();
  };
  const event = (more: object) => ({ id: randomUUID(), tab: "tab-1", channel: "general", ...more });
  const shared = await page.ask("Where do bobs live?", {}, { "x-user": "bob" });
  await answerNext("In bobland.");
  const [bobs] = await page.state.turns.recent(1);

  const first = event({ text: "Where do zebras sleep?", files: [await upload("zebra-plan.txt")] });
  await send("/api/messages", first);
  await answerNext("Zebras sleep standing.");
  await page.ask("And zebra foals?", { thread: shared }, headers);
  await answerNext("Zebra foals too.");
  await upload("zebra-unused.txt");
  await send(`/api/conversations/general/${first.id}/title`, { title: "Zebras" }, "PUT");
  await send(`/api/conversations/general/${first.id}/pin`, { isPinned: true }, "PUT");
  const about = { thread: shared, value: bobs?.id };
  await send("/api/actions", event({ ...about, action: "thumb-down" }));
  const values = { reason: "wrong", comment: "Bobs aren't zebras." };
  await send("/api/forms", event({ ...about, formId: "feedback", context: bobs?.id, values }));
  for (const text of ["/schedule list", "/ask where do zebras go? every monday", "/parley zebra"]) {
    await send("/api/messages", event({ text }));
  }
  await send("/api/admin/act", { id: randomUUID(), kind: "command", path: "kb list", options: {} });
  await page.idle();
  await until("the form is stored", async () => JSON.stringify(await allOf(page.state, "feedback")).includes("aren't"));
  return bobs?.id ?? "";
}

async function allOf(state: Store, namespace: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const entry of state.keyValue(namespace).entries("")) found.push(entry);
  return found;
}

/** What others asked and were answered, by id. */
async function othersOf(state: Store): Promise<ReadonlyMap<string, Partial<Turn>>> {
  const found = new Map<string, Partial<Turn>>();
  for await (const { id, actor, question, outcome } of everyRecord(state.turns)) {
    if (actor.id === theo.id || actor.id === ana || actor.id === "former-member") continue;
    found.set(id, { actor, question, ...(outcome?.answer === undefined ? {} : { outcome }) });
  }
  return found;
}

describe.each(["SQLite", "Redis"] as const)("a month on %s", (backend) => {
  it.skipIf(backend === "Redis" && !hasRedisServer())(
    "has no trace of people who were erased, in any table or key, and all that others said",
    async () => {
      const { state, everything } = await openMonth(backend);
      await markWords(state);
      const page = await openWholePage({ userHeader: { name: "x-user" }, trustedProxy: ["127.0.0.1/32"] }, state);
      const isEmpty = async (namespace: string) => (await allOf(state, namespace)).length === 0;
      await until("gaps are grouped", () => isEmpty("open-signals"));
      const bobs = await useThePage(page);
      await until("questions are listed", () => isEmpty("open-counts"));
      await until("gaps are grouped", () => isEmpty("open-signals"));
      const before = await othersOf(state);
      expect((await everything()).filter((line) => trace.test(line)).length).toBeGreaterThan(60);

      const reports = [
        await page.parley.privacy.erase(theo),
        await page.parley.privacy.erase({ platform: "console", workspace: "local", id: ana }),
      ];
      await page.idle();
      await page.close();

      expect(reports).toMatchObject([{ isComplete: true }, { isComplete: true }]);
      expect((await everything()).filter((line) => trace.test(line))).toEqual([]);
      expect(await othersOf(state)).toEqual(before);
      expect(before.has(bobs)).toBe(true);
      expect(await questionLogIn(state).get(bobs)).toMatchObject({
        record: { down: 0 },
      });
      const again = await openWholePage({}, state);
      expect(await again.parley.privacy.erase(theo)).toEqual({ kinds: [], stays: [], isComplete: true });
      await again.close();
    },
  );
});
