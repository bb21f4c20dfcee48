/**
 * What a platform must hand to the bridge, and what it must do with the bridge's word: events that are known again,
 * in the platform's order, acknowledged when the bridge says so, answered privately, and none lost while it reconnects.
 */
import { describe, expect, it } from "vitest";
import type { Form } from "../../src/ports/document.ts";
import { conversationKey, type Place, workspaceKey } from "../../src/ports/model/place.ts";
import { fallbackSentences } from "../../src/presentation/sentences.ts";
import { notice } from "../doubles/room-parts.ts";
import { until } from "../doubles/until.ts";
import { aMoment, openAlone, type PlatformUnderTest, type Script } from "./platform-under-test.ts";

const form: Form = {
  id: "agent create",
  title: "New agent",
  submitLabel: "Create",
  context: "sales",
  fields: [
    { name: "name", label: "Name", isRequired: true, type: "text" },
    { name: "purpose", label: "Purpose", isRequired: false, type: "multiline" },
  ],
};

export function describeIntake(create: () => Promise<PlatformUnderTest>): void {
  async function open(script?: Script) {
    const alone = await openAlone(await create(), script);
    await alone.start();
    return alone;
  }

  describe("a message for Parley", () => {
    it("is delivered with its text, author and place", async () => {
      const { subject, seen, first } = await open();

      const said = await subject.say("What is the answer?");

      const message = await first("message");
      expect(await said.delivered).toBe(true);
      expect(message).toMatchObject({ messageId: said.messageId, text: "What is the answer?", attachments: [] });
      expect(message.mentionsParley || message.isDirect).toBe(true);
      expect(message.addressesOthers).toBe(false);
      expect(message.actor).toMatchObject({ isAdmin: true, isBot: false, isGuest: false, isExternal: false });
      const { platform, workspace } = message.place;
      expect(message.eventKey.startsWith(`${platform}/${workspace}/`)).toBe(true);
      expect(seen.filter(({ kind }) => kind === "message")).toHaveLength(subject.twins);
    });

    it("has one key and one order, in however many events it arrives, and however often", async () => {
      const { subject, seen } = await open();
      const said = await subject.say("Once?");
      await said.delivered;
      await until("it is there", () => seen.length >= subject.twins);

      await subject.deliverAgain(said);
      await until("it is there again", () => seen.length > subject.twins);

      expect(new Set(seen.map(({ eventKey }) => eventKey)).size).toBe(1);
      expect(new Set(seen.map(({ order }) => order)).size).toBe(1);
    });

    it("that is not acknowledged is sent again, or cannot be known to the platform", async () => {
      let isAway = true;
      const { subject, seen } = await open(async (inbound) => {
        if (!isAway) await inbound.ack({ kind: "none" });
      });

      const said = await subject.say("Are you there?");
      await until("it is there", () => seen.length >= subject.twins);
      isAway = false;

      if (!subject.has.acknowledgements) {
        // Then what could not be stored is not sent again: the bridge keeps such a question in memory.
        expect(await said.delivered).toBe(true);
        return;
      }
      if (!(await said.delivered)) await subject.deliverAgain(said);
      await until("it is there again", () => seen.length > subject.twins);
      expect(new Set(seen.map(({ eventKey }) => eventKey)).size).toBe(1);
    });

    it("is ordered as the platform orders it, by comparing text", async () => {
      const { subject, seen } = await open();
      for (const text of ["one", "two", "three"]) await (await subject.say(text)).delivered;
      await until("all are there", () => seen.length >= 3 * subject.twins);

      const byKey = new Map(seen.map((inbound) => [inbound.eventKey, inbound]));
      const inOrder = [...byKey.values()].toSorted((one, other) => (one.order < other.order ? -1 : 1));

      expect(inOrder.map((inbound) => inbound.kind === "message" && inbound.text)).toEqual(["one", "two", "three"]);
      expect(new Set(inOrder.map(({ order }) => order)).size).toBe(3);
    });

    it("that follows another one is of the same conversation", async () => {
      const { subject, seen, first } = await open();
      const said = await subject.say("What is the answer?");
      await said.delivered;
      const { conversation } = await first("message");

      await (await subject.say("And the question?", said)).delivered;
      await until("the second is there", () => new Set(seen.map(({ eventKey }) => eventKey)).size === 2);

      const last = seen.at(-1);
      if (last?.kind !== "message") throw new Error("a follow-up is a message");
      expect(conversationKey(last.conversation)).toBe(conversationKey(conversation));
      expect(conversationKey(conversation)).toBe(conversationKey(said.answeredIn));
      // Without threads the conversation is the channel, or the direct messages.
      expect(conversation.thread !== undefined).toBe(subject.has.threads);
    });

    it("that was edited names its question, its new words and who edited it", async () => {
      const { subject, first } = await open();
      const said = await subject.say("Waht?");
      await said.delivered;
      const asked = await first("message");

      await subject.edit(said, "What?");

      const edited = await first("message-edited");
      expect(edited).toMatchObject({ questionKey: asked.eventKey, messageId: asked.messageId, text: "What?" });
      expect(edited.actor.id).toBe(asked.actor.id);
      expect(edited.eventKey).not.toBe(asked.eventKey);
    });

    it("that was deleted names its question", async () => {
      const { subject, first } = await open();
      const said = await subject.say("Never mind");
      await said.delivered;
      const asked = await first("message");

      await subject.retract(said);

      expect(await first("message-deleted")).toMatchObject({ questionKey: asked.eventKey, messageId: asked.messageId });
    });

    it("isn't an inbound message when Parley itself writes it", async () => {
      const { subject, platform, seen } = await open();
      const place = subject.place();
      const [payload] = platform.render(notice("I say this"));

      await platform.post(place, payload, { replyId: "contract-own", part: 0, generation: 0 }, { urgency: "final" });
      await aMoment();

      expect(seen).toEqual([]);
    });
  });

  describe("a command", () => {
    it("is passed on unchanged", async () => {
      const { subject, first } = await open(async (inbound) => inbound.ack({ kind: "defer-private" }));

      await subject.command("agent list");

      const { input, eventKey, place } = await first("command");
      const path = input.kind === "typed" ? input.text : `/${input.path}`;
      expect(path).toBe("/agent list");
      expect(eventKey.startsWith(`${workspaceKey(place)}/`)).toBe(true);
    });
  });

  describe("a form", () => {
    const openForm: Script = async (inbound) => {
      if (inbound.kind === "command") return inbound.ack({ kind: "form", form });
      if (inbound.kind !== "form") return inbound.ack({ kind: "none" });
      const errors = { name: "That name is taken." };
      return inbound.ack(inbound.values["name"] === "taken" ? { kind: "form-errors", errors } : { kind: "none" });
    };

    it("stays open with its errors, and is submitted with its values", async () => {
      const { subject, seen } = await open(openForm);
      const forms = () => seen.flatMap((inbound) => (inbound.kind === "form" ? [inbound] : []));
      if (!subject.has.forms) return;
      await subject.command("agent create");
      await until("the form is open", subject.hasForm);

      const errors = await subject.submit({ name: "taken", purpose: "first\nsecond" });
      const none = await subject.submit({ name: "sales", purpose: "first\nsecond" });
      await until("both are there", () => forms().length === 2);

      expect(errors).toContain("That name is taken.");
      expect(none).toBe("");
      expect(forms()[1]).toMatchObject({
        formId: "agent create",
        context: "sales",
        values: { name: "sales", purpose: "first\nsecond" },
      });
    });

    it("that can't be opened there is refused in a sentence to the person who asked for it", async () => {
      const { subject } = await open(openForm);
      if (subject.has.forms) return;
      const place = subject.place();

      await subject.command("agent create");

      const read = async () => `${await subject.readsAlone()}${await textOf(subject, place)}`;
      await until("the refusal is there", async () => (await read()).includes(fallbackSentences.noForms.what));
    });
  });

  describe("a private answer", () => {
    it("is visible only to the person who asked, also when another one follows", async () => {
      let told = 0;
      const { subject } = await open(async (inbound) => {
        await inbound.ack({ kind: "none" });
        if (inbound.kind !== "message") return;
        await inbound.reply.send(notice("secret words, first"), "private");
        await inbound.reply.send(notice("secret words, at last"), "private");
        told += 1;
      });

      const said = await subject.say("Tell me alone");
      await said.delivered;
      await until("both were sent", () => told >= subject.twins);

      if (subject.has.privateReplies) {
        await until("it is read", async () => (await subject.readsAlone()).includes("at last"));
        expect(subject.violations()).toEqual([]);
      } else
        await until("it is refused", async () =>
          (await textOf(subject, said.answeredIn)).includes(fallbackSentences.notPrivate.what),
        );
      const everybody = `${await textOf(subject, said.answeredIn)}${await textOf(subject, channelOf(said.answeredIn))}`;
      expect(everybody).not.toContain("secret words");
    });

    it("to a command is visible only to the person who ran it", async () => {
      const { subject } = await open(async (inbound) => {
        await inbound.ack({ kind: "defer-private" });
        await inbound.reply.send(notice("secret words"), "private");
      });

      await subject.command("agent list");

      if (subject.has.privateReplies) {
        await until("it is read", async () => (await subject.readsAlone()).includes("secret words"));
        return;
      }
      const place = subject.place();
      await until("it is refused", async () =>
        (await textOf(subject, place)).includes(fallbackSentences.notPrivate.what),
      );
      expect(await textOf(subject, place)).not.toContain("secret words");
    });
  });

  describe("the connection", () => {
    it("is not there before the start and after the end, says why in a sentence, and tells no secret", async () => {
      const alone = await openAlone(await create());
      const { platform, subject } = alone;
      const before = platform.health();
      await alone.start();
      await until("nothing is missing", () => platform.health().reason === undefined);
      const between = platform.health();
      await platform.close();
      const after = platform.health();

      expect(between).toEqual({ isConnected: true });
      for (const health of [before, after]) {
        expect(health).toMatchObject({ isConnected: false, reason: expect.stringMatching(/^\p{Lu}.*\.$/u) });
        for (const secret of subject.secrets) expect(health.reason).not.toContain(secret);
      }
    });

    it("reconnects automatically, and delivers what was said meanwhile once", async () => {
      const { subject, platform, seen } = await open();

      subject.drop();
      const said = await subject.say("Are you there?");
      await until("it is there", () => seen.length > 0);
      await said.delivered;
      await until("the platform is connected", () => platform.health().isConnected);

      expect(new Set(seen.map(({ eventKey }) => eventKey)).size).toBe(1);
      await (await subject.say("And now?")).delivered;
      await until("it hears again", () => new Set(seen.map(({ eventKey }) => eventKey)).size === 2);
    });

    it("once intake stopped, loses no event: it is not acknowledged, or it is handed on", async () => {
      const { subject, platform, seen } = await open();
      const place = subject.place();
      const [payload] = platform.render(notice("still here"));

      await platform.stopIntake();
      const said = await subject.say("Too late?");
      const isTaken = await said.delivered;
      await aMoment();

      expect(seen.length > 0).toBe(isTaken);
      // What runs is still shown.
      const mark = { replyId: "contract-last", part: 0, generation: 0 };
      const messageId = await platform.post(place, payload, mark, { urgency: "final" });
      await platform.edit({ place, messageId }, payload, { urgency: "final" });
      expect((await subject.shown(place)).map(({ text }) => text)).toEqual([expect.stringContaining("still here")]);
    });
  });
}

async function textOf(subject: PlatformUnderTest, place: Place): Promise<string> {
  return (await subject.shown(place)).map(({ text }) => text).join("\n");
}

function channelOf({ thread: _thread, ...channel }: Place): Place {
  return channel;
}
