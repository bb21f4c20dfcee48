import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { createAdminRoutes } from "../../../adapters/console/admin/routes.ts";
import { localVisitor } from "../../../adapters/console/people/visitor.ts";
import type { Asker, Feedback } from "../../../src/core/model/insight.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { entryOf } from "../../../src/insight/derived/question-log.ts";
import type { GapLine } from "../../../src/overview/pages/gaps.ts";
import type { ShownQuestion } from "../../../src/overview/pages/question.ts";
import type { QuestionList } from "../../../src/overview/pages/questions.ts";
import { pagesOf } from "../../../src/overview/pages.ts";
import { noOverview } from "../../doubles/nulls/no-overview.ts";
import { bob } from "../../doubles/people.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { monday, openRoom, slack, support, turnOf, viewOf } from "./room.ts";

type Listed = Omit<QuestionList, "next"> & { readonly next?: string };
type Room = Awaited<ReturnType<typeof openRoom>>;

function served(pages: Room["pages"]) {
  const app = new Hono();
  app.use("*", async (context, next) => {
    context.set("visitor", localVisitor);
    await next();
  });
  app.route("/", createAdminRoutes({ overview: { ...noOverview, pages }, ...around }));
  return async (path: string) => app.request(path);
}

async function inRoom(work: (room: Room, ask: (path: string) => Promise<Response>) => Promise<void>, changes = {}) {
  const room = await openRoom(changes);
  const request = served(room.pages);
  try {
    await work(room, (path) => request(`/api/admin/questions${path}`));
  } finally {
    await room.close();
  }
}

const gapLine: GapLine = {
  ...{ id: "g1", key: "slack/T1/g1", platform: "slack", workspace: "T1", agent: "support", state: "open" },
  ...{ people: 4, createdAtMs: monday, lastAtMs: monday + 1, thumbsDown: 1, signals: ["thumbs-down"], merged: [] },
  place: { platform: "slack", workspace: "T1", channel: "" },
};

const noChannels = { isOpenTo: async () => false, listFor: async () => [] };
const noFiles = { take: async () => ({ attachments: [], files: [] }) };
const around = { channels: noChannels, attached: noFiles, port: () => undefined, clock: systemClock, log: silentLog };

const listed = async (response: Promise<Response>) => (await (await response).json()) as Listed;
const seenOf = async (response: Promise<Response>) => (await (await response).json()) as ShownQuestion;

/** Of the console, where the viewer is. */
const own = { platform: "console", workspace: "local", channel: "me-1" };

const step = {
  tool: "kb_query",
  input: "SELECT * FROM handbook WHERE content = 'refund'",
  observation: "raw rows",
  state: "done" as const,
  outcome: { kind: "passages" as const, count: 1, bestRelevance: 0.41 },
  sources: [{ title: "Refunds", url: "https://docs.example/refunds", relevance: 0.41, excerpt: "Can't be refunded." }],
  startedAtMs: monday + 1_000,
  endedAtMs: monday + 3_000,
};

describe("a search for words", () => {
  it("finds questions that say all of them, in any case, with the other filters", () =>
    inRoom(async ({ store }, ask) => {
      const asked = (id: string, question: string, changes = {}) => turnOf(id, { question, ...changes });
      await store(
        asked("t001", "Do gift vouchers expire?"),
        asked("t002", "When does a VOUCHER expire, and where?", { state: "failed", outcome: undefined }),
        asked("t003", "Where is the pool?"),
      );
      const refsOf = async (path: string) => (await listed(ask(path))).rows.map(({ ref }) => ref).toSorted();

      expect(await refsOf("?words=voucher+EXPIRE")).toEqual(["t001", "t002"]);
      expect(await refsOf("?words=voucher&outcome=answered")).toEqual(["t001"]);
      expect(await refsOf("?words=sauna")).toEqual([]);
      const file = await (await ask(".csv?words=pool")).text();
      expect(file).toContain("t003");
      expect(file).not.toContain("t001");
    }));

  it("says how many more run that say them than it shows", () =>
    inRoom(async ({ store }, ask) => {
      const running = Array.from({ length: 45 }, (_, at) => {
        const question = at % 2 === 0 ? "Where is the pool?" : "Something else?";
        return turnOf(`t${String(at).padStart(4, "0")}`, { question, createdAtMs: monday + at, state: "running" });
      });
      await store(...running);

      const list = await listed(ask("?words=pool"));
      expect([list.running.length, list.moreRunning, list.running[0]?.ref]).toEqual([20, 3, "0044"]);
    }));

  it("finds nothing that the viewer can't read", () =>
    inRoom(async ({ store }, ask) => {
      await store(
        turnOf("t001", { question: "The secret plan", visibility: "private" }),
        turnOf("t002", { question: "The secret plan", isPrivate: true }),
      );
      const { rows, running, count } = await listed(ask("?words=secret"));
      expect([rows, running, count]).toEqual([[], [], undefined]);
    }));

  it("says how far it has searched, and continues there", () =>
    inRoom(async ({ store }, ask) => {
      const many = Array.from({ length: 1_100 }, (_, at) =>
        turnOf(`t${String(at).padStart(4, "0")}`, {
          question: at === 3 ? "Where is the pool?" : "Something else?",
          createdAtMs: monday + at,
        }),
      );
      await store(...many);

      const first = await listed(ask("?words=pool"));
      expect([first.rows.length, first.comparedFromMs]).toEqual([0, monday + 100]);
      const second = await listed(ask(`?words=pool&after=${first.next}`));
      expect(second.rows.map(({ ref }) => ref)).toEqual(["0003"]);
      expect([second.next, second.comparedFromMs]).toEqual([undefined, undefined]);
    }));
});

describe("the list of questions", () => {
  it("shows how each one ended, where, and by which agent, newest first, and what still runs above", () =>
    inRoom(async ({ store }, ask) => {
      const error = { code: "service_busy", what: "Busy.", hint: "Wait." };
      await store(
        turnOf("t1"),
        turnOf("t2", { createdAtMs: monday + 1, state: "failed", outcome: viewOf({ state: "failed", error }) }),
        turnOf("t3", { createdAtMs: monday + 2, state: "running" }),
        turnOf("t4", { createdAtMs: monday + 3, state: "queued" }),
      );
      const list = await listed(ask(""));
      expect(list.running.map(({ id, state }) => [id, state])).toEqual([
        ["t4", "queued"],
        ["t3", "running"],
      ]);
      expect(list.rows.map(({ id }) => id)).toEqual(["t2", "t1"]);
      expect(list.rows[0]).toMatchObject({ outcome: "failed", code: "service_busy", durationMs: 5_999 });
      expect(JSON.stringify(list.rows[0])).toMatch(/hasn't started to answer/);
      expect(list.rows[1]).toMatchObject({
        ...{ outcome: "answered", text: { question: "The question t1?", by: "Alice" } },
        askedIn: { platform: "slack", kind: "public", channel: "C1", name: "front-desk" },
        agent: { key: "mindsdb.support", name: "support" },
      });
      expect(list.count).toEqual({ count: 2, isMore: false });
    }));

  it("leaves out what was asked in private, and shows it with LOG_PRIVATE", async () => {
    const turns = [
      turnOf("t1", { visibility: "private" }),
      turnOf("t2", { visibility: "direct" }),
      turnOf("t3", { isPrivate: true }),
      turnOf("t4", { askedIn: { ...slack, channel: "now-private" } }),
      turnOf("t5", { askedIn: own, conversation: own, visibility: "direct", actor: { ...bob, id: "you" } }),
      turnOf("t6", { askedIn: { ...own, channel: "me-2" }, visibility: "direct" }),
      turnOf("t7", { state: "running", visibility: "direct" }),
    ];
    await inRoom(async ({ store, now }, ask) => {
      now.set("now-private", "private");
      await store(...turns);
      const text = await (await ask("")).text();
      const { rows, running } = JSON.parse(text) as Listed;
      expect(rows.filter((row) => row.text !== undefined).map(({ id }) => id)).toEqual(["t5"]);
      expect(running[0]).not.toHaveProperty("text");
      expect(text).not.toMatch(/The question t[123467]|Alice/);
      expect(rows.find(({ id }) => id === "t2")?.askedIn).toEqual({
        ...{ platform: "slack", workspace: "T1", kind: "direct" },
      });
      for (const { id } of turns.filter((turn) => turn.id !== "t5")) {
        const seen = await (await ask(`/${id}`)).text();
        expect(seen).not.toMatch(/The question|Alice|Yes\.|Handbook/);
        expect((await ask(`/${id}/steps/0`)).status).toBe(404);
      }
      expect(await (await ask(".csv")).text()).not.toMatch(/The question t[123467]|Alice/);
    });
    await inRoom(
      async ({ store }, ask) => {
        await store(...turns);
        expect(await (await ask("")).text()).toMatch(/The question t2/);
        expect(await (await ask("/t2")).text()).toMatch(/Yes\./);
        expect(await (await ask(".csv")).text()).toMatch(/The question t6/);
      },
      { logPrivate: true },
    );
  });

  it("filters by everything at once, by reference in any case, and continues from page to page", () =>
    inRoom(async ({ store }, ask) => {
      const many = Array.from({ length: 120 }, (_, at) =>
        turnOf(`q${String(at).padStart(4, "0")}`, {
          createdAtMs: monday + at,
          ...(at % 2 === 0 ? { state: "failed" as const } : {}),
        }),
      );
      await store(...many);
      const seen: string[] = [];
      let after = "";
      for (let page = 0; page < 3; page += 1) {
        const { rows, next } = await listed(ask(`?after=${after}`));
        seen.push(...rows.map(({ id }) => id));
        after = next ?? "";
      }
      expect(seen).toEqual(many.map(({ id }) => id).reverse());
      const query = "?platform=slack&workspace=T1&channel=C1&agent=mindsdb.support&outcome=failed";
      const until = `${query}&from=${monday}&until=${monday + 5}`;
      expect((await listed(ask(until))).rows.map(({ id }) => id)).toEqual(["q0004", "q0002", "q0000"]);
      expect((await listed(ask("?ref=0007"))).rows).toHaveLength(1);
      expect((await listed(ask("?ref=%20Ref%200007"))).rows).toHaveLength(1);
      expect((await listed(ask("?feedback=down"))).rows).toEqual([]);
      expect((await ask("?outcome=nonsense")).status).toBe(400);
      expect((await ask("?after=nonsense")).status).toBe(400);
    }));

  it("names deleted agents, channels and platforms as gone", () =>
    inRoom(async ({ store, names }, ask) => {
      names.set("C2", { name: "old-desk", isGone: true });
      await store(
        turnOf("t1", { agent: { ...support, name: "former" }, askedIn: { ...slack, channel: "C2" } }),
        turnOf("t2", { askedIn: { platform: "gone", workspace: "W", channel: "C" }, createdAtMs: monday - 1 }),
      );
      const { rows } = await listed(ask(""));
      expect(rows[0]).toMatchObject({
        agent: { name: "former", isGone: true },
        askedIn: { name: "old-desk", isGone: true },
      });
      expect(rows[1]?.askedIn).toMatchObject({ platform: "gone", channel: "C", isOff: true });
      expect((await ask("/t2")).status).toBe(200);
    }));

  it("cleans names and texts of characters that would turn the text around them, and keeps markup as text", () =>
    inRoom(async ({ store }, ask) => {
      const actor = { ...bob, name: "B\u202eob <b>x</b>" };
      await store(turnOf("t1", { actor, question: "What\u202e is\u0007 <img src=x onerror=alert(1)>?" }));
      const text = await (await ask("/t1")).text();
      for (const character of ["\u202e", "\\u202e", "\\u0007"]) expect(text).not.toContain(character);
      expect(JSON.parse(text).texts).toMatchObject({
        question: "What is <img src=x onerror=alert(1)>?",
        by: "Bob <b>x</b>",
      });
    }));
});

describe("one question", () => {
  it("shows the answer, the steps with their passages and time, the votes, the gap and the conversation", () =>
    inRoom(async ({ store, state, gaps }, ask) => {
      const outcome = viewOf({
        steps: [step, { tool: "kb_query", input: "", state: "failed", startedAtMs: monday + 3_000 }],
        startedAtMs: monday + 500,
        endedAtMs: monday + 5_000,
        traceId: "trace-1",
      });
      const reply = { place: slack, parts: [{ index: 0, messageId: "m1", state: "final" as const }] };
      await store(
        turnOf("tt-7kq2", { outcome, reply, shownAtMs: monday + 5_200 }),
        turnOf("tt-next", { createdAtMs: monday + 60_000, question: "And then?" }),
      );
      const vote: Feedback = {
        ...{ version: 1, turnId: "tt-7kq2", voter: "U2", actor: bob, thumb: "down", reason: "incomplete", tell: true },
        ...{ comment: "It only talks about refunds.", atMs: monday + 9_000 },
      };
      await state.keyValue<Feedback>("feedback").set("slack/T1/tt-7kq2/U2", vote);
      const where = { platform: "slack", workspace: "T1", agent: support };
      const asker: Asker = {
        ...{ turnId: "tt-7kq2", actor: bob, place: slack, visibility: "public", question: "?" },
        ...{ signals: ["thumbs-down"], atMs: monday },
      };
      gaps.set("tt-7kq2", {
        ...{ version: 1, id: "g1", askers: [asker], askerCount: 4, state: "open" },
        ...where,
        ...{ createdAtMs: monday, lastAtMs: monday + 1 },
      });

      // By its reference, however it is written.
      const seen = await seenOf(ask("/7KQ2"));

      expect(seen).toMatchObject({
        listed: { id: "tt-7kq2", ref: "7kq2", outcome: "answered" },
        times: { waitedMs: 500, stepsMs: 2_500, answerMs: 2_000, shownMs: 200, totalMs: 5_200 },
        ...{ url: "https://chat.example/m1", traceId: "trace-1", stepCount: 2, attempt: 1 },
        gap: gapLine,
      });
      expect(seen.others.map(({ id }) => id)).toEqual(["tt-next"]);
      expect(seen.texts).toMatchObject({
        question: "The question tt-7kq2?",
        answer: "Yes.",
        by: "Alice",
        person: "slack:T1/U1",
      });
      expect(seen.texts?.steps[0]).toMatchObject({ tookMs: 2_000, found: "1 passage", hasRaw: true });
      expect(seen.texts?.steps[0]?.passages[0]).toMatchObject({ title: "Refunds", relevance: 0.41 });
      expect(seen.texts?.steps[1]).toMatchObject({ state: "failed", hasRaw: false });
      expect(seen.texts?.votes).toEqual([
        ...[
          { thumb: "down", by: "Bob", reason: "incomplete", comment: vote.comment, wantsToKnow: true, atMs: vote.atMs },
        ],
      ]);
      // Not before someone asks for it.
      expect(JSON.stringify(seen)).not.toContain("raw rows");
      expect(await (await ask("/tt-7kq2/steps/0")).json()).toMatchObject({ input: step.input, output: "raw rows" });
      expect((await ask("/tt-7kq2/steps/9")).status).toBe(404);
    }));

  it("leads to no direct message of someone else, whose address would say who asked", () =>
    inRoom(
      async ({ store }, ask) => {
        const mine = { ...own, channel: "me-1" };
        const theirs = { ...own, channel: "me-2" };
        const replyIn = (place: typeof own) => ({
          place,
          parts: [{ index: 0, messageId: "m1", state: "final" as const }],
        });
        const direct = { visibility: "direct" as const };
        await store(
          turnOf("t1", { ...direct, askedIn: theirs, conversation: theirs, reply: replyIn(theirs) }),
          turnOf("t2", { ...direct, askedIn: theirs, reply: replyIn(theirs), state: "running" }),
          turnOf("t3", { ...direct, askedIn: mine, reply: replyIn(mine), actor: { ...bob, id: "you" } }),
          turnOf("t4", { visibility: "private", reply: replyIn(slack) }),
        );

        for (const id of ["t1", "t2"]) expect(await (await ask(`/${id}`)).text()).not.toMatch(/me-2|url/);
        expect((await seenOf(ask("/t3"))).url).toBe("https://chat.example/me-1");
        expect((await seenOf(ask("/t4"))).url).toBe("https://chat.example/C1");
      },
      { permalink: async ({ place }: { readonly place: typeof own }) => `https://chat.example/${place.channel}` },
    ));

  it("isn't found by the channel of someone else's direct messages, which the audit log may name", () =>
    inRoom(async ({ store }, ask) => {
      const direct = { visibility: "direct" as const };
      const theirs = { ...direct, askedIn: { ...slack, channel: "D0BOB" } };
      const mine = { ...direct, askedIn: own, conversation: own, actor: { ...bob, id: "you" } };
      await store(turnOf("t1", theirs), turnOf("t2", { ...theirs, state: "running" }), turnOf("t3", mine));

      const found = await listed(ask("?channel=D0BOB"));
      expect([found.rows, found.running, found.count]).toEqual([[], [], { count: 0, isMore: false }]);
      expect(await (await ask(".csv?place=slack/T1/D0BOB")).text()).not.toMatch(/t1|t2/);
      expect((await listed(ask("?channel=me-1"))).rows.map(({ id }) => id)).toEqual(["t3"]);
      expect((await listed(ask(""))).rows).toHaveLength(2);
    }));

  it("shows a question that still runs, and says so of one that doesn't exist or was forgotten", () =>
    inRoom(async ({ store }, ask) => {
      await store(turnOf("t-run1", { state: "running" }), turnOf("t-gone", { isForgotten: true, question: "" }));
      expect((await seenOf(ask("/run1"))).listed.state).toBe("running");
      expect((await ask("/t-gone")).status).toBe(404);
      const none = await ask("/none");
      expect(none.status).toBe(404);
      expect(await none.json()).toMatchObject({ error: { what: "There is no question with that reference." } });
    }));
});

describe("the list as a file", () => {
  it("has a line for each question of the filtered list, and no cell that a spreadsheet would run", () =>
    inRoom(async ({ store, names }, ask) => {
      names.set("C1", { name: "@front" });
      await store(
        turnOf("t1", { question: '=HYPERLINK("http://evil","x")', actor: { ...bob, name: "+Bob" } }),
        turnOf("t2", { createdAtMs: monday - 1, question: "-1+1", agent: { ...support, name: "@agent" } }),
        turnOf("t3", { createdAtMs: monday - 2, question: "a, b\nc" }),
        turnOf("t4", { createdAtMs: monday - 3, state: "stopped" }),
      );
      const response = await ask(".csv?outcome=answered");
      expect(response.headers.get("content-type")).toMatch(/^text\/csv/);
      expect(response.headers.get("content-disposition")).toContain("questions.csv");
      const [head, ...lines] = (await response.text()).split("\r\n");
      expect(head).toMatch(/^Reference,Asked,/);
      expect(lines[0]).toContain(`'+Bob,"'=HYPERLINK(""http://evil"",""x"")"`);
      expect(lines[0]).toContain(",'@front,");
      expect(lines[1]).toMatch(/'@agent,.*'-1\+1$/);
      expect(lines[2]).toMatch(/"a, b c"|a, b c/);
      expect(lines).toHaveLength(4);
      expect(lines[0]).toContain("2027-01-11T10:00:00.000Z");
    }));

  it("begins with what still runs, unless a filter asks for what has ended", () =>
    inRoom(async ({ store }, ask) => {
      await store(
        turnOf("t1"),
        turnOf("t2", { createdAtMs: monday - 1, state: "running" }),
        turnOf("t3", { createdAtMs: monday + 1, state: "queued" }),
        turnOf("t4", { createdAtMs: monday + 2, state: "running", askedIn: { ...slack, channel: "C2" } }),
      );
      const refsIn = async (query: string) =>
        (await (await ask(`.csv${query}`)).text())
          .split("\r\n")
          .slice(1, -1)
          .map((line) => line.split(",")[0]);
      const [, queued = ""] = (await (await ask(".csv?channel=C1")).text()).split("\r\n");

      expect(await refsIn("?channel=C1")).toEqual(["t3", "t2", "t1"]);
      expect(queued.split(",")).toContain("queued");
      expect(await refsIn("?outcome=answered")).toEqual(["t1"]);
    }));

  it("is read from the store only as fast as it is taken", () =>
    inRoom(async ({ app }) => {
      let read = 0;
      const record = entryOf({ turn: turnOf("t1"), votes: { up: 0, down: 0 } });
      const endless = async function* () {
        for (; ; read += 1) yield { id: "t1", record, version: 1 };
      };
      const state = { ...app.state, collection: () => ({ all: endless }) as never };
      const body = (await served(pagesOf({ ...app, state }))("/api/admin/questions.csv")).body?.getReader();
      await body?.read();
      await body?.read();
      await new Promise((resolve) => setImmediate(resolve));
      expect(read).toBeGreaterThan(0);
      expect(read).toBeLessThan(2_000);
      await body?.cancel();
    }));
});
