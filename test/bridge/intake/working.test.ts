/** The working message of a slow command. */
import { afterEach, describe, expect, it } from "vitest";
import type { CommandResult } from "../../../src/core/commands.ts";
import { infoDocument } from "../../../src/presentation/drawing/notice.ts";
import { thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
afterEach(() => parley.stop());

const shown = (text: string): CommandResult => ({
  kind: "document",
  document: infoDocument(text),
});

async function run(result: Promise<CommandResult>) {
  const document = infoDocument("Making it");
  parley = await createHarness({
    commands: { run: async () => ({ kind: "working", document, result }) },
  });
  const event = parley.send({
    ...{ kind: "command", eventKey: "memory/T1/command/1", order: "1", attachments: [], conversation: thread },
    input: { kind: "typed", text: "/agent create" },
  });
  return { ...event, said: () => event.sent.map(({ document: { summary } }) => summary) };
}

describe("a command that works for a while", () => {
  it("shows only its result when that is immediate", async () => {
    const event = await run(Promise.resolve(shown("Made")));
    await event.done;
    await parley.settle(60_000);

    expect(event.said()).toEqual(["Made"]);
  });

  it("shows after a second that it works, and then its end", async () => {
    let end: (result: CommandResult) => void = () => {};
    const event = await run(
      new Promise((resolve) => {
        end = resolve;
      }),
    );
    await parley.settle(999);
    expect(event.said()).toEqual([]);

    await parley.settle(1);
    expect(event.said()).toEqual(["Making it"]);
    end(shown("Made"));
    await event.done;

    expect(event.said()).toEqual(["Making it", "Made"]);
  });
});
