import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { allCommands } from "../../src/commands/all-commands.ts";
import { parleyHelp } from "../../src/commands/parley/help.ts";
import type { CommandInput } from "../../src/core/ports/chat-platform.ts";
import { admin, project } from "../doubles/people.ts";
import { general, openRoom, type Room } from "./room.ts";

let room: Room;

beforeEach(async () => {
  room = await openRoom();
});

afterEach(async () => {
  await room.close();
});

const typed = (text: string): CommandInput => ({ kind: "typed", text });

describe("what is known about a command before it runs", () => {
  it("is its question, for /ask", () => {
    expect(room.commands.plan(typed("/ask how many? agent:sales"))).toEqual({
      acknowledgement: { kind: "defer" },
      role: "ask",
      question: { text: "how many?", agent: "sales" },
    });
  });

  it("is an empty question when there are no words, since a file may be attached", () => {
    expect(room.commands.plan(typed("/ask")).question).toEqual({ text: "" });
  });

  it("is its role, which an option can raise", () => {
    expect(room.commands.plan(typed("/agent use sales")).role).toBe("manage");
    expect(room.commands.plan(typed("/parley mode")).role).toBe("ask");
    expect(room.commands.plan(typed("/parley mode channel")).role).toBe("manage");
  });

  it("is a private answer when it cannot be understood", async () => {
    const plan = room.commands.plan(typed("/agnt use sales"));
    const { text, document } = await room.say("/agnt use sales");

    expect(plan).toEqual({ acknowledgement: { kind: "defer-private" }, role: "ask" });
    expect(text).toBe("There is no command /agnt use.\nDid you mean /agent use?");
    expect(document.tone).toBe("failed");
  });

  it("asks nothing of the service", async () => {
    await room.names.refresh();
    room.calls.length = 0;

    for (const { examples } of allCommands) for (const example of examples) room.commands.plan(typed(`/${example}`));

    expect(room.calls).toEqual([]);
  });
});

describe("a prefix", () => {
  it("is part of every command that is named", async () => {
    const other = await openRoom({ prefix: "acme-" });

    expect((await other.say("/acme-agent which")).text).toContain("/acme-agent create");
    expect((await other.say("/agent which")).text).toContain("Did you mean /acme-agent which?");
    expect((await other.say("/acme-parley help")).text).toMatch(/\/acme-kb .*list/);
    await other.close();
  });
});

describe("commands of other rooms", () => {
  const jobs = {
    path: "kb jobs",
    summary: "What is being added",
    options: [],
    role: "ingest",
    examples: ["kb jobs"],
  } as const;

  it("work like the others, with their buttons and completion", async () => {
    const nothing = { kind: "nothing" } as const;
    const pressed: string[] = [];
    const press = async (value: string) => {
      pressed.push(value);
      return nothing;
    };
    const other = await openRoom({
      given: [
        parleyHelp,
        {
          ...jobs,
          run: async () => nothing,
          actions: { "cancel-job": { role: "ingest", press: async (_app, value) => press(value) } },
          completions: { job: async () => [{ value: "j1", label: "j1" }] },
        },
      ],
    });

    expect(other.commands.plan(typed("/kb jobs")).role).toBe("ingest");
    expect((await other.say("/parley help kb")).text).toContain("/kb jobs");
    await other.commands.pressAction("cancel-job", "j1", other.context());
    expect(pressed).toEqual(["j1"]);
    expect(other.commands.planAction("cancel-job", "j1").role).toBe("ingest");
    expect(await other.commands.complete({ completes: "job", typed: "", place: general, actor: admin })).toHaveLength(
      1,
    );
    await other.close();
  });
});

describe("a message that begins with an agent's name", () => {
  beforeEach(async () => {
    for (const name of ["sales", "sales_eu", "guide"]) await room.client.createAgent(project, { name });
    await room.names.refresh();
  });

  it.each([
    ["sales, how many?", { agent: "sales", text: "how many?" }],
    ["Sales: how many?", { agent: "sales", text: "how many?" }],
    ["sales_eu how many?", { agent: "sales_eu", text: "sales_eu how many?" }],
    ["guide me through it", { agent: "guide", text: "guide me through it" }],
    ["salesforce is what?", undefined],
    ["sales", undefined],
    ["how many, sales?", undefined],
  ])("is read: %s", (text, expected) => {
    expect(room.commands.addressee(text)).toEqual(expected);
  });
});

describe("buttons and names", () => {
  it("that don't exist get an answer", async () => {
    await expect(room.press("confirm", "no-such 1")).rejects.toMatchObject({ code: "unknown_command" });
    expect(room.commands.planAction("confirm", "no-such 1").acknowledgement).toEqual({ kind: "defer-private" });
  });

  it("of commands are completed with and without the slash", async () => {
    const complete = (text: string) =>
      room.commands.complete({ completes: "command", typed: text, place: general, actor: admin });

    expect((await complete("/agent u"))[0]?.value).toBe("agent use");
    expect((await complete("kb"))[0]?.value).toBe("kb");
  });
});
