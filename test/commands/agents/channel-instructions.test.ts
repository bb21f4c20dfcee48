import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { alice, project } from "../../doubles/people.ts";
import { general, olderProfile, openRoom, type Room } from "../room.ts";

let room: Room;
const text = "Answer in French.\nBe brief.";

beforeEach(async () => {
  room = await openRoom();
  room.faults.profile = async () => olderProfile;
  await room.client.createAgent(project, { name: "sales" });
});

afterEach(() => room.close());

const save = (instructions: string) => room.submit("agent instructions", { instructions });

async function form(place = general) {
  const plan = room.commands.plan({ kind: "typed", text: "/agent instructions" });
  expect(plan.role).toBe("manage");
  const acknowledgement = await plan.acknowledgeIn?.({ actor: alice, place });
  return acknowledgement?.kind === "form" ? acknowledgement.form : undefined;
}

describe("/agent instructions", () => {
  it("opens a form with the channel's instructions, and saves what is entered", async () => {
    expect((await form())?.fields[0]?.initial).toBeUndefined();

    expect((await save(text)).text).toContain("the agent gets these instructions");

    expect((await room.bindings.own(general))?.instructions).toBe(text);
    expect((await form())?.fields[0]?.initial).toBe(text);
    expect((await form({ ...general, channel: "C2" }))?.fields[0]?.initial).toBeUndefined();
  });

  it("opens the same form with a button, where a message can't open one", async () => {
    await save(text);
    const { document } = await room.say("/agent instructions");
    const [button] = document.actions;

    const plan = room.commands.planAction(button?.id ?? "", button?.value ?? "");

    expect(await plan.acknowledgeIn?.({ actor: alice, place: general })).toMatchObject({
      form: { fields: [{ initial: text }] },
    });
  });

  it("removes them when the form is empty, and says when nothing changed", async () => {
    await save(text);
    expect((await save(text)).text).toContain("unchanged");

    expect((await save("")).text).toContain("no longer has instructions");
    expect((await save("")).text).toContain("This channel has no instructions.");
    expect((await room.say("/agent which")).text).not.toContain("nstructions");
  });

  it("accepts at most 2,000 characters", async () => {
    expect(await room.check("agent instructions", { instructions: "x".repeat(2_001) })).toEqual({
      instructions: "At most 2,000 characters.",
    });
    await expect(save("x".repeat(2_001))).rejects.toMatchObject({ code: "command_invalid" });
    await expect(room.submit("agent instructions", {})).rejects.toMatchObject({ code: "command_invalid" });
  });

  it("records that they changed, and only their length", async () => {
    await save(text);

    expect(await room.audit("agent instructions")).toMatchObject([{ role: "manage", about: { chars: "27" } }]);
    expect(JSON.stringify(await room.audit())).not.toContain("French");
  });

  it("are shown by /agent which to managers, and only mentioned to everyone else", async () => {
    await save(text);

    const shown = await room.say("/agent which");
    const mentioned = await room.say("/agent which", { actor: alice });

    expect(shown.text).toContain("Answer in French.");
    expect(shown.document.isForEveryone).toBeUndefined();
    expect(mentioned.text).toContain("The agent gets instructions before each question asked here.");
    expect(mentioned.text).not.toContain("French");
  });

  it("stay when the agent of the channel changes", async () => {
    await room.say("/agent use sales");
    await save(text);
    await room.say("/agent clear");

    expect((await room.bindings.own(general))?.instructions).toBe(text);
  });

  it("says that the built-in agent doesn't follow them", async () => {
    room.faults.profile = async () => ({ ...olderProfile, ignores: ["instructions"] });

    expect((await save(text)).text).toContain("it doesn't follow them");
  });
});
