/**
 * A private reply that is opened exactly while another one replaces it.
 */
import { expect, it } from "vitest";
import type { Rest } from "../../../adapters/discord/connection/clients.ts";
import type { DiscordPayload } from "../../../adapters/discord/drawing/render.ts";
import type { InteractionApi } from "../../../adapters/discord/writing/interaction-api.ts";
import { createPrivateNotes } from "../../../adapters/discord/writing/private-notes.ts";
import { createMessageResponder } from "../../../adapters/discord/writing/responder.ts";
import type { KeyValue } from "../../../src/core/ports/state.ts";
import { alice } from "../../doubles/people.ts";
import { memoryKeyValue, notice, quickClock } from "../../doubles/room-parts.ts";
import { silentLog } from "../../doubles/silent-log.ts";

const asker = { ...alice, id: "100", workspace: "1" };

/** Runs `during` at one call of the storage, while the first reply is being opened. */
async function openWhile(method: "get" | "set" | "delete", at: number, when: "before" | "after") {
  const covers: string[] = [];
  const shown: string[] = [];
  const memory = memoryKeyValue();
  let calls: number | undefined;
  let during = async () => {};
  const meeting = async <T>(name: typeof method, call: () => Promise<T>): Promise<T> => {
    const isHere = calls !== undefined && name === method && calls++ === at;
    if (isHere && when === "before") await during();
    const result = await call();
    if (isHere && when === "after") await during();
    return result;
  };
  const keyValue: KeyValue<string> = {
    get: (key) => meeting("get", () => memory.get(key)),
    set: (key, value) => meeting("set", () => memory.set(key, value)),
    delete: (key) => meeting("delete", () => memory.delete(key)),
    entries: memory.entries,
  };
  const textOf = (payload: DiscordPayload) => JSON.stringify(payload).match(/First|Second/)?.[0] ?? "";
  const interactions = {
    answer: async (_token: unknown, payload: DiscordPayload) => shown.push(textOf(payload)) > 0,
    followUp: async (_token: unknown, payload: DiscordPayload) => String(shown.push(textOf(payload))),
  } as unknown as InteractionApi;
  const rest = {
    call: async (verb: string, _route: string, call?: { body?: unknown }) => {
      if (verb === "POST") covers.push(/only-you:([\w-]+)/.exec(JSON.stringify(call?.body))?.[1] ?? "");
      return { id: "900" };
    },
    isRefused: () => false,
  } as Rest;
  const parts = { rest, keyValue, clock: quickClock, log: silentLog };
  const privateNotes = createPrivateNotes({ ...parts, interactions });
  const channels = { hasRights: () => undefined };
  const place = { platform: "discord", workspace: "1", channel: "5" };
  const reply = createMessageResponder({ ...parts, place, messageId: "7", actor: asker, channels, privateNotes });
  const press = (noteId: string) =>
    privateNotes.show({ id: "1", application_id: "2", token: "t" } as never, asker.id, noteId);

  await reply.send(notice("First."), "private");
  const [cover = ""] = covers;
  during = () => {
    calls = undefined;
    return reply.send(notice("Second."), "private");
  };
  calls = 0;
  await press(cover);
  for (const later of covers.slice(1)) await press(later);
  return shown;
}

it.each([
  ["while the first is read", "get", 0, "after"],
  ["just before the first is done", "delete", 0, "before"],
  ["just after the first is done", "delete", 0, "after"],
  ["before the last look", "get", 1, "before"],
  ["after the last look", "get", 1, "after"],
  ["at the very end", "delete", 1, "before"],
] as const)("loses no reply that comes %s", async (_when, method, at, when) => {
  expect(await openWhile(method, at, when)).toContain("Second");
});
