/**
 * What a message shows besides its author's own words: what it quotes, and what can't be read.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { alice } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness();
});
afterEach(() => parley.stop());

const quoted = "Forwarded message from Carol:\n> The import of batch ZEBRA-7 failed.";
const file = (name: string, mediaType: string) => ({ id: name, name, mediaType, sizeBytes: 10, reference: name });

describe("a message that quotes another one", () => {
  it("asks its own words, with what it quotes before them", async () => {
    await parley.say("why did this happen?", { quoted }).done;
    const run = await parley.agents.run(0);

    expect(run.question).toBe(`${quoted}\n\nQuestion:\nwhy did this happen?`);
  });

  it.each(["", "  "])("without own words asks what it quotes, and gets no welcome card", async (text) => {
    await parley.say(text, { quoted }).done;
    const run = await parley.agents.run(0);

    expect(run.question).toBe(quoted);
    expect(parley.notices()).toEqual([]);
  });

  it.each(["hi", "thanks", "stop"])("is a question, whatever its own words are: %s", async (text) => {
    await parley.say(text, { quoted }).done;

    expect((await parley.agents.run(0)).question).toContain("ZEBRA-7");
  });

  it("without own words isn't asked again by an edit that changes nothing", async () => {
    await parley.say("", { quoted }).done;
    (await parley.agents.run(0)).answer("No idea.");
    await parley.settle();
    await parley.send({
      ...{
        kind: "message-edited",
        eventKey: "memory/T1/edited",
        questionKey: "memory/T1/general/101",
        messageId: "101",
      },
      ...{ text: "", quoted, attachments: [], mentionsParley: true, addressesOthers: false, isDirect: false },
    }).done;
    await parley.settle();

    expect(parley.agents.runs).toHaveLength(1);
  });

  it("asks the same again after an edit", async () => {
    await parley.say("why?", { quoted }).done;
    (await parley.agents.run(0)).answer("No idea.");
    await parley.settle();
    await parley.send({
      ...{
        kind: "message-edited",
        eventKey: "memory/T1/edited",
        questionKey: "memory/T1/general/101",
        messageId: "101",
      },
      ...{
        text: "why did it?",
        quoted,
        attachments: [],
        mentionsParley: true,
        addressesOthers: false,
        isDirect: false,
      },
    }).done;

    expect((await parley.agents.run(1)).question).toBe(`${quoted}\n\nQuestion:\nwhy did it?`);
  });
});

describe("a message that holds something that can't be read", () => {
  it.each<readonly [string, Record<string, unknown>, string]>([
    [
      "a voice message",
      { attachments: [file("audio_message.m4a", "audio/mp4")] },
      "I can't read a voice message (audio_message.m4a).",
    ],
    ["a picture", { attachments: [file("chart.png", "image/png")] }, "I can't read a picture (chart.png)."],
    [
      "a canvas and a video",
      { unread: ["a canvas (Plan)"], attachments: [file("v.mp4", "video/mp4")] },
      "I can't read a canvas (Plan) and a video (v.mp4).",
    ],
  ])("and nothing else is told so in one sentence: %s", async (_, shown, sentence) => {
    const asked = parley.say("", shown);
    await asked.done;

    expect(asked.sent).toHaveLength(1);
    expect(asked.sent[0]?.visibility).toBe("private");
    expect(JSON.stringify(asked.sent[0]?.document)).toContain(sentence);
    expect(parley.agents.runs).toEqual([]);
  });

  it("besides words is asked, and the agent is told", async () => {
    await parley.say("what is in it?", { unread: ["a canvas (Plan)"] }).done;

    expect((await parley.agents.run(0)).question).toBe(
      "(Not readable in this message: a canvas (Plan).)\n\nQuestion:\nwhat is in it?",
    );
  });
});

it("a bot is told nothing in private: platforms would refuse it", async () => {
  const bot = { ...alice, id: "B1", isBot: true };
  await parley.stop();
  parley = await createHarness({ settings: { answerBots: ["*"] } });
  const asked = parley.say("", { actor: bot, unread: ["a canvas"] });
  await asked.done;

  expect(asked.sent).toEqual([]);
});
