/** Mistyped commands are not errors in the log: its readers look for what is broken. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { general, openRoom, type Room } from "../../commands/room.ts";
import { admin } from "../../doubles/people.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { createHarness, type Harness } from "../harness.ts";

let room: Room;
let parley: Harness;
beforeEach(async () => {
  room = await openRoom();
  parley = await createHarness({ commands: room.commands });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await parley.stop();
  await room.close();
});

async function sayToParley(text: string) {
  const error = vi.spyOn(silentLog, "error");
  const info = vi.spyOn(silentLog, "info");
  const event = parley.send({
    ...{ kind: "command", eventKey: "slack/T1/1", order: "1", attachments: [] },
    ...{ conversation: general, place: general, actor: admin },
    input: { kind: "typed", text },
  });
  await event.done;
  return { sent: event.sent, errors: error.mock.calls, infos: info.mock.calls.map(([fields]) => fields) };
}

it.each([
  ["agent show nobody", "agent_not_found"],
  ["agent use nobody", "agent_not_found"],
  ["agent edit nobody", "agent_not_found"],
  ["agent delete nobody", "agent_not_found"],
])("logs the mistyped name of %s as info without a stack, and tells the person who typed it", async (text, code) => {
  const { sent, errors, infos } = await sayToParley(text);

  expect(sent.at(-1)?.document.tone).toBe("failed");
  expect(errors).toEqual([]);
  expect(infos).toEqual([{ kind: "command", eventKey: "slack/T1/1", code }]);
});

it("logs what failed in a command as an error, with its cause", async () => {
  const cause = new Error("broken");
  room.faults.listKnowledgeBases = async () => Promise.reject(cause);
  const { sent, errors } = await sayToParley("kb list");

  expect(sent.at(-1)?.document.tone).toBe("failed");
  expect(errors).toEqual([[expect.objectContaining({ err: expect.objectContaining({ cause }) }), expect.any(String)]]);
});
