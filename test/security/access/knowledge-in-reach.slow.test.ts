/** Knowledge bases are searched, fed, listed and completed as far as the agents that a person can ask there use them. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandContext } from "../../../src/core/commands.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Actor } from "../../../src/core/model/place.ts";
import { errorText } from "../../../src/presentation/sentences.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { admin, general, project } from "../../doubles/people.ts";
import { openRoom, type Room } from "../../knowledge/room.ts";

const member: Actor = { ...admin, id: "U2", name: "Mia", isAdmin: false };
const guest: Actor = { ...member, id: "U3", name: "Gus", isGuest: true };
const salesRoom = { ...general, channel: "sales-room" };

let room: Room;

/** `support` answers in general and knows docs; `sales` in its own room knows deals; `guide`, bound nowhere, knows help. */
beforeEach(async () => {
  room = await openRoom();
  for (const name of ["docs", "deals", "help", "payroll"]) await room.makeBase(name);
  const agent = (name: string, knowledgeBases: readonly string[], promptTemplate = `You are ${name}.`) =>
    room.client.createAgent(project, { name, knowledgeBases, promptTemplate });
  await agent("support", ["docs"]);
  await agent("sales", ["deals"]);
  await agent("guide", ["help"]);
  await room.parts().bindings.setChannel(general, { project, agent: "support" });
  await room.parts().bindings.setChannel(salesRoom, { project, agent: "sales" });
  await room.parts().names.refresh();
});
afterEach(() => room.close());

const by = (actor: Actor, place = general): Partial<CommandContext> => ({ actor, place });
/** What is thrown is told to the person by the bridge. */
async function said(text: string, changes: Partial<CommandContext>): Promise<string> {
  try {
    return (await room.say(text, changes)).text;
  } catch (failure) {
    if (failure instanceof ParleyError) return Object.values(errorText(failure)).join(" ");
    throw failure;
  }
}

describe("/kb search", () => {
  it.for([
    ["docs", "of the channel's agent", member, "Nothing found in docs"],
    ["help", "of an agent that is bound nowhere", member, "Nothing found in help"],
    ["deals", "of an agent in another channel", member, "no knowledge base called deals that you can reach here"],
    ["payroll", "of no agent", member, "no knowledge base called payroll that you can reach here"],
    ["nonsense", "that there is not", member, "no knowledge base called nonsense that you can reach here"],
    ["DEALS", "in other letters", member, "no knowledge base called DEALS that you can reach here"],
    ["`deals`", "in backticks", member, "that you can reach here"],
    ["mindsdb.deals", "with its project", member, "that you can reach here"],
    ["shop.docs", "of another project", member, "no knowledge base called shop.docs that you can reach here"],
    ["Mindsdb.docs", "of a project in other letters", member, "that you can reach here"],
    ["docs", "of the channel's agent, by a guest", guest, "Nothing found in docs"],
    ["help", "of an agent that a guest cannot name", guest, "no knowledge base called help that you can reach here"],
    ["payroll", "of no agent, by somebody who manages", admin, "Nothing found in payroll"],
  ] as const)("in %s, %s", async ([base, , actor, expected]) => {
    expect(await said(`/kb search refunds in:${base}`, by(actor))).toContain(expected);
  });

  it("searches nothing that was refused, whatever the service has", async () => {
    const searched: string[] = [];
    room.faults.search = async (inProject, base) => {
      searched.push(`${inProject}.${base}`);
      return [];
    };
    for (const base of ["deals", "shop.docs", "mindsdb.payroll", "`deals`"]) {
      await said(`/kb search refunds in:${base}`, by(member));
    }
    await said("/kb search refunds", by(guest));

    expect(searched).toEqual(["mindsdb.docs"]);
  });

  it("reaches a whole project through an agent that is connected to the whole project", async () => {
    await room.client.createAgent(project, { name: "oracle", knowledgeBases: [`${project}.*`] });
    await room.parts().names.refresh();

    expect(await said("/kb search refunds in:payroll", by(member))).toContain("Nothing found in payroll");
    expect(await said("/kb search refunds in:payroll", by(guest))).toContain("that you can reach here");
  });

  it("reaches what was chosen for the channel, there alone", async () => {
    await room.parts().bindings.setChannel(general, { knowledgeBase: "payroll" });

    expect(await said("/kb search refunds", by(guest))).toContain("Nothing found in payroll");
    expect(await said("/kb search refunds in:payroll", by(member))).toContain("Nothing found in payroll");
    expect(await said("/kb search refunds in:payroll", by(member, salesRoom))).toContain("that you can reach here");
  });

  it("still reaches what the person added to, and reaches it for nobody else", async () => {
    await room.say("/kb add Big deal into:deals", by(member, salesRoom));
    await room.over();

    expect(await said("/kb search deal in:deals", by(member))).toContain("1 passage in deals");
    expect(await said("/kb search deal in:deals", by({ ...member, id: "U9" }))).toContain("that you can reach here");
    await room.restart();
    await room.parts().names.refresh();
    expect(await said("/kb search deal in:deals", by(member))).toContain("1 passage in deals");
  });

  it("checks again where someone who no longer manages created a base", async () => {
    await room.submit("kb create", { name: "mine", embedding: "", reranking: "", key: "" }, "");
    await room.parts().names.refresh();

    expect(await said("/kb search x in:mine", by({ ...admin, isAdmin: false }))).toContain("Nothing found in mine");
    expect(await said("/kb search x in:mine", by(member))).toContain("that you can reach here");
  });
});

describe("where nothing is named", () => {
  it("uses no other base instead of one that is out of reach", async () => {
    await room.client.updateAgent(project, "support", { knowledgeBases: ["shop.docs"] });
    await room.parts().names.refresh();

    expect(await said("/kb add Refunds take five days.", by(member))).toContain(
      "no knowledge base that you can reach here",
    );
    expect(await said("/kb search refunds", by(member))).toContain("no knowledge base that you can reach here");
  });

  it("ignores what someone chose in a direct message while they managed", async () => {
    const direct = { ...general, channel: "direct-U2" };
    await room.parts().bindings.setChannel(direct, { knowledgeBase: "payroll" });

    expect(await said("/kb search refunds", by(member, direct))).toContain("no knowledge base that you can reach here");
    expect(await said("/kb search refunds in:payroll", by(member, direct))).toContain("that you can reach here");
    expect(await said("/kb search refunds", by(admin, direct))).toContain("Nothing found in payroll");
  });
});

describe("adding", () => {
  it.for([
    ["deals", member, false],
    ["payroll", member, false],
    ["shop.docs", member, false],
    ["nonsense", member, false],
    ["help", member, true],
    ["deals", admin, true],
  ] as const)("into %s", async ([base, actor, isDone]) => {
    const text = await said(`/kb add Refunds take five days. into:${base}`, by(actor));
    expect(text.includes("that you can reach here")).toBe(!isDone);
    expect((await room.parts().knowledge.jobs.recent(general, 10)).length).toBe(isDone ? 1 : 0);
    if (isDone) await room.over();
  });

  it("web pages also stays within that limit", async () => {
    expect(await said("/kb ingest http://127.0.0.1:9/ into deals", by(member))).toContain("that you can reach here");
  });

  it("by the form of Save offers what is within reach, and checks what comes back", async () => {
    const about = { place: general, messageId: "1", authorName: "Bob", text: "Big deal" };
    const context = room.context({ actor: member });
    const opened = await room.parts().saving.openForm(about, context);
    if (opened.kind !== "form") throw new Error("No form");
    const into = opened.form.fields.find(({ name }) => name === "into");
    expect(into?.type === "select" ? into.choices.map(({ value }) => value) : []).toEqual(["docs", "help"]);

    const values = { title: "Deal", into: "deals", scope: "message" };
    const result = await room.parts().commands.submitForm("kb save", values, opened.form.context, context);
    expect((await room.end(result)).text).toContain("that you can reach here");
  });

  it("doesn't continue with Try again on a job into a base that is now out of reach", async () => {
    room.faults.insert = async () => {
      throw new ParleyError("insert_failed");
    };
    await room.say("/kb add Big deal into:deals", by(admin));
    const job = await room.over();

    const pressed = await room.press("retry-job", job.id, by(member));
    expect(pressed.text).toContain("that you can reach here");
  });
});

describe("lists and completion", () => {
  const complete = async (completes: "agent" | "knowledge-base" | "table", actor: Actor, place = general) =>
    (await room.parts().commands.complete({ completes, typed: "", place, actor })).map(({ value }) => value).sort();

  it("of knowledge bases", async () => {
    expect(await said("/kb list", by(member))).toContain("2 knowledge bases");
    expect(await said("/kb list", by(guest))).not.toContain("help");
    expect(await said("/kb list", by(admin))).toContain("payroll");
    expect(await complete("knowledge-base", member)).toEqual(["docs", "help"]);
    expect(await complete("knowledge-base", member, salesRoom)).toEqual(["deals", "help"]);
    expect(await complete("knowledge-base", guest)).toEqual(["docs"]);
    expect(await complete("knowledge-base", admin)).toEqual(["deals", "docs", "help", "payroll"]);
  });

  it("of agents", async () => {
    expect(await said("/agent list", by(member))).not.toContain("sales");
    expect(await said("/agent list", by(member))).toContain("guide");
    expect(await said("/agent list", by(guest))).toContain("1 agent");
    expect(await said("/agent list", by(admin))).toContain("sales");
    expect(await complete("agent", member)).toEqual(["guide", "support"]);
    expect(await complete("agent", guest)).toEqual(["support"]);
    expect(await complete("agent", admin)).toEqual(["guide", "sales", "support"]);
  });

  it("of tables, for managers only", async () => {
    room.faults.listDataSources = async () => ["warehouse"];
    await room.parts().names.refresh();
    expect(await complete("table", member)).toEqual([]);
    expect(await complete("table", admin)).toEqual(["warehouse.*"]);
  });
});

describe("/agent show", () => {
  it("shows an agent's instructions and channels to managers only", async () => {
    expect(await said("/agent show support", by(admin))).toContain("You are support.");
    expect(await said("/agent show support", by(admin))).toContain("Channels");
    const seen = await said("/agent show support", by(member));
    expect(seen).toContain("docs");
    expect(seen).not.toContain("You are support.");
    expect(seen).not.toContain("Channels");
    expect(await said("/agent show", by(guest))).not.toContain("You are support.");
  });

  it("says the same of an agent out of reach as of none, and suggests none out of reach", async () => {
    const there = await said("/agent show sales", by(member));
    const none = await said("/agent show zebra", by(member));
    expect(there.replace("sales", "X")).toBe(none.replace("zebra", "X"));
    expect(await said("/agent show sale", by(member))).not.toContain("Did you mean");
    expect(await said("/agent show guidee", by(member))).toContain("guide");
  });
});

describe("the lists that decide", () => {
  it("are at most a minute old: when the service is down and the facts are older, everything is refused with the reason", async () => {
    await room.close();
    const clock = createFakeClock();
    room = await openRoom({ clock });
    await room.makeBase("docs");
    await room.client.createAgent(project, { name: "support", knowledgeBases: ["docs"] });
    await room.parts().bindings.setChannel(general, { project, agent: "support" });
    await room.parts().names.refresh();
    room.faults.search = async () => [];
    const away = async () => {
      throw new ParleyError("service_unreachable");
    };
    Object.assign(room.faults, { listAgents: away, listKnowledgeBases: away });

    await clock.advance(59_000);
    expect(await said("/kb search refunds in:docs", by(member))).toContain("Nothing found in docs");
    await clock.advance(2_000);
    expect(await said("/kb search refunds in:docs", by(member))).toContain("The agent service can't be reached.");
    expect(await said("/kb add More into:docs", by(member))).toContain("The agent service can't be reached.");
  });
});
