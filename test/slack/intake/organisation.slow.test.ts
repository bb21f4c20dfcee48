/**
 * Who belongs to the own organisation. Closed by default: whoever is not known to, does not.
 */
import { describe, expect, it } from "vitest";
import { combined, organisationOf } from "../../../adapters/slack/intake/organisation.ts";
import { until } from "../../doubles/until.ts";
import { openParley, type Parley } from "../../journeys/slack/parley.ts";
import { openRoom } from "../room.ts";

const self = { teamId: "T0ACME", userId: "U0BOT", botId: "B0BOT" };
const onGrid = { ...self, enterpriseId: "E0ACME" };

describe("team ids", () => {
  it.each([
    ["none at all", { teams: [undefined, undefined] }, "unknown"],
    ["the own one", { teams: ["T0ACME", undefined] }, "own"],
    ["another one", { teams: ["T0ELSE"] }, "other"],
    ["a foreign one beside the own one", { teams: ["T0ACME", "T0ELSE"] }, "other"],
    ["the same enterprise, which the own team has none of", { teams: ["T0ELSE"], enterpriseId: "E0ACME" }, "other"],
  ] as const)("of a workspace on its own: %s", (_what, facts, organisation) => {
    expect(organisationOf(facts, self)).toBe(organisation);
  });

  it.each([
    ["the own enterprise's id", { teams: ["E0ACME", "T0ACME"] }, "own"],
    ["another workspace of the same enterprise", { teams: ["T0SALES"], enterpriseId: "E0ACME" }, "own"],
    ["a workspace of another enterprise", { teams: ["T0ELSE"], enterpriseId: "E0ELSE" }, "other"],
    ["another workspace, of whatever enterprise", { teams: ["T0SALES"] }, "unknown"],
    ["another enterprise's id", { teams: ["E0ELSE"] }, "other"],
  ] as const)("on Enterprise Grid: %s", (_what, facts, organisation) => {
    expect(organisationOf(facts, onGrid)).toBe(organisation);
  });

  it("are foreign when the payload or the lookup says so", () => {
    expect(combined("own", "other")).toBe("other");
    expect(combined("other", "own")).toBe("other");
    expect(combined("own", "unknown")).toBe("own");
    expect(combined("unknown", "own")).toBe("own");
    expect(combined("unknown", "unknown")).toBe("unknown");
  });
});

/** Slack answers none of them. */
const failures = ["internal_error", "ratelimited", "missing_scope", "user_not_visible", "500"];

describe("a person of another organisation", () => {
  it.each(failures)("stays one when the lookup fails (%s), whatever they do", async (failure) => {
    const { slack, seen } = await openRoom({}, { rates: false });
    slack.fail("users.info", failure, { times: 20 });
    const olga = slack.person("U0OTHER");

    const said = olga.mention("C0GENERAL", "hello");
    await said.delivered;
    await olga.edit(said.ts, "<@U0BOT> hello again");
    await olga.react(said.ts, "pushpin");
    await olga.command("/ask", "hello", "C0GENERAL");
    await olga.shortcut("ask_about", said.ts);
    await olga.stopAgent("C0GENERAL", said.ts);

    expect(new Set(seen.map(({ kind }) => kind))).toEqual(
      new Set(["message", "message-edited", "reaction", "command", "shortcut", "stop-conversation"]),
    );
    for (const { kind, actor } of seen) expect(actor.isExternal, kind).toBe(true);
  });

  it("is refused when Slack takes too long to say who they are", async () => {
    const { slack, alice, agents, seenOnlyBy, idle } = await openParley();
    slack.slow("users.info", 1_500);

    await slack.person("U0OTHER").mention("C0GENERAL", "what do the others earn?").delivered;
    await idle();

    expect(agents.runs).toEqual([]);
    await until("a private message", () =>
      seenOnlyBy("U0OTHER").join().includes("You can't ask here: people from other organisations can't"),
    );
    // Of the own organisation, by the event's own words: a guest's rights are enough to ask.
    await alice.mention("C0GENERAL", "what do we earn?").delivered;
    (await agents.run(0)).answer("They earn.");
    await idle();
  });

  it("is asked to try again while their organisation is unknown, and is served as soon as it is known", async () => {
    const parley = await openParley();
    const { slack, alice, agents, seenOnlyBy, idle } = parley;
    withoutTeams(parley);
    slack.fail("users.info", "internal_error");

    await alice.mention("C0GENERAL", "first").delivered;
    await idle();
    expect(agents.runs).toEqual([]);
    await until("a private message", () => seenOnlyBy("U0ALICE").join().includes("didn't say who you are."));
    expect(seenOnlyBy("U0ALICE").join()).toContain("Try again in a minute.");

    await alice.mention("C0GENERAL", "second").delivered;
    (await agents.run(0)).answer("They earn.");
    await idle();
  });

  it("is not known from a button's workspace, which is where the app is", async () => {
    const { slack, seen } = await openRoom();
    slack.fail("users.info", "user_not_visible");
    const message = slack.world.store({
      ...{ channel: "C0GENERAL", user: "U0BOT", bot_id: "B0BOT", text: "x" },
      blocks: [
        { type: "actions", elements: [{ type: "button", action_id: "stop", value: "1", text: { text: "Stop" } }] },
      ],
    });

    await slack.person("U0OTHER").click(message.ts, "Stop");

    expect(seen[0]?.actor).toMatchObject({ isExternal: true });
  });
});

/** An event as of an old app, or of a kind that says nothing of teams. */
function withoutTeams({ slack }: Parley): void {
  const { shown } = slack.world;
  slack.world.shown = (message) => {
    const { team: _team, user_team: _user, source_team: _source, user_profile: _profile, ...rest } = shown(message);
    return rest;
  };
}

describe("what Slack sends differently from its documentation", () => {
  it("is read where a field is null, as if it were not there", async () => {
    const { slack, seen } = await openRoom();
    const { shown } = slack.world;
    slack.world.shown = (message) => ({
      ...shown(message),
      ...{ thread_ts: null, subtype: null, bot_profile: null, files: null, attachments: null, channel_type: null },
      ...{ user_profile: null, user_team: null, edited: null, metadata: null },
    });

    await slack.person("U0ALICE").say("C0GENERAL", "hello").delivered;

    expect(seen).toEqual([expect.objectContaining({ kind: "message", text: "hello" })]);
    expect(seen[0]?.place).toEqual({ platform: "slack", workspace: "T0ACME", channel: "C0GENERAL" });
  });

  it("leaves one line per kind with the field that did not fit", async () => {
    const { slack, seen, log } = await openRoom();
    const { shown } = slack.world;
    slack.world.shown = (message) => ({ ...shown(message), user_profile: 7 });

    for (const words of ["one", "two"]) await slack.person("U0ALICE").say("C0GENERAL", words).delivered;

    expect(seen).toEqual([]);
    const lines = log.filter(({ level, message }) => level === "debug" && message.includes("not understood"));
    expect(lines.map(({ fields }) => fields)).toEqual([
      { kind: "message", path: "user_profile", problem: "invalid_type" },
    ]);
  });
});

describe("Parley's own messages", () => {
  it("are known by their user where they have no bot_id", async () => {
    const { slack, platform, seen } = await openRoom();
    const root = slack.person("U0ALICE").say("C0GENERAL", "a question");
    await root.delivered;
    const thread = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL", thread: root.ts };
    slack.world.store({
      ...{ channel: "C0GENERAL", user: "U0BOT", text: "an answer", blocks: [], thread_ts: root.ts },
      metadata: { event_type: "parley_reply", event_payload: { reply_id: "r1", part: 0 } },
    });

    expect((await platform.readThread(thread, { limit: 10 })).map(({ isOwn }) => isOwn)).toEqual([false, true]);
    expect(await platform.findOwn(thread, "r1", 0)).toEqual([
      { part: 0, generation: 0, messageId: expect.any(String) },
    ]);
    expect(seen.length).toBe(1);
  });
});

describe("a write that Slack could not carry out for now", () => {
  it.each(["update_failed", "external_channel_migrating"])("isn't a refusal (%s)", async (code) => {
    const { slack, platform } = await openRoom();
    const place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL" };
    const [payload] = platform.render({ tone: "info", blocks: [], actions: [], summary: "Words" });
    if (payload === undefined) throw new Error("nothing was drawn");
    const messageId = await platform.post(
      place,
      payload,
      { replyId: "r", part: 0, generation: 0 },
      { urgency: "final" },
    );
    slack.fail("chat.update", code);

    const edit = platform.edit({ place, messageId }, { ...payload, text: "Other words" }, { urgency: "final" });

    await expect(edit).rejects.toMatchObject({ code: "platform_unreachable" });
  });
});
