/** The cases of `hear`: what was said, where, and what Parley does. docs/listening.md shows them to people. */
import type { Hearing } from "../../../src/bridge/intake/listening.ts";

export type Reaction = "answers" | "answers if it finds something" | "runs the command" | "reacts with 🙌" | "silent";

export type ListeningCase = {
  readonly says: string;
  /** The message, for people. */
  readonly about: string;
  readonly hearing: Partial<Hearing>;
  readonly does: Reaction;
};

const minute = 60_000;
const answered = { isInOwnConversation: true, sinceAnswer: { ms: 7 * minute, messages: 3, asks: false } };
const asked = { isInOwnConversation: true, sinceAnswer: { ms: minute, messages: 0, asks: true } };
const justAnswered = { ...answered, sinceAnswer: { ms: minute, messages: 0, asks: false } };
const asker = { ...answered, hasAsked: true };

const one = (says: string, about: string, hearing: Partial<Hearing>, does: Reaction): ListeningCase => ({
  ...{ says, about, does },
  hearing: { ...hearing, text: says },
});

const thread = (says: string, about: string, hearing: Partial<Hearing>, does: Reaction) =>
  one(says, about, { mode: "thread", ...hearing }, does);
const channel = (says: string, about: string, hearing: Partial<Hearing>, does: Reaction) =>
  one(says, about, { mode: "channel", ...hearing }, does);
const every = (says: string, about: string, hearing: Partial<Hearing>, does: Reaction) =>
  one(says, about, { mode: "every", ...hearing }, does);
const mention = (says: string, about: string, hearing: Partial<Hearing>, does: Reaction) =>
  one(says, about, { mode: "mention", ...hearing }, does);

const toParley = { mentionsParley: true };
const toJo = { addressesOthers: true, isOnlyNames: true } as const;

export const listeningTable: readonly { readonly title: string; readonly cases: readonly ListeningCase[] }[] = [
  {
    title: "Mentioned, or in a direct message",
    cases: [
      mention("how late can a guest check in", "a mention, in any mode", toParley, "answers"),
      mention(
        "ask Jo, or answer yourself",
        "a mention of Parley and of a person",
        { ...toParley, addressesOthers: true },
        "answers",
      ),
      mention("@Jo", "a mention of Parley and of a person, and nothing else", { ...toParley, ...toJo }, "silent"),
      mention("and on Sundays", "a direct message", { isDirect: true }, "answers"),
      mention("thanks!", "a mention, after an answer", { ...toParley, ...asker }, "reacts with 🙌"),
      mention("merci !", "a direct message", { isDirect: true }, "reacts with 🙌"),
      mention("ok", "a direct message", { isDirect: true }, "silent"),
      mention("👍", "a mention", toParley, "silent"),
      mention("yes", "after “Should I look further?”", { isDirect: true, ...asked, hasAsked: true }, "answers"),
      mention(
        "yes",
        "the same, an hour later",
        { isDirect: true, hasAsked: true, sinceAnswer: { ms: 60 * minute, messages: 0, asks: true } },
        "answers",
      ),
      mention("thanks, but how?", "a mention", toParley, "answers"),
      mention("thanks", "a direct message with a file", { isDirect: true, hasFiles: true }, "answers"),
      mention("/kb list", "a mention", toParley, "runs the command"),
      mention("/kb list", "a direct message", { isDirect: true }, "runs the command"),
    ],
  },
  {
    title: "Mode `thread`, without a mention",
    cases: [
      thread("what about Tuesday?", "in the channel", {}, "silent"),
      thread("what about Tuesday?", "in a thread where Parley never answered", {}, "silent"),
      thread("and on Sundays", "from someone who has asked in this thread", asker, "answers"),
      thread(
        "I mean the door code",
        "the same, a day later",
        { ...asker, sinceAnswer: { ms: 1440 * minute, messages: 0, asks: false } },
        "answers",
      ),
      thread("thanks, that helped!", "from someone who has asked here", asker, "reacts with 🙌"),
      thread("ok cool", "from someone who has asked here", asker, "silent"),
      thread("👍", "from someone who has asked here", asker, "silent"),
      thread("thanks, but how?", "from someone who has asked here", asker, "answers"),
      thread("yes", "after “Should I look further?”", { ...asked, hasAsked: true }, "answers"),
      thread("thanks", "after “Should I look further?”", { ...asked, hasAsked: true }, "answers"),
      thread("yes", "the same, from someone else", asked, "silent"),
      thread(
        "yes",
        "31 minutes after “Should I look further?”",
        { ...asked, hasAsked: true, sinceAnswer: { ms: 31 * minute, messages: 0, asks: true } },
        "silent",
      ),
      thread(
        "ok",
        "the 21st message after “Should I look further?”",
        { ...asked, hasAsked: true, sinceAnswer: { ms: minute, messages: 20, asks: true } },
        "silent",
      ),
      thread(
        "@Jo can you change the sign?",
        "from someone who has asked here, to Jo",
        { ...asker, addressesOthers: true },
        "silent",
      ),
      thread("thanks @Jo", "from someone who has asked here, to Jo", { ...asker, addressesOthers: true }, "silent"),
      thread("Good to know. I'll tell the night team.", "from someone else", answered, "silent"),
      thread("Sure. Is it different on Sundays?", "from someone else, 7 minutes after the answer", answered, "answers"),
      thread("违约金是多少？", "the same, in Chinese", answered, "answers"),
      thread("πότε κλείνει;", "the same, in Greek", answered, "answers"),
      thread("متى يغلق؟", "the same, in Arabic", answered, "answers"),
      thread("see https://example.com/?page=2", "the mark is part of an address", answered, "silent"),
      thread("`a ? b : c` looks odd", "the mark is part of code", answered, "silent"),
      thread("@Jo is that right?", "from someone else, to Jo", { ...answered, addressesOthers: true }, "silent"),
      thread(
        "Is it different on Sundays?",
        "30 minutes after the answer",
        { ...answered, sinceAnswer: { ms: 30 * minute, messages: 3, asks: false } },
        "answers",
      ),
      thread(
        "Is it different on Sundays?",
        "31 minutes after the answer",
        { ...answered, sinceAnswer: { ms: 31 * minute, messages: 3, asks: false } },
        "silent",
      ),
      thread(
        "Is it different on Sundays?",
        "the 20th message after the answer",
        { ...answered, sinceAnswer: { ms: minute, messages: 19, asks: false } },
        "answers",
      ),
      thread(
        "Is it different on Sundays?",
        "the 21st message after the answer",
        { ...answered, sinceAnswer: { ms: minute, messages: 20, asks: false } },
        "silent",
      ),
      thread("Is anyone there?", "while the first answer isn't there yet", { isInOwnConversation: true }, "silent"),
      thread("thanks!", "from someone else, right after the answer", justAnswered, "reacts with 🙌"),
      thread("thanks!", "from someone else, three messages after the answer", answered, "silent"),
      thread(
        "thanks all",
        "from someone else, long after the answer",
        { ...answered, sinceAnswer: { ms: 90 * minute, messages: 3, asks: false } },
        "silent",
      ),
      thread("/kb list", "in its thread", answered, "runs the command"),
      thread("/remind me", "in the channel", {}, "silent"),
    ],
  },
  {
    title: "Mode `channel`, without a mention",
    cases: [
      channel("how late can a guest check in?", "in the channel", {}, "answers if it finds something"),
      channel(
        "Can a guest check in at night? Mine is late.",
        "the mark ends a sentence",
        {},
        "answers if it finds something",
      ),
      channel("how do I reset it", "no question mark", {}, "silent"),
      channel("deploy is done", "in the channel", {}, "silent"),
      channel("@Jo can you look?", "to Jo", { addressesOthers: true }, "silent"),
      channel("thanks!", "in the channel", {}, "silent"),
      channel("and on Sundays", "in its thread, from someone who has asked there", asker, "answers"),
      channel("Is it different on Sundays?", "in its thread, from someone else", answered, "answers"),
      channel(
        "Is it different on Sundays?",
        "in its thread, an hour after the answer",
        { ...answered, sinceAnswer: { ms: 60 * minute, messages: 3, asks: false } },
        "answers if it finds something",
      ),
      channel("> is it?", "quotes someone", {}, "silent"),
      channel("/etc/hosts is wrong, isn't it?", "a path", {}, "silent"),
      channel("/kb list", "in its thread", answered, "runs the command"),
    ],
  },
  {
    title: "Mode `every`, without a mention",
    cases: [
      every("deploy is done", "in the channel", {}, "answers"),
      every("@Jo deploy is done", "to Jo", { addressesOthers: true }, "answers"),
      every("thanks", "in the channel", {}, "reacts with 🙌"),
      every("ok cool", "in the channel", {}, "silent"),
      every("thanks @Jo", "to Jo", { addressesOthers: true }, "silent"),
    ],
  },
  {
    title: "Mode `mention`, without a mention",
    cases: [
      mention("and on Sundays?", "in its thread, from someone who has asked there", asker, "silent"),
      mention("thanks", "in its thread, from someone who has asked there", asker, "silent"),
      mention("/kb list", "in its thread", answered, "silent"),
    ],
  },
];
