/** How a reaction that saves is answered, where private replies exist and where they would be notes in the channel. */
import { describe, expect, it } from "vitest";
import { reactionResponder } from "../../../src/bridge/intake/forms.ts";
import type { Action, Document, Tone } from "../../../src/core/document.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { ChatPlatform, Inbound } from "../../../src/core/ports/chat-platform.ts";
import { alice, general } from "../../doubles/people.ts";
import { silentLog } from "../../doubles/silent-log.ts";

const offer = (id: Action["id"]): Action => ({ id, label: "Press", value: "1", style: "plain" });

function document(tone: Tone, actions: readonly Action[] = []): Document {
  return { tone, blocks: [{ kind: "text", text: [{ text: tone }] }], actions, summary: tone };
}

function answer(options: { readonly areAnswers?: true; readonly isDirect?: true; readonly mayReact?: false } = {}) {
  const marks = new Set<string>();
  const sent: Tone[] = [];
  const add = async (_: unknown, emoji: string) => {
    if (options.mayReact === false) throw new ParleyError("not_permitted");
    marks.add(emoji);
  };
  const remove = async (_: unknown, emoji: string) => void marks.delete(emoji);
  const reactions = options.areAnswers === true ? { areAnswers: true as const, add, remove } : { add, remove };
  const inbound: Extract<Inbound, { kind: "reaction" }> = {
    ...{ kind: "reaction", eventKey: "memory/T1/reaction/1", order: "1", emoji: "📌", messageId: "7", added: true },
    ...{ place: general, actor: alice, ack: async () => undefined },
    reply: { send: async ({ tone }) => void sent.push(tone) },
  };
  const platform = { reactions, isDirect: () => options.isDirect === true } as unknown as ChatPlatform;
  return { marks, sent, reply: reactionResponder(inbound, platform, silentLog) };
}

describe("the answer to a reaction that saves", () => {
  it("is a private reply where those exist, and in direct messages", async () => {
    for (const { sent, marks, reply } of [answer(), answer({ areAnswers: true, isDirect: true })]) {
      await reply.send(document("running"), "private");
      await reply.send(document("done"), "private");

      expect(sent).toEqual(["running", "done"]);
      expect([...marks]).toEqual([]);
    }
  });

  it("is a check mark alone where a private reply would be a note in the channel", async () => {
    const { sent, marks, reply } = answer({ areAnswers: true });

    await reply.send(document("running"), "private");
    await reply.send(document("done", [offer("remove-saved")]), "private");

    expect(sent).toEqual([]);
    expect([...marks]).toEqual(["✅"]);
  });

  it("is a cross with the reason after a failure, and a check mark once it works", async () => {
    const { sent, marks, reply } = answer({ areAnswers: true });

    await reply.send(document("failed"), "private");
    expect([...marks]).toEqual(["❌"]);
    await reply.send(document("done"), "private");

    expect(sent).toEqual(["failed"]);
    expect([...marks]).toEqual(["✅"]);
  });

  it("has words too when it offers something, and when no reaction is allowed", async () => {
    const offered = answer({ areAnswers: true });
    const refused = answer({ areAnswers: true, mayReact: false });

    await offered.reply.send(document("done", [offer("connect-base")]), "private");
    await refused.reply.send(document("done"), "private");

    expect(offered.sent).toEqual(["done"]);
    expect(refused.sent).toEqual(["done"]);
  });
});
