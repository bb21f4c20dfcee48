/** What people change on the admin pages in channels of Slack and of Discord, over the real adapters. */
import { describe, expect, it } from "vitest";
import type { GapsPage } from "../../../src/overview/pages/gaps.ts";
import type { JobPage } from "../../../src/overview/pages/jobs.ts";
import { until } from "../../doubles/until.ts";
import { type ChatRoom, chatRooms, hearing, startSite } from "./chat-rooms.ts";
import type { Acted } from "./visiting.ts";

const manage = { role: "manage" } as const;
const question = "How do I print the city tax on an invoice?";
const otherQuestion = "Which door do late guests use on Sundays?";

async function gapsOf({ admin }: ChatRoom, state = "open"): Promise<GapsPage["gaps"]> {
  return (await admin.get(manage, `/api/admin/gaps?state=${state}`)).body.gaps;
}

async function jobsOf({ admin }: ChatRoom): Promise<JobPage["jobs"]> {
  return (await admin.get(manage, "/api/admin/knowledge/jobs")).body.jobs;
}

async function use({ admin, general }: ChatRoom, agent: string): Promise<void> {
  await admin.act(manage, { kind: "command", path: "agent use", options: { name: agent }, place: general });
}

/** Asks in the chat what has no answer yet. */
async function asked(room: ChatRoom, ...questions: readonly string[]): Promise<GapsPage["gaps"]> {
  await use(room, "support");
  for (const one of questions) room.ask(one);
  await until("the gaps", async () => (await gapsOf(room)).length === questions.length);
  const answers = () => room.said().filter((said) => said.includes("no sources"));
  await until("the answers without sources", () => answers().length === questions.length);
  return gapsOf(room);
}

function formIn([first]: Acted["lines"]): NonNullable<Acted["lines"][number]["form"]> {
  if (first?.form === undefined) throw new Error("no form");
  return first.form;
}

/** Fills in the form of the gap. What it says is returned. */
async function answer(room: ChatRoom, gap: GapsPage["gaps"][number] | undefined, tell: readonly string[]) {
  const place = gap?.place;
  const { lines } = await room.admin.act(manage, { kind: "action", action: "add-answer", value: gap?.id, place });
  const { id: formId, context } = formIn(lines);
  const values = { question, answer: "Tick City tax in the invoice's settings.", base: "handbook", tell };
  return room.admin.act(manage, { kind: "form", formId, context, values, place });
}

async function actionsOf({ admin }: ChatRoom): Promise<readonly string[]> {
  return (await admin.audit()).map(({ actor, action }) => `${actor.name} (${actor.id}): ${action}`);
}

const byAna = (action: string) => `Ana (console:ana): ${action}`;

/** Nothing is addressed to, or asked about, an id that the platform doesn't know. */
function expectClean(room: ChatRoom): void {
  expect(room.violations()).toEqual([]);
  expect(room.sent()).not.toContain("console:");
  expect(room.direct()).toBe(0);
}

describe.each(["slack", "discord"] as const)("in %s, a person of the admin pages", (name) => {
  const open = () => chatRooms[name]();

  it("sets who answers in a channel, when and how, and clears it; the channel reads by whom, once", async () => {
    const room = await open();
    const { general, secret, admin } = room;
    const command = (path: string, options: object, place = general) =>
      admin.act(manage, { kind: "command", path, options, place });

    await use(room, "sales");
    await command("agent use", { name: "support" }, secret);
    await command("parley mode", { mode: "every" });
    await command("kb use", { name: "handbook" });
    const values = { instructions: "Be brief." };
    await admin.act(manage, { kind: "form", formId: "agent instructions", values, context: "", place: general });
    const { body } = await admin.get(manage, "/api/admin/agents");
    await command("agent clear", {});

    const set = { mode: "every", instructions: "Be brief.", from: "channel", agent: { name: "sales" } };
    expect(body.channels).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...set, place: general, knowledgeBase: { name: "handbook" } }),
        expect.objectContaining({ place: secret, agent: { name: "support" } }),
      ]),
    );
    await hearing(room, general, "Ana removed this channel's own agent.");
    expect(room.saidIn(general)).toEqual([
      "Ana set sales to answer here.",
      expect.stringContaining("Ana changed when I speak here."),
      "Ana removed this channel's own agent.",
    ]);
    expect(room.saidIn(secret)).toEqual(["Ana set support to answer here."]);
    expect(await actionsOf(room)).toEqual(
      ["agent use", "agent use", "parley mode", "kb use", "agent instructions", "agent clear"].map(byAna),
    );
    expect((await admin.audit()).map(({ place }) => place.channel)).toEqual(
      [general, secret, general, general, general, general].map(({ channel }) => channel),
    );
    expectClean(room);
  });

  it("answers a gap: who asked is told in their thread by whom, and how the test went is read on the page alone", async () => {
    const room = await open();
    const [gap] = await asked(room, question);

    const { text } = await answer(room, gap, ["yes"]);
    const told = () => room.said().filter((said) => said.includes("there's a better answer"));
    await until("who asked is told", () => told().length > 0);

    expect(text).toContain("It works.");
    expect(told()).toEqual([expect.stringContaining("from Ana")]);
    expect(room.said().join("\n")).not.toContain("It works.");
    expect(await gapsOf(room, "answered")).toMatchObject([{ id: gap?.id }]);
    expect(room.pinged()).toEqual([room.memberId]);
    await until("the audit", async () => (await actionsOf(room)).includes(byAna("kb answer")));
    expectClean(room);
  });

  it("runs the checks of an agent for a workspace, and their results are on the page, not in the chat", async () => {
    const room = await open();
    const [gap] = await asked(room, question);
    await answer(room, gap, []);
    const { platform, workspace } = room.general;
    const checks = async () => {
      const { agents } = (await room.admin.get(manage, "/api/admin/agents")).body;
      return agents.find((agent: { readonly name: string }) => agent.name === "support").checks[0];
    };
    await until("the check", async () => (await checks())?.questions === 1);
    const before = room.said();

    const place = { platform, workspace, channel: "" };
    await room.admin.act(manage, { kind: "command", path: "agent check", options: { name: "support" }, place });
    await until("the result", async () => (await checks()).last?.isRunning === false);

    expect(await checks()).toMatchObject({ platform, workspace, last: { held: 1, asked: 1, failed: 0 } });
    expect(room.said()).toEqual(before);
    await until("the audit", async () => (await actionsOf(room)).includes(byAna("agent check")));
    expectClean(room);
  });

  it("dismisses a gap, opens it again, and merges it with another one and back, silently for the chat", async () => {
    const room = await open();
    const [gap, other] = await asked(room, question, otherQuestion);
    const press = (action: string, value: string | undefined) =>
      room.admin.act(manage, { kind: "action", action, value, place: gap?.place });
    const before = room.said();

    await press("gap-dismiss", gap?.id);
    const dismissed = await gapsOf(room, "dismissed");
    await press("gap-reopen", gap?.id);
    const { lines } = await press("gap-merge", gap?.id);
    const { id: formId, context } = formIn(lines);
    const values = { into: other?.id ?? "" };
    await room.admin.act(manage, { kind: "form", formId, context, values, place: gap?.place });
    const merged = await gapsOf(room);
    await press("gap-split", `${other?.id} ${gap?.id}`);

    expect(dismissed.map(({ id }) => id)).toEqual([gap?.id]);
    expect(merged).toMatchObject([{ id: other?.id, people: 1 }]);
    expect((await gapsOf(room)).length).toBe(2);
    expect(room.said()).toEqual(before);
    expect(await actionsOf(room)).toEqual(
      ["agent use", "gap dismiss", "gap reopen", "gap merge", "gap split"].map(byAna),
    );
    expectClean(room);
  });

  it("retries and cancels a job that was asked for in the chat, where its one message follows", async () => {
    const room = await open();
    const site = await startSite();
    await room.ingest(site.url);
    const press = (action: string, job: JobPage["jobs"][number] | undefined) =>
      room.admin.act(manage, { kind: "action", action, value: job?.id, place: job?.place });
    const isNow = (status: string) => async () => (await jobsOf(room))[0]?.status === status;
    await until("the failed job", isNow("failed"));
    await hearing(room, room.general, "1 failed");

    site.now("hangs");
    await press("retry-job", (await jobsOf(room))[0]);
    await until("the job runs", isNow("running"));
    await press("cancel-job", (await jobsOf(room))[0]);
    await until("the job is cancelled", isNow("cancelled"));
    await hearing(room, room.general, "Cancelled adding to handbook");

    expect(room.saidIn(room.general).length).toBe(1);
    const actions = await actionsOf(room);
    expect(actions).toContain(byAna("kb retry"));
    expect(actions).toContain(byAna("kb cancel"));
    expectClean(room);
  });

  it("runs, pauses, resumes and deletes the schedule of someone else in a channel", async () => {
    const room = await open();
    await use(room, "support");
    await room.schedule("how many rooms are free? every monday 9:00");
    const listed = async () => (await room.admin.get(manage, "/api/admin/schedules")).body.schedules;
    await until("the schedule", async () => (await listed()).length === 1);
    const [{ id, place }] = await listed();
    const press = (verb: string) =>
      room.admin.act(manage, { kind: "action", action: `schedule-${verb}`, value: id, place });

    await press("run");
    await until("the answer", () => room.said().some((said) => said.includes("no sources")));
    await press("pause");
    const [paused] = await listed();
    await press("resume");
    const [resumed] = await listed();
    await press("delete");

    expect([paused.isPaused, resumed.isPaused]).toEqual([true, false]);
    expect(await listed()).toEqual([]);
    const verbs = ["run", "pause", "resume", "delete"];
    expect(await actionsOf(room)).toEqual([byAna("agent use"), ...verbs.map((verb) => byAna(`schedule ${verb}`))]);
    expectClean(room);
  });
});
