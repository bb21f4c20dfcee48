/** Who may give a command is decided from its name, before anything of it is parsed, on every way in. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Commands } from "../../../src/commands/contract.ts";
import { infoDocument } from "../../../src/presentation/drawing/notice.ts";
import { documentText } from "../../../src/presentation/markdown/plain-text.ts";
import { alice, thread } from "../../doubles/people.ts";
import { createHarness, type Event, type Harness } from "../harness.ts";

const stranger = { ...alice, id: "U9", isExternal: true };
const guest = { ...alice, id: "U8", isGuest: true };
const long = '"a '.repeat(1_000);

let parley: Harness;
let parsed: string[];
let number = 0;

beforeEach(async () => {
  parsed = [];
  const commands: Partial<Commands> = {
    named: (input) => {
      const text = input.kind === "typed" ? input.text : `/${input.path}`;
      if (text.startsWith("/ask")) return { role: "ask", asks: true };
      return { role: text.startsWith("/kb ingest") ? "ingest" : "ask" };
    },
    plan: (input) => {
      parsed.push("plan");
      const isAsk = input.kind === "typed" && input.text.startsWith("/ask");
      return isAsk
        ? { acknowledgement: { kind: "defer" }, role: "ask", question: { text: "How?" } }
        : { acknowledgement: { kind: "defer-private" }, role: "ask" };
    },
    run: async () => {
      parsed.push("run");
      return { kind: "document", document: infoDocument("Done.") };
    },
    spoken: () => {
      parsed.push("spoken");
      return undefined;
    },
    checkForm: async () => void parsed.push("check"),
    submitForm: async () => {
      parsed.push("submit");
      return { kind: "nothing" };
    },
    addressee: () => void parsed.push("addressee"),
    roleOfForm: () => "ingest",
  };
  parley = await createHarness({ commands, settings: { serves: ({ workspace }) => workspace === "T1" } });
});
afterEach(() => parley.stop());

function send(changes: Record<string, unknown>): Event {
  number += 1;
  const base = { eventKey: `memory/T1/long/${number}`, order: "1", attachments: [], conversation: thread };
  return parley.send({ ...base, ...changes });
}
const told = ({ sent }: Event) => sent.map(({ document }) => documentText(document)).join("\n");
const typed = (text: string) => ({ kind: "command", input: { kind: "typed", text } });
const structured = (path: string, options = {}) => ({ kind: "command", input: { kind: "structured", path, options } });
const form = { kind: "form", formId: "kb ingest", values: { urls: long }, context: "" };

describe("a stranger who may not even ask", () => {
  it.each([
    ["a question as a command", typed(`/ask ${long}`)],
    ["a command", typed(`/kb ingest ${long}`)],
    ["no command at all", typed(`/x ${long}`)],
    ["a command that the platform has parsed", structured("kb ingest", { urls: long })],
    ["a form", form],
  ])("is refused before it is parsed: %s", async (_what, event) => {
    const refused = send({ ...event, actor: stranger });
    await refused.done;

    expect(parsed).toEqual([]);
    expect(told(refused)).toContain("can't");
  });

  it.each([`/ask ${long}`, `/kb ingest ${long}`, `kb ingest ${long}`, "kb list", long])(
    "is refused before it is parsed, after a mention: %.12s",
    async (text) => {
      const refused = parley.say(text, { actor: stranger });
      await refused.done;

      expect(parsed).toEqual([]);
      expect(refused.sent).toHaveLength(1);
    },
  );

  it("in a workspace that isn't served isn't read either", async () => {
    const elsewhere = { place: { ...thread, workspace: "T9" }, conversation: { ...thread, workspace: "T9" } };
    await send({ ...typed(`/ask ${long}`), ...elsewhere }).done;
    await send({ ...form, ...elsewhere }).done;

    expect(parsed).toEqual([]);
  });
});

describe("a guest who may not add anything", () => {
  it.each([
    ["as a command", () => send({ ...typed(`/kb ingest ${long}`), actor: guest })],
    ["after a mention", () => parley.say(`/kb ingest ${long}`, { actor: guest })],
    ["as the platform has parsed it", () => send({ ...structured("kb ingest", { urls: long }), actor: guest })],
    ["in a form", () => send({ ...form, actor: guest })],
  ])("is refused before it is parsed: %s", async (_how, give) => {
    const refused = give();
    await refused.done;

    expect(parsed).toEqual([]);
    expect(told(refused)).toContain("can't");
  });
});

describe("one command too many", () => {
  it.each([
    ["as a command", () => send(typed(`/kb search ${long}`))],
    ["after a mention", () => parley.say(`/kb search ${long}`)],
  ])("isn't parsed: %s", async (_how, give) => {
    for (let index = 0; index < 30; index += 1) await give().done;
    parsed = [];
    const refused = give();
    await refused.done;

    expect(parsed).toEqual([]);
    expect(told(refused)).toContain("You've sent more than 30 commands in a minute.");
    expect(refused.acks).toHaveLength(1);
  });
});

describe("while the store is slow", () => {
  it("a command is acknowledged after a second, once, and runs when it has been counted", async () => {
    const { coordinator } = parley.state();
    const { takeToken } = coordinator;
    const waiting: (() => void)[] = [];
    vi.spyOn(coordinator, "takeToken").mockImplementation(async (...asked) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return takeToken(...asked);
    });
    const event = send(typed("/kb list"));
    await parley.settle(1_000);

    expect(event.acks).toEqual([{ kind: "defer-private" }]);
    expect(parsed).toEqual([]);
    for (const go of waiting) go();
    await event.done;
    expect(event.acks).toHaveLength(1);
    expect(told(event)).toBe("Done.");
  });
});
