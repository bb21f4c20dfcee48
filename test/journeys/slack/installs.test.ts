/** Many workspaces with one Parley: each installs the app by OAuth, and none sees anything of another one. */
import { describe, expect, it } from "vitest";
import { until } from "../../doubles/until.ts";
import type { FakeSlack } from "../../fakes/slack/index.ts";
import { openParley, wordsOf } from "./parley.ts";

/** What Parley said below that question, in that workspace. */
function answersIn(slack: FakeSlack, team: string, ts: string): readonly string[] {
  return slack
    .team(team)
    .world.thread("C0GENERAL", ts)
    .filter(({ bot_id }) => bot_id !== undefined)
    .map(wordsOf);
}

async function untilAnswered(slack: FakeSlack, team: string, ts: string, words: string): Promise<void> {
  await until(`an answer in ${team}`, () => answersIn(slack, team, ts).some((said) => said.includes(words)));
}

type Stored = {
  readonly turns: { readonly recent: (limit: number) => Promise<readonly { askedIn: { workspace: string } }[]> };
};

/** Workspaces that questions are stored of. */
async function workspacesIn(state: Stored): Promise<readonly string[]> {
  return [...new Set((await state.turns.recent(100)).map(({ askedIn }) => askedIn.workspace))].sort();
}

describe.each([
  { way: "over HTTP", http: true },
  { way: "by Socket Mode", http: false },
])("two workspaces $way", ({ http }) => {
  it("install the app and are answered side by side; one that removes it falls silent and leaves nothing", async () => {
    const parley = await openParley({ http, oauth: { listed: "*" } });
    const { slack, agents, state } = parley;

    const pages = [await parley.install({ team: "T1" }), await parley.install({ team: "T2" })];
    const [one, other] = [slack.team("T1").person("U0ALICE"), slack.team("T2").person("U0ALICE")];
    const first = one.mention("C0GENERAL", "how many sales?");
    (await agents.run(0)).answer("42 in the first.");
    await untilAnswered(slack, "T1", first.ts, "42 in the first.");
    const second = other.mention("C0GENERAL", "how many sales?");
    (await agents.run(1)).answer("7 in the second.");
    await untilAnswered(slack, "T2", second.ts, "7 in the second.");

    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    expect([...answersIn(slack, "T1", second.ts), ...answersIn(slack, "T2", first.ts)]).toEqual([]);
    expect(JSON.stringify(agents.runs[1]?.messages)).not.toContain("first");
    expect(await workspacesIn(state)).toEqual(["T1", "T2"]);

    await slack.uninstall("T1");
    await until("T1's records to be gone", async () => (await workspacesIn(state)).join() === "T2");
    const again = one.mention("C0GENERAL", "anyone there?");
    await again.delivered;
    const third = other.mention("C0GENERAL", "and now?");
    (await agents.run(2)).answer("8 by now.");
    await untilAnswered(slack, "T2", third.ts, "8 by now.");

    expect(answersIn(slack, "T1", again.ts)).toEqual([]);
    const left = await Array.fromAsync(state.keyValue("slack").entries("T1/"));
    const installed = await Array.fromAsync(
      state
        .collections()
        .find(({ name }) => name === "slack-installations")
        ?.entries() ?? [],
    );
    expect(left).toEqual([]);
    expect(installed.map(({ id }) => id)).toEqual(["T2"]);
    expect(agents.runs.map(({ question }) => question)).toEqual(["how many sales?", "how many sales?", "and now?"]);
    expect(slack.violations).toEqual([]);
  });
});

describe("a workspace that WORKSPACES doesn't list", () => {
  it("waits at /admin, gets no answer before it is approved there, and is uninstalled when it is removed", async () => {
    const parley = await openParley({
      http: true,
      oauth: { listed: ["T1"] },
      settings: { workspaces: [{ platform: "slack", id: "T1" }] },
    });
    const { slack, agents, state } = parley;
    const alice = slack.team("T2").person("U0ALICE");
    const page = await parley.install({ team: "T2" });
    const { get, pagesFor, audit } = parley.admin();
    const row = { platform: "slack", workspace: "T2" };
    const press = (what: "approve" | "remove") =>
      pagesFor({}).request(`/api/admin/installs/${what}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(row),
      });

    await alice.mention("C0GENERAL", "anyone?").delivered;
    const waiting = await get({}, "/api/admin/installs");
    const forGuests = await get({ role: "ask" }, "/api/admin/installs");
    await press("approve");
    const asked = alice.mention("C0GENERAL", "and now?");
    (await agents.run(0)).answer("Yes.");
    await untilAnswered(slack, "T2", asked.ts, "Yes.");
    const removed = await press("remove");
    await until("its questions to be gone", async () => (await workspacesIn(state)).length === 0);

    expect(page.text).toContain("once an admin of Parley has approved the workspace");
    expect(waiting.body).toMatchObject({ installs: [{ ...row, name: "Team T2", isServed: false }] });
    expect([forGuests.status, removed.status]).toEqual([403, 200]);
    expect(agents.runs.map(({ question }) => question)).toEqual(["and now?"]);
    expect(slack.oauth.alive("T2")).toEqual([]);
    expect((await audit()).map(({ action }) => action)).toEqual(["workspace approve", "workspace remove"]);
  });
});
