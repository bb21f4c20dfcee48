/** What people must see of a whole Parley on a platform: one answer to each question, once, whatever goes wrong. */
import { describe, expect, it } from "vitest";
import { fallbackSentences } from "../../src/presentation/sentences.ts";
import { until } from "../doubles/until.ts";
import {
  type Abilities,
  aMoment,
  needed,
  openWhole,
  type PlatformUnderTest,
  type Said,
  type Shown,
} from "./platform-under-test.ts";

export function describeWhole(has: Abilities, create: () => Promise<PlatformUnderTest>): void {
  async function open(commandPrefix?: string) {
    const whole = await openWhole(await create(), commandPrefix);
    const { subject } = whole;
    const messages = (said: Said) => subject.shown(said.answeredIn);
    return {
      ...whole,
      messages,
      /** The first message where the question is answered, as soon as it is there. */
      shown: async (said: Said) => {
        await until("something is shown", async () => (await messages(said)).length > 0);
        const [first] = await messages(said);
        return first as Shown;
      },
    };
  }

  describe("a question", () => {
    it("gets one message, which becomes the answer", async () => {
      const { subject, agents, idle, messages } = await open();

      const said = await subject.say("What is the answer?");
      (await agents.run(0)).answer("It is **forty-two**.");
      await idle();

      expect((await agents.run(0)).question).toBe("What is the answer?");
      const [only, ...more] = await messages(said);
      expect(more).toEqual([]);
      expect(only?.text).toContain("forty-two");
      expect(subject.violations()).toEqual([]);
    });

    it("is asked once, in however many events it arrives, and however often", async () => {
      const { subject, agents, idle, messages } = await open();
      const said = await subject.say("Once?");
      const run = await agents.run(0);

      await subject.deliverAgain(said);
      run.answer("Once.");
      await idle();
      await subject.deliverAgain(said);
      await aMoment();
      await idle();

      expect(agents.runs).toHaveLength(1);
      expect(await messages(said)).toHaveLength(1);
    });

    it("is answered once when the platform's answer to a post was lost", async () => {
      const { subject, agents, idle, messages } = await open();
      subject.loseAnswer();

      const said = await subject.say("What is the answer?");
      (await agents.run(0)).answer("forty-two");
      await idle();

      const [only, ...more] = await messages(said);
      expect(more).toEqual([]);
      expect(only?.text).toContain("forty-two");
    });

    it("is answered in a new message when someone deleted the first one", async () => {
      const { subject, agents, idle, messages, shown } = await open();
      const said = await subject.say("What is the answer?");
      const run = await agents.run(0);
      const { messageId } = await shown(said);

      await subject.deleteReply({ place: said.answeredIn, messageId });
      run.answer("forty-two");
      await idle();

      const [only, ...more] = await messages(said);
      expect(more).toEqual([]);
      expect(only?.text).toContain("forty-two");
    });

    if (has.rateLimits)
      it("is answered once although writes were refused as too fast", async () => {
        const { subject, agents, idle, messages, shown } = await open();
        const said = await subject.say("What is the answer?");
        const run = await agents.run(0);
        await shown(said);

        needed(subject.limit, "limit")("edit", 1);
        run.answer("forty-two");
        await idle();

        // The progress beside an answer that was posted anew is removed afterwards.
        await until("one message", async () => (await messages(said)).length === 1);
        const [only] = await messages(said);
        expect(only?.text).toContain("forty-two");
      });

    it("that was edited is asked again, in the same message", async () => {
      const { subject, agents, idle, messages } = await open();
      const said = await subject.say("Waht?");
      (await agents.run(0)).answer("I do not understand.");
      await idle();
      const [before] = await messages(said);

      await subject.edit(said, "What is the answer?");
      const again = await agents.run(1);
      again.answer("forty-two");
      await idle();

      expect(again.question).toBe("What is the answer?");
      const [only, ...more] = await messages(said);
      expect(more).toEqual([]);
      expect(only?.messageId).toBe(before?.messageId);
      expect(only?.text).toContain("forty-two");
    });

    it("that was deleted is stopped", async () => {
      const { subject, agents, idle, shown } = await open();
      const said = await subject.say("When does it open?");
      const run = await agents.run(0);
      await shown(said);

      await subject.retract(said);
      await idle();

      expect(run.isAborted()).toBe(true);
    });

    it("that follows another one includes what was said before", async () => {
      const { subject, agents, idle } = await open();
      const said = await subject.say("What is the answer?");
      (await agents.run(0)).answer("forty-two");
      await idle();

      await subject.say("And the question?", said);
      const second = await agents.run(1);
      second.answer("Nobody knows.");
      await idle();

      expect(second.messages.at(0)).toMatchObject({ question: "What is the answer?", answer: "forty-two" });
    });

    it("that is asked while another one runs waits for it, in the platform's order", async () => {
      const { subject, agents, idle, messages } = await open();
      const said = await subject.say("one");
      const first = await agents.run(0);
      await (await subject.say("two", said)).delivered;
      await aMoment();

      expect(agents.runs).toHaveLength(1);
      first.answer("the first answer");
      (await agents.run(1)).answer("the second answer");
      await idle();

      const read = (await messages(said)).map(({ text }) => text).join("\n");
      expect(read.indexOf("the first answer")).toBeGreaterThan(-1);
      expect(read.indexOf("the second answer")).toBeGreaterThan(read.indexOf("the first answer"));
    });
  });

  describe("a command", () => {
    it("is named with COMMAND_PREFIX in a sentence, and as people give it there", async () => {
      const { subject, agents, idle, messages } = await open("p-");
      agents.set({ agents: [] });

      const said = await subject.say("What is the answer?");
      await until("it is refused", async () => textOf(await messages(said)).includes("There are no agents yet."));
      await idle();

      const text = textOf(await messages(said));
      expect(text).toContain("p-agent create");
      expect(text.includes("/p-agent create")).toBe(has.slashCommands);
    });

    if (!has.slashCommands) {
      it("that asks is asked again when it is edited, without its name; an edit into another one asks nothing", async () => {
        const { subject, agents, idle } = await open();
        const typed = needed(subject.typed, "typed");
        const said = await typed.say("ask Waht?");
        (await agents.run(0)).answer("I do not understand.");
        await idle();

        await typed.edit(said, "ask What is the answer?");
        (await agents.run(1)).answer("forty-two");
        await idle();
        await typed.edit(said, "agent list");
        await aMoment();
        await idle();

        expect(agents.runs.map(({ question }) => question)).toEqual(["Waht?", "What is the answer?"]);
      });
    }

    if (!has.privateReplies) {
      it.each([
        ["agent list", "guide"],
        ["kb list", "knowledge base"],
        ["parley help", "agent use"],
        ["parley mode", "mention"],
        ["agent lst", "Did you mean"],
        ["agent", "agent use"],
      ])("is answered to everyone when it tells nothing private: %s", async (line, answer) => {
        const { subject } = await open();
        await subject.command(line);

        await until("it is answered", async () => textOf(await subject.shown(subject.place())).includes(answer));
      });

      it("is answered to everyone after a mention, too", async () => {
        const { subject, messages } = await open();

        const said = await subject.say("/agent list");

        await until("it is answered", async () => textOf(await messages(said)).includes("guide"));
      });

      it("is not answered where it tells about a person", async () => {
        const { subject } = await open();

        await subject.command("parley roles");

        const { what } = fallbackSentences.notPrivate;
        await until("it is refused", async () => textOf(await subject.shown(subject.place())).includes(what));
      });
    }
  });

  describe("a long answer", () => {
    it("is ten messages and a file, and no word is lost", { timeout: 90_000 }, async () => {
      const { subject, agents, platform, idle, messages } = await open();
      const { charsPerMessage, maxMessages } = platform.limits.answers ?? { charsPerMessage: 4_000, maxMessages: 10 };
      const count = Math.ceil((charsPerMessage * maxMessages * 1.4) / 9);
      const words = Array.from({ length: count }, (_, at) => `word${String(at).padStart(4, "0")}`);

      const said = await subject.say("Tell me all");
      (await agents.run(0)).answer(words.join(" "));
      await idle();

      const all = await messages(said);
      const files = all.flatMap((message) => message.files);
      const texts = all.filter((message) => message.files.length === 0);
      expect(texts).toHaveLength(maxMessages);
      expect(files).toHaveLength(1);
      const read = [...texts.map(({ text }) => text), ...files].join(" ");
      expect(read.match(/\bword\d+\b/g)).toEqual(words);
      expect(subject.violations()).toEqual([]);
    });
  });

  describe("Stop", () => {
    it("ends the answer, by its button or by what is written out", async () => {
      const { subject, agents, idle, messages, shown } = await open();
      const said = await subject.say("What is the answer?");
      const run = await agents.run(0);
      const { messageId } = await shown(said);
      const offers = async (label: string) =>
        (await messages(said)).some(({ actions, text }) =>
          has.buttons ? actions.includes(label) : text.includes(label),
        );
      expect(await offers("Stop")).toBe(true);

      await subject.press({ place: said.answeredIn, messageId }, "Stop");
      await idle();

      expect(run.isAborted()).toBe(true);
      expect(await offers("Try again")).toBe(true);
      // Where nothing is pressed, no sentence says so.
      if (!has.buttons) expect(textOf(await messages(said))).not.toMatch(/\bpress/i);
    });
  });

  describe("the end of the process", () => {
    it("still shows what is running, and loses no question that comes meanwhile", async () => {
      const { subject, agents, parley, messages, turns, shown } = await open();
      const said = await subject.say("What is the answer?");
      const run = await agents.run(0);
      await shown(said);

      const drained = parley.drain(60_000);
      await aMoment();
      const late = await subject.say("Too late?");
      const isTaken = await late.delivered;
      run.answer("forty-two");
      await drained;

      const [only] = await messages(said);
      expect(only?.text).toContain("forty-two");
      const stored: string[] = [];
      for await (const turn of turns.unfinished()) stored.push(turn.question);
      // What the platform believes to be taken is stored for the next start.
      expect(stored).toEqual(isTaken ? ["Too late?"] : []);
    });
  });
}

function textOf(messages: readonly Shown[]): string {
  return messages.map(({ text }) => text).join("\n");
}
