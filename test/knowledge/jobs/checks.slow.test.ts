/** `/agent check` as a durable Job: progress, Cancel, a killed process, an outage, two hundred questions. */
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { type AskCheck, maxChecks } from "../../../src/core/content/checks.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import { article, startSite } from "../../doubles/network/site.ts";
import { admin, bob, general, project } from "../../doubles/people.ts";
import { until } from "../../doubles/until.ts";
import { createGate, openRoom, type Room } from "../room.ts";

let room: Room;
let asked: string[];

afterEach(() => room.close());

const held: AskCheck = async () => ({ checked: { result: "held" } });

async function open(count: number, ask: AskCheck = held, total = count): Promise<void> {
  asked = [];
  const ids = Array.from({ length: count }, (_, index) => `g${index}`);
  room = await openRoom({
    checks: {
      of: async ({ agent }) => (agent.name === "support" ? ids : []),
      total: async () => total,
      ask: async (gapId, job, signal) => {
        asked.push(gapId);
        return ask(gapId, job, signal);
      },
    },
  });
  for (const name of ["support", "hr"]) await room.client.createAgent(project, { name });
  await room.parts().names.refresh();
}

const last = () => String(room.shown().at(-1));

describe("/agent check", () => {
  it("asks each question once, shows the result in the channel, and is in the audit log", async () => {
    await open(3, async (gapId) =>
      gapId === "g1"
        ? { checked: { result: "no-source", before: { result: "held", atMs: 1 } }, title: "Who has the keys?" }
        : { checked: { result: "held" } },
    );

    const { text } = await room.say("/agent check support");
    await room.over();

    expect(text).toContain("Asking 3 questions of support again.");
    expect(asked).toEqual(["g0", "g1", "g2"]);
    expect(last()).toContain("2 of 3 still answered from the right source · support");
    expect(last()).toContain("Who has the keys?");
    expect(await room.audit("agent check")).toMatchObject([{ role: "manage", about: { agent: `${project}.support` } }]);
    expect((await room.say("/kb jobs")).text).toContain("3 checks of support");
  });

  it("says how many it leaves out when there are more than one check can ask", async () => {
    const gate = createGate();
    const waits: AskCheck = async () => {
      await gate.wait();
      return { checked: { result: "held" } };
    };
    await open(maxChecks, waits, 10_000);

    const { text } = await room.say("/agent check support");

    expect(text).toContain("Asking 500 questions of support again.");
    expect(text).toContain("There are 10,000");
    gate.open();
  });

  it("says so when there is nothing to check, and when a check of that agent runs already", async () => {
    const gate = createGate();
    await open(2, async () => {
      await gate.wait();
      return { checked: { result: "held" } };
    });

    expect((await room.say("/agent check hr")).text).toContain("There is nothing to check yet");
    await room.say("/agent check support");
    await gate.arrived;
    expect((await room.press("run-checks", "support")).text).toContain("already running");
    gate.open();
    await room.over();
    expect(asked).toEqual(["g0", "g1"]);
    expect((await room.press("run-checks", "support")).text).toContain("Asking 2 questions");
    await room.over();
  });

  it("continues after its process was killed in the middle, and asks nothing twice that was stored", async () => {
    const gate = createGate();
    let isDead = false;
    await open(4, async (gapId) => {
      if (gapId === "g2" && !isDead) await gate.wait();
      return { checked: { result: "held" } };
    });
    await room.say("/agent check support");
    await gate.arrived;
    await until("two are stored", async () => {
      const { items } = await room.newest();
      return items.filter(({ state }) => state === "done").length === 2;
    });

    isDead = true;
    await room.restart();
    await room.over();

    expect(asked).toEqual(["g0", "g1", "g2", "g2", "g3"]);
    expect(last()).toContain("4 of 4 still answered");
    expect(room.shown()).toHaveLength(1);
  });

  it("ends when it is cancelled, and asks the rest on request of a manager only", async () => {
    const gate = createGate();
    await open(3, async (gapId) => {
      if (gapId === "g1") await gate.wait();
      return { checked: { result: "held" } };
    });
    await room.say("/agent check support");
    await gate.arrived;

    const { id } = await room.newest();
    await room.press("cancel-job", id);
    await room.over();
    expect(last()).toContain("Cancelled: 1 of 1 still answered");
    gate.open();

    await expect(room.press("retry-job", id, { ...room.context({ actor: bob }) })).rejects.toThrow("Only managers");
    await room.press("retry-job", id);
    await room.over();
    expect(last()).toContain("3 of 3 still answered");
  });

  it("waits while the agent service is away, and then continues", async () => {
    let isAway = true;
    await open(2, async () => {
      if (isAway) throw new ParleyError("service_unreachable");
      return { checked: { result: "held" } };
    });
    room.faults.status = async () => {
      if (isAway) throw new ParleyError("service_unreachable");
      return room.client.status();
    };
    await room.say("/agent check support");
    await until("it waits", () => last().includes("The agent service is unreachable"));
    isAway = false;
    await room.over();
    expect(last()).toContain("2 of 2 still answered");
  });

  it("asks two hundred questions in one message, one at a time", async () => {
    let most = 0;
    let now = 0;
    await open(200, async () => {
      now += 1;
      most = Math.max(most, now);
      await Promise.resolve();
      now -= 1;
      return { checked: { result: "no-source" } };
    });
    await room.say("/agent check support");
    await room.over();
    expect(asked).toHaveLength(200);
    expect(most).toBe(1);
    expect(last()).toContain("0 of 200 still answered");
    expect(last()).toContain("+200 more that can't be shown here");
    expect(room.shown()).toHaveLength(1);
  });

  it("tells the result to the person alone where others can't use that agent", async () => {
    await open(1);
    const elsewhere = { ...general, channel: "C9" };
    await room.say("/agent use support", { place: elsewhere });
    const { text } = await room.say("/agent check support");
    await room.over();
    expect(text).toContain("direct message");
    expect(room.shown()).toEqual([]);
    expect((await room.say("/kb jobs", { actor: bob })).text).not.toContain("support");
  });
});

describe("the line below what was changed", () => {
  it("offers to run the checks, to people who manage", async () => {
    await open(12);
    await room.makeBase("docs");
    await room.client.updateAgent(project, "support", { knowledgeBases: ["docs"] });
    await room.parts().names.refresh();
    await room.say("/kb add docs The office is open until six.");
    await room.over();
    const { documents } = await room.parts().knowledge.ledger.page({ project, name: "docs" }, 0, 1);

    const { document, text } = await room.press("confirm", `kb-remove docs ${documents[0]?.id}`);

    expect(text).toContain("12 checks: run them?");
    expect(document.actions).toMatchObject([{ id: "run-checks", label: "Run checks", value: "support" }]);
  });

  it("is shown under an edited agent, and not for one without answered questions", async () => {
    await open(2);
    const edited = async (name: string) => {
      const plan = room.parts().commands.planAction("open-form", `agent edit ${name}`);
      const acknowledgement = (await plan.acknowledgeIn?.({ actor: admin, place: general })) ?? plan.acknowledgement;
      if (acknowledgement.kind !== "form") throw new Error(`No form but ${acknowledgement.kind}`);
      const { form } = acknowledgement;
      const filled = form.fields.flatMap(({ name: field, initial }) =>
        initial === undefined ? [] : [[field, initial]],
      );
      const values = { ...Object.fromEntries(filled), instructions: "Be brief." };
      return room.submit("agent edit", values, form.context);
    };

    const { document, text } = await edited("support");

    expect(text).toContain("2 checks: run them?");
    expect(document.actions.some(({ id, value }) => id === "run-checks" && value === "support")).toBe(true);
    expect((await edited("hr")).text).not.toContain("run them");
  });

  it("is shown under a refresh that has changed something, for everyone there", async () => {
    const site = await startSite({ "/a": article("Refunds", "Refunds take five days.") });
    onTestFinished(site.close);
    await open(3);
    await room.makeBase("docs");
    await room.client.updateAgent(project, "support", { knowledgeBases: ["docs"] });
    await room.parts().names.refresh();
    await room.say(`/kb ingest ${site.url}/a into docs by parley`);
    await room.over();

    await room.say("/kb refresh docs");
    await room.over();
    expect(last()).toContain("1 unchanged");
    expect(last()).not.toContain("run them");

    site.set("/a", article("Refunds", "Refunds take ten days."));
    await room.say("/kb refresh docs");
    await room.over();
    expect(last()).toContain("1 updated");
    expect(last()).toContain("3 checks: run them?");
    expect(JSON.stringify(room.platform.thread(general).at(-1)?.payload)).toContain("Run checks");
  });
});
