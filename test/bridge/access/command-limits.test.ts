/** Limits of commands per person, and who gets which completions. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Completion } from "../../../src/core/document.ts";
import type { CompletionQuery } from "../../../src/core/ports/chat-platform.ts";
import { infoDocument } from "../../../src/presentation/drawing/notice.ts";
import { documentText } from "../../../src/presentation/markdown/plain-text.ts";
import { alice, general, thread } from "../../doubles/people.ts";
import { createHarness, type Event, type Harness } from "../harness.ts";

let parley: Harness;
let done: number;

beforeEach(async () => {
  done = 0;
  const result = async () => {
    done += 1;
    return { kind: "document", document: infoDocument("Done.") } as const;
  };
  parley = await createHarness({
    settings: { serves: ({ workspace }) => workspace === "T1" },
    commands: {
      plan: (input) =>
        input.kind === "typed" && input.text.startsWith("/ask")
          ? { acknowledgement: { kind: "defer" }, role: "ask", question: { text: input.text.slice(5) } }
          : { acknowledgement: { kind: "defer-private" }, role: "ask" },
      run: result,
      submitForm: result,
      pressAction: result,
      planAction: () => ({ acknowledgement: { kind: "defer-private" }, role: "ask" }),
      complete: async () => [{ value: "hr_secret", label: "hr_secret" }],
    },
  });
});
afterEach(() => parley.stop());

let number = 0;
function command(text: string, changes: Record<string, unknown> = {}): Event {
  number += 1;
  return parley.send({
    ...{ kind: "command", input: { kind: "typed", text }, eventKey: `memory/T1/command/${number}`, order: "1" },
    ...{ attachments: [], conversation: thread },
    ...changes,
  });
}
const told = ({ sent }: Event) => sent.map(({ document }) => documentText(document)).join("\n");

describe("commands", () => {
  it("are limited to 30 a minute per person; the next one gets a private note when to try again", async () => {
    for (let index = 0; index < 30; index += 1) await command("/kb search x").done;
    const tooMany = command("/kb search x");
    await tooMany.done;

    expect(done).toBe(30);
    expect(tooMany.sent).toMatchObject([{ visibility: "private" }]);
    expect(told(tooMany)).toContain("You've sent more than 30 commands in a minute.");
    expect(told(tooMany)).toContain("Try again in 2 seconds.");
    await parley.settle(2_000);
    await command("/kb search x").done;
    expect(done).toBe(31);
  });

  it("of one person don't affect anyone else, not even the same person in another workspace", async () => {
    for (let index = 0; index < 40; index += 1) await command("/kb search x").done;
    await command("/kb search x", { actor: { ...alice, id: "U2" } }).done;

    expect(done).toBe(31);
  });

  it("count together with the forms and buttons of commands, over all instances", async () => {
    const neighbour = parley.neighbour();
    const events = (index: number) => [
      { kind: "command", input: { kind: "typed", text: "/kb list" }, attachments: [] },
      { kind: "form", formId: "kb create", values: {}, context: "" },
      { kind: "action", action: "cancel-job", value: String(index) },
    ];
    for (let index = 0; index < 12; index += 1) {
      for (const [at, event] of events(index).entries()) {
        const to = index % 2 === 0 ? neighbour : parley.bridge();
        const key = `memory/T1/e/${index}-${at}`;
        await parley.send({ ...event, eventKey: key, order: "1", conversation: thread }, to).done;
      }
    }

    expect(done).toBe(30);
  });

  it.for(["csv", "chart", "table", "steps", "rest"])(
    "count together with the button that fetches something: %s",
    async (action) => {
      const files = () => parley.platform.files.length;
      await parley.say("How many?").done;
      const run = await parley.agents.run(0);
      const table = { columns: ["a", "b"], rows: Array.from({ length: 30 }, (_, row) => [String(row), "x"]) };
      run.send({ type: "answer", text: "These:", table });
      run.end();
      await parley.settle();
      const [turn] = await parley.state().turns.recent(1);
      for (let index = 0; index < 30; index += 1) await parley.press(action, turn?.id ?? "").done;
      const before = files();
      const tooMany = parley.press(action, turn?.id ?? "");
      await tooMany.done;

      expect(told(tooMany)).toContain("You've sent more than 30 commands in a minute.");
      expect(files()).toBe(before);
    },
  );

  it.for(["stop", "retry"])("leave the button alone: %s", async (action) => {
    for (let index = 0; index < 40; index += 1) await command("/kb search x").done;
    await parley.say("How many?").done;
    (await parley.agents.run(0)).answer("Two.");
    await parley.settle();
    const [turn] = await parley.state().turns.recent(1);
    const pressed = parley.press(action, turn?.id ?? "");
    await pressed.done;

    expect(told(pressed)).toBe("");
  });

  it("that come twice count once", async () => {
    for (let index = 0; index < 20; index += 1) {
      const eventKey = `memory/T1/twin/${index}`;
      await Promise.all([command("/kb search x", { eventKey }).done, command("/kb search x", { eventKey }).done]);
    }

    expect(done).toBe(20);
  });

  it("leave questions their own limit", async () => {
    for (let index = 0; index < 40; index += 1) await command("/kb search x").done;
    await command("/ask when?").done;

    expect((await parley.agents.run(0)).question).toBe("when?");
  });
});

describe("completion", () => {
  const kinds: readonly Completion[] = ["agent", "knowledge-base", "table", "command", "job"];
  const complete = async (completes: Completion, changes: Partial<CompletionQuery> = {}) =>
    (await parley.bridge().complete({ completes, typed: "", place: general, actor: alice, ...changes })).length;

  it.for(kinds)("says nothing where the workspace is not served: %s", async (kind) => {
    const place = { ...general, workspace: "T9" };
    expect(await complete(kind, { place, actor: { ...alice, isAdmin: true } })).toBe(0);
  });

  it.for(kinds)("says nothing to people of other organisations: %s", async (kind) => {
    expect(await complete(kind, { actor: { ...alice, isExternal: true } })).toBe(0);
  });

  it("of tables is for managers, of jobs for people who can add knowledge", async () => {
    const guest = { actor: { ...alice, isGuest: true } };
    const boss = { actor: { ...alice, isAdmin: true } };
    expect([await complete("table"), await complete("table", boss)]).toEqual([0, 1]);
    expect([await complete("job", guest), await complete("job")]).toEqual([0, 1]);
  });
});
