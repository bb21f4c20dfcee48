/**
 * Commands and their forms in Slack, through everything that is real but the agents: completion, errors at the field,
 * and keys that nobody else ever sees.
 */
import { describe, expect, it } from "vitest";
import type { Agent, AgentDraft } from "../../../src/core/ports/agent-service.ts";
import { until } from "../../doubles/until.ts";
import type { View } from "../../fakes/slack/world.ts";
import { openParley, type Parley, textOf } from "./parley.ts";

const agent = (name: string): Agent => ({ name, project: "mindsdb", tables: [], knowledgeBases: [] });

function openView(person: Parley["alice"], title: string): Promise<View> {
  const find = () => {
    const view = person.view();
    return textOf(view?.["title"]) === title ? view : undefined;
  };
  return until("the message", () => find() !== undefined).then(() => find() as View);
}

describe("/agent use without a name", () => {
  it("completes the name in a form, and from then on that agent answers in the channel", async () => {
    const service = { listAgents: async () => [agent("sales"), agent("support"), agent("supply")] };
    const parley = await openParley({ service });
    const { slack, agents, alice, seenOnlyBy, shows } = parley;

    await alice.command("/agent", "use", "C0GENERAL");
    const view = await openView(alice, "Choose an agent");
    const completed = await alice.suggest(view, "name", "sup");
    const options = completed.answer?.["options"] as readonly { readonly value: string }[];
    expect(options.map(({ value }) => value)).toEqual(["supply", "support"]);
    await alice.submit(view, { name: { selected_option: { value: "support" } } });
    await until("a private message", () => seenOnlyBy("U0ALICE").some((text) => text.includes("support")));

    const asked = alice.mention("C0GENERAL", "who is on call?");
    const run = await agents.run(0);
    run.answer("Hello.");
    await shows(asked.ts, "Hello.");
    expect(run.agent).toBe("support");
    expect(slack.violations).toEqual([]);
  });

  it("keeps the other text", async () => {
    const parley = await openParley();
    const { agents, alice, seenOnlyBy } = parley;
    agents.set({ agents: ["sales", "support"] });

    await alice.command("/agent", "use scope workspace", "C0GENERAL");
    const view = await openView(alice, "Choose an agent");
    expect(view.blocks.map((block) => block["block_id"])).toEqual(["name"]);
    await alice.submit(view, { name: { selected_option: { value: "support" } } });
    await until("a private message", () => seenOnlyBy("U0ALICE").length > 0);

    expect(seenOnlyBy("U0ALICE").at(-1)).toContain("the default for channels without their own agent");
  });

  it("is refused, with the reason, to people who can't manage", async () => {
    const { bob, seenOnlyBy } = await openParley();

    await bob.command("/agent", "use", "C0GENERAL");
    await until("a private message", () => seenOnlyBy("U0BOB").length > 0);

    expect(bob.view()).toBeUndefined();
    expect(seenOnlyBy("U0BOB").at(-1)).toContain("admin");
  });
});

describe("/agent create", () => {
  const key = "sk-live-0123456789";
  const field = (value: string) => ({ value });
  const chosen = (...values: readonly string[]) => ({ selected_options: values.map((value) => ({ value })) });

  async function openForm(bases = ["docs", "pricing"]) {
    const made: AgentDraft[] = [];
    const knowledgeBases = bases.map((name) => ({ name, project: "mindsdb" }));
    const parley = await openParley({
      service: {
        listKnowledgeBases: async () => knowledgeBases as never,
        createAgent: async (_project, draft) => {
          made.push(draft);
          return { ...agent(draft.name), knowledgeBases: draft.knowledgeBases ?? [] };
        },
      },
    });
    await parley.alice.command("/agent", "create", "C0GENERAL");
    return { ...parley, made, view: await openView(parley.alice, "New agent") };
  }

  it("shows an error at its field, keeps the values, and accepts the second attempt", async () => {
    const { slack, alice, made, view, seenOnlyBy, agents } = await openForm();

    const refused = await alice.submit(view, { name: field("Sales Team"), key: field(key) });
    expect(refused.answer).toMatchObject({ response_action: "errors" });
    expect(Object.keys(refused.answer?.["errors"] as object)).toEqual(["name"]);
    expect(made).toEqual([]);

    const taken = await alice.submit(view, {
      name: field("sales_team"),
      provider: field("openai"),
      model: field("gpt-x"),
      key: field(key),
      knowledgeBases: chosen("docs"),
    });
    expect(taken.answer ?? {}).toEqual({});
    // Once made, it is tried with a question.
    void agents.run(0).then((trial) => trial.answer("I am here."));
    await until("a private message", () => seenOnlyBy("U0ALICE").some((text) => text.includes("sales_team")));

    expect(made).toMatchObject([
      {
        name: "sales_team",
        model: { provider: "openai", name: "gpt-x", apiKey: key },
        knowledgeBases: ["mindsdb.docs"],
      },
    ]);
    expect(slack.violations).toEqual([]);
  });

  it("never shows the key anywhere, and never sends it back to Slack", async () => {
    const { slack, alice, view, agents, seenOnlyBy } = await openForm();

    await alice.submit(view, { name: field("Bad Name"), key: field(key) });
    await alice.submit(view, { name: field("sales"), key: field(key) });
    void agents.run(0).then((trial) => trial.answer("I am here."));
    await until("a private message", () => seenOnlyBy("U0ALICE").some((text) => text.includes("sales")));

    const said = JSON.stringify([slack.calls, slack.responses, slack.deliveries.all.map(({ answer }) => answer)]);
    expect(said).not.toContain(key);
  });

  it("shows few knowledge bases at once, and accepts names beside them", async () => {
    const { alice, made, view, agents } = await openForm();

    await alice.submit(view, {
      name: field("sales"),
      knowledgeBases: chosen("docs"),
      "knowledgeBases+": field("pricing"),
    });
    void agents.run(0).then((trial) => trial.answer("I am here."));

    await until("an agent", () => made.length > 0);
    expect(made).toMatchObject([{ name: "sales", knowledgeBases: ["mindsdb.docs", "mindsdb.pricing"] }]);
  });

  it("completes many knowledge bases in its form, and accepts names that aren't in the list", async () => {
    const others = Array.from({ length: 10 }, (_, index) => `base_${index}`);
    const { alice, view } = await openForm(["docs", "pricing", ...others]);

    const some = await alice.suggest(view, "knowledgeBases", "pri");
    const own = await alice.suggest(view, "knowledgeBases", "other.notes");

    expect(JSON.stringify(some.answer)).toContain("pricing");
    expect(JSON.stringify(some.answer)).not.toContain("docs");
    expect(JSON.stringify(own.answer)).toContain("other.notes");
    expect(Math.max(some.ackMs ?? 0, own.ackMs ?? 0)).toBeLessThan(3_000);
  });
});

describe("in a thread, where Slack has no slash commands", () => {
  it("does the same after a mention", async () => {
    const { agents, alice, seenOnlyBy, shows } = await openParley();
    const asked = alice.mention("C0GENERAL", "who is on call?");
    (await agents.run(0)).answer("Hello.");
    await shows(asked.ts, "Hello.");

    alice.mention("C0GENERAL", "/agent which", { thread: asked.ts });
    await until("a private message", () => seenOnlyBy("U0ALICE").some((text) => text.includes("guide")));

    expect(agents.runs.length).toBe(1);
  });

  it("opens a form by a button that one person sees", async () => {
    const { slack, agents, alice, shows } = await openParley();
    const asked = alice.mention("C0GENERAL", "who is on call?");
    (await agents.run(0)).answer("Hello.");
    await shows(asked.ts, "Hello.");

    alice.mention("C0GENERAL", "/agent create", { thread: asked.ts });
    const offer = () => [...slack.world.messages.values()].find((one) => one.visibleTo === "U0ALICE");
    await until("the offer of agents", () => offer() !== undefined);
    await alice.click(offer()?.ts ?? "", "New agent");

    await openView(alice, "New agent");
  });
});

describe("a command after a mention that cannot be done", () => {
  it.each([
    ["/agent create", "You can't manage"],
    ["/ask", "What would you like to know?"],
  ])("is answered once: %s", async (command, told) => {
    const { slack, bob, seenOnlyBy } = await openParley();

    await bob.mention("C0GENERAL", command).delivered;
    await until("a private message", () => seenOnlyBy("U0BOB").length > 0);
    await bob.mention("C0GENERAL", "/parley help").delivered;
    await until("a private message", () => seenOnlyBy("U0BOB").some((text) => text.includes("What you can do here")));

    expect(seenOnlyBy("U0BOB").filter((text) => text.includes(told))).toHaveLength(1);
    expect(slack.violations).toEqual([]);
  });
});

describe("commands with a prefix", () => {
  it("are named with it in answers and in private refusals", async () => {
    const { agents, alice, bob, seenOnlyBy, shows } = await openParley({ commandPrefix: "acme-" });
    agents.set({ agents: [] });

    const asked = alice.mention("C0GENERAL", "who is on call?");
    await shows(asked.ts, "Create one with /acme-agent create.");

    await bob.command("/acme-agent", "use", "C0GENERAL");
    await until("a refusal", () => seenOnlyBy("U0BOB").some((text) => text.includes("with /acme-parley roles.")));
  });

  it("are repeated as they were typed", async () => {
    const { alice, seenOnlyBy } = await openParley({ commandPrefix: "acme-" });

    await alice.command("/agent", "list", "C0GENERAL");
    await until("a refusal", () => seenOnlyBy("U0ALICE").length > 0);

    expect(seenOnlyBy("U0ALICE").at(-1)).toMatch(/no command \/agent list .*Did you mean \/acme-agent list /);
  });
});
