/**
 * What a platform must hand to the bridge, and what it must do with the bridge's word: events that are known again,
 * in the platform's order, acknowledged when the bridge says so, answered privately, and none lost while it reconnects.
 */
import { describe, expect, it } from "vitest";
import type { Form } from "../../src/core/document.ts";
import { conversationKey, type Place, workspaceKey } from "../../src/core/model/place.ts";
import type { Responder } from "../../src/core/ports/chat-platform.ts";
import { fallbackSentences } from "../../src/presentation/sentences.ts";
import { notice } from "../doubles/room-parts.ts";
import { until } from "../doubles/until.ts";
import {
  type Abilities,
  aMoment,
  needed,
  openAlone,
  type PlatformUnderTest,
  type Script,
} from "./platform-under-test.ts";

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

const filesForm: Form = {
  id: "kb add",
  title: "Add",
  submitLabel: "Add",
  context: "",
  fields: [
    { name: "files", label: "Files", isRequired: false, type: "file", maxFiles: 10 },
    { name: "text", label: "Text", isRequired: false, type: "multiline" },
  ],
};

export function describeIntake(has: Abilities, create: () => Promise<PlatformUnderTest>): void {
  async function open(script?: Script, options?: Parameters<typeof openAlone>[2]) {
    const alone = await openAlone(await create(), script, options);
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
      expect(message.actor).toMatchObject({
        isAdmin: has.admins !== "nobody",
        isBot: false,
        isGuest: false,
        isExternal: false,
      });
      const { platform, workspace } = message.place;
      expect(message.eventKey.startsWith(`${platform}/${workspace}/`)).toBe(true);
      expect(seen.filter(({ kind }) => kind === "message")).toHaveLength(subject.twins);
    });

    if (has.admins !== "everyone")
      it("of a member does not come from an admin", async () => {
        const { subject, first } = await open();

        await needed(subject.memberSays, "memberSays")("What is the answer?");

        expect((await first("message")).actor).toMatchObject({ isAdmin: false, isBot: false });
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

    if (has.acknowledgements)
      it("that is not acknowledged is sent again with the same key", async () => {
        let isAway = true;
        const { subject, seen } = await open(async (inbound) => {
          if (!isAway) await inbound.ack({ kind: "none" });
        });

        const said = await subject.say("Are you there?");
        await until("it is there", () => seen.length >= subject.twins);
        isAway = false;

        if (!(await said.delivered)) await subject.deliverAgain(said);
        await until("it is there again", () => seen.length > subject.twins);
        expect(new Set(seen.map(({ eventKey }) => eventKey)).size).toBe(1);
      });

    it("is ordered as the platform orders it, by comparing text", async () => {
      const { subject, seen } = await open();
      // So many that a number of the platform's own gets one more digit.
      const texts = Array.from({ length: 12 }, (_, at) => `message ${at}`);
      for (const text of texts) await (await subject.say(text)).delivered;
      const byKey = () => new Map(seen.map((inbound) => [inbound.eventKey, inbound]));
      await until("all are there", () => byKey().size === texts.length);

      const inOrder = [...byKey().values()].toSorted((one, other) => (one.order < other.order ? -1 : 1));

      expect(inOrder.map((inbound) => inbound.kind === "message" && inbound.text)).toEqual(texts);
      expect(new Set(inOrder.map(({ order }) => order)).size).toBe(texts.length);
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
      expect(conversation.thread !== undefined).toBe(has.threads);
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
      expect(edited.mentionsParley || edited.isDirect).toBe(true);
    });

    it("has another key when it is edited, edited again, and deleted", async () => {
      const { subject, seen } = await open();
      const kinds = () => new Map(seen.map(({ eventKey, kind }) => [eventKey, kind]));
      const said = await subject.say("Waht?");
      await said.delivered;
      await until("the message is there", () => kinds().size === 1);

      await subject.edit(said, "Wath?");
      await until("the edit is there", () => kinds().size === 2);
      await subject.edit(said, "What?");
      await until("the second edit is there", () => kinds().size === 3);
      await subject.retract(said);
      await until("the deletion is there", () => kinds().size === 4);

      expect([...kinds().values()]).toEqual(["message", "message-edited", "message-edited", "message-deleted"]);
    });

    it("that was deleted names its question", async () => {
      const { subject, first } = await open();
      const said = await subject.say("When does it open?");
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

    it("is known by its name with COMMAND_PREFIX", async () => {
      const { subject, first } = await open(async (inbound) => inbound.ack({ kind: "defer-private" }), {
        prefix: "p-",
      });

      await subject.command("p-agent list");

      const { input } = await first("command");
      if (input.kind === "typed") expect(input.text).toBe("/p-agent list");
      else expect(["agent list", "p-agent list"]).toContain(input.path);
    });

    if (!has.slashCommands) {
      it.each([
        ["is typed with another first word", "", "wow that was great"],
        ["is typed without COMMAND_PREFIX", "p-", "agent list"],
      ])("is only chat between people when it %s", async (_how, prefix, line) => {
        const { subject, first } = await open(undefined, { prefix });

        await needed(subject.typed, "typed").say(line);

        const message = await first("message");
        expect([message.mentionsParley, message.isDirect]).toEqual([false, false]);
      });

      it("that was edited begins with a slash, so that its name is no part of a question", async () => {
        const { subject, first } = await open();
        const typed = needed(subject.typed, "typed");
        const said = await typed.say("ask Waht?");
        const asked = await first("command");

        await typed.edit(said, "ask What?");

        expect(await first("message-edited")).toMatchObject({ questionKey: asked.eventKey, text: "/ask What?" });
      });
    }
  });

  describe("a form", () => {
    const openForm: Script = async (inbound) => {
      if (inbound.kind === "command") return inbound.ack({ kind: "form", form });
      if (inbound.kind !== "form") return inbound.ack({ kind: "none" });
      const errors = { name: "That name is taken." };
      return inbound.ack(inbound.values["name"] === "taken" ? { kind: "form-errors", errors } : { kind: "none" });
    };

    if (has.forms)
      it("stays open with its errors, and is submitted with its values", async () => {
        const { subject, seen } = await open(openForm);
        const forms = () => seen.flatMap((inbound) => (inbound.kind === "form" ? [inbound] : []));
        const submit = needed(subject.submit, "submit");
        await subject.command("agent create");
        await until("the form is open", needed(subject.hasForm, "hasForm"));

        const errors = await submit({ name: "taken", purpose: "first\nsecond" });
        const none = await submit({ name: "sales", purpose: "first\nsecond" });
        await until("both are there", () => forms().length === 2);

        expect(errors).toContain("That name is taken.");
        expect(none).toBe("");
        expect(forms()[1]).toMatchObject({
          formId: "agent create",
          context: "sales",
          values: { name: "sales", purpose: "first\nsecond" },
        });
      });

    if (has.forms)
      it("asks for files where it can, and else leaves that field out", async () => {
        const { subject, seen } = await open(async (inbound) => {
          await inbound.ack(inbound.kind === "command" ? { kind: "form", form: filesForm } : { kind: "none" });
        });
        const forms = () => seen.flatMap((inbound) => (inbound.kind === "form" ? [inbound] : []));
        await subject.command("kb jobs");
        await until("the form is open", needed(subject.hasForm, "hasForm"));

        const given: Record<string, string[]> = has.fileFields ? { files: ["prices.csv", "faq.md"] } : {};
        await needed(subject.submit, "submit")({ text: "Refunds take five days." }, given);
        await until("it is there", () => forms().length === 1);

        expect(forms()[0]?.values["text"]).toBe("Refunds take five days.");
        expect((forms()[0]?.attachments ?? []).map(({ name }) => name)).toEqual(given.files ?? []);
        expect(subject.violations()).toEqual([]);
      });

    if (!has.forms)
      it("that can't be opened there is refused in a sentence to the person who asked for it", async () => {
        const { subject } = await open(openForm);
        const place = subject.place();

        await subject.command("agent create");

        const read = async () => `${(await subject.readsAlone?.()) ?? ""}${await textOf(subject, place)}`;
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

      if (has.privateReplies) {
        const readsAlone = needed(subject.readsAlone, "readsAlone");
        await until("it is read", async () => (await readsAlone()).includes("at last"));
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

      if (has.privateReplies) {
        const readsAlone = needed(subject.readsAlone, "readsAlone");
        await until("it is read", async () => (await readsAlone()).includes("secret words"));
        return;
      }
      const place = subject.place();
      await until("it is refused", async () =>
        (await textOf(subject, place)).includes(fallbackSentences.notPrivate.what),
      );
      expect(await textOf(subject, place)).not.toContain("secret words");
    });

    it(`that is for everyone is ${has.privateReplies ? "still read alone" : "shown to everyone"}`, async () => {
      const { subject } = await open(async (inbound) => {
        await inbound.ack({ kind: "none" });
        if (inbound.kind !== "message") return;
        await inbound.reply.send({ ...notice("open words"), isForEveryone: true }, "private");
      });

      const said = await subject.say("Help");

      const everybody = () => textOf(subject, said.answeredIn);
      const readsAlone = async () => ((await subject.readsAlone?.()) ?? "").includes("open words");
      if (has.privateReplies) await until("it is read", readsAlone);
      else await until("it is shown", async () => (await everybody()).includes("open words"));
      expect((await everybody()).includes("open words")).toBe(!has.privateReplies);
    });
  });

  describe("a public answer", () => {
    const answering = (send: (reply: Responder) => Promise<void>) => {
      const state = { begun: 0, ended: 0, failed: 0 };
      const script: Script = async (inbound) => {
        await inbound.ack({ kind: "none" });
        // A message can arrive as two events.
        if (inbound.kind !== "message" || state.begun > 0) return;
        state.begun += 1;
        await send(inbound.reply).then(
          () => (state.ended += 1),
          () => (state.failed += 1),
        );
      };
      return { state, script };
    };

    it("is replaced by the next one", async () => {
      const { state, script } = answering(async (reply) => {
        await reply.send(notice("words at first"), "public");
        await reply.send(notice("words at last"), "public");
      });
      const { subject } = await open(script);

      const said = await subject.say("Tell me");
      await until("both were sent", () => state.ended >= 1);

      const places = [said.answeredIn, channelOf(said.answeredIn)];
      const read = (await Promise.all(places.map((place) => textOf(subject, place)))).join("\n");
      expect(read).toContain("words at last");
      expect(read).not.toContain("words at first");
    });

    it("that can't be sent isn't an error for its caller", async () => {
      const { state, script } = answering((reply) => reply.send(notice("words"), "public"));
      const { subject } = await open(script);
      subject.refusePosts();

      await subject.say("Tell me");
      await until("it was tried", () => state.ended + state.failed >= 1);

      expect(state.failed).toBe(0);
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

      expect(between).toMatchObject({ isConnected: true });
      expect(between.reason).toBeUndefined();
      for (const health of [before, after]) {
        expect(health).toMatchObject({ isConnected: false, reason: expect.stringMatching(/^\p{Lu}.*\.$/u) });
        for (const secret of subject.secrets) expect(health.reason).not.toContain(secret);
      }
    });

    if (has.connection)
      it("reconnects automatically, and delivers what was said meanwhile once", async () => {
        const { subject, platform, seen } = await open();

        needed(subject.drop, "drop")();
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
