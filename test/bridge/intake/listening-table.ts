/** The cases of `hear`: what was said, where, and what Parley does. docs/listening.md shows them to people. */
import type { Hearing } from "../../../src/bridge/intake/messages.ts";

export type Reaction = "answers" | "answers if it is sure" | "runs the command" | "reacts with 🙌" | "silent";

export type ListeningCase = {
  readonly says: string;
  /** The message, for people. */
  readonly about: string;
  readonly hearing: Partial<Hearing>;
  /** Names of people there. */
  readonly people?: readonly string[];
  readonly does: Reaction;
};

const minute = 60_000;
const answered = { isInOwnConversation: true, sinceAnswer: { ms: 7 * minute, messages: 3, asks: false } };
const asked = { isInOwnConversation: true, sinceAnswer: { ms: minute, messages: 0, asks: true } };
const justAnswered = { ...answered, sinceAnswer: { ms: minute, messages: 0, asks: false } };
const asker = { ...answered, hasAsked: true };
const alone = { ...asker, isAlone: true } as const;
/** Everybody in these lines. */
const people = [
  "Dave Ormerod",
  "Frank Iveson",
  "Jo Tait",
  "Will Sandhu",
  "Mark Clarke",
  "May Hollins",
  "Carol",
  "Ernst Kuhn",
];

const one = (says: string, about: string, hearing: Partial<Hearing>, does: Reaction): ListeningCase => ({
  ...{ says, about, does, people },
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
const sure = "answers if it is sure";

export const listeningTable: readonly { readonly title: string; readonly cases: readonly ListeningCase[] }[] = [
  {
    title: "For Parley",
    cases: [
      mention("how late can a guest check in", "a mention, in any mode", toParley, "answers"),
      mention("the guest comes at eleven", "a mention: statements too", toParley, "answers"),
      mention("and on Sundays?", "a reply to a message of Parley's", toParley, "answers"),
      mention(
        "ask Jo, or answer yourself",
        "a mention of Parley and of a person",
        { ...toParley, addressesOthers: true },
        "answers",
      ),
      mention("Dave, what does @Parley say?", "a mention of Parley, to a person", toParley, "answers"),
      mention("@Jo", "a mention of Parley and of a person, and nothing else", { ...toParley, ...toJo }, "silent"),
      mention("and on Sundays", "a direct message", { isDirect: true }, "answers"),
      mention("thanks!", "a mention, after an answer", { ...toParley, ...asker }, "reacts with 🙌"),
      mention("merci !", "a direct message", { isDirect: true }, "reacts with 🙌"),
      mention("ok", "a direct message", { isDirect: true }, "silent"),
      mention("👍", "a mention", toParley, "silent"),
      mention("really?", "a mention", toParley, "answers"),
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
    title: "Mode `thread`: one person and Parley in a thread",
    cases: [
      thread("and on Sundays", "a follow-up", alone, "answers"),
      thread("what about Tuesday?", "a follow-up", alone, "answers"),
      thread(
        "I mean the door code",
        "the same, a day later",
        { ...alone, sinceAnswer: { ms: 1440 * minute, messages: 0, asks: false } },
        "answers",
      ),
      thread("who replaces Frank on Mondays?", "about a person", alone, "answers"),
      thread("Dave, did you call the Millers back?", "to a person", alone, "silent"),
      thread("@Jo can you change the sign?", "to a person", { ...alone, addressesOthers: true }, "silent"),
      thread("thanks, that helped!", "after an answer", alone, "reacts with 🙌"),
      thread("ok cool", "after an answer", alone, "silent"),
      thread("👍", "after an answer", alone, "silent"),
      thread("oh great, who knew?", "asks nobody", alone, "silent"),
      thread("thanks, but how?", "after an answer", alone, "answers"),
      thread("/kb list", "after an answer", alone, "runs the command"),
    ],
  },
  {
    title: "Mode `thread`: several people in a thread where Parley has answered",
    cases: [
      thread("what about vans?", "from the one who asked, or from anyone", asker, sure),
      thread("and cats?", "from someone else", answered, sure),
      thread("what does it cost for children?", "after three lines about lunch", asker, sure),
      thread(
        "Sure. Is it different on Sundays?",
        "a day later",
        { ...answered, sinceAnswer: { ms: 1440 * minute, messages: 30, asks: false } },
        sure,
      ),
      thread("how do I reset it", "a question word first", answered, sure),
      thread("wie lange hat das Bad auf", "a question word first", answered, sure),
      thread("违约金是多少？", "in Chinese", answered, sure),
      thread("πότε κλείνει;", "in Greek", answered, sure),
      thread("متى يغلق؟", "in Arabic", answered, sure),
      thread("and on Sundays", "a statement, from any person", asker, "silent"),
      thread("I'll check with the council", "a statement", asker, "silent"),
      thread("Good to know. I'll tell the night team.", "a statement", answered, "silent"),
      thread("what a day", "begins like a question", answered, "silent"),
      thread("see https://example.com/?page=2", "the mark is part of an address", answered, "silent"),
      thread("`a ? b : c` looks odd", "the mark is part of code", answered, "silent"),
      thread("Dave, did you call the Millers back?", "to Dave", asker, "silent"),
      thread("are you coming, Frank?", "to Frank", asker, "silent"),
      thread("is the room free Frank?", "to Frank", asker, "silent"),
      thread("did Iveson send the keys?", "names Frank by his surname", asker, "silent"),
      thread("carol, are we still on for lunch?", "to Carol", asker, "silent"),
      thread("@Jo is that right?", "to Jo, typed", answered, "silent"),
      thread("@Jo is that right?", "to Jo", { ...answered, addressesOthers: true }, "silent"),
      thread("Mr Miller could you tell us when it opens?", "to someone who is not known", answered, "silent"),
      thread("Will, can you bring the keys?", "a name that is also a word, beside a comma", answered, "silent"),
      thread("did you ask Mark about the keys?", "the same, capitalised in mid-sentence", answered, "silent"),
      thread("kommst du, Ernst?", "the same, in German", answered, "silent"),
      thread("will guests get a key?", "here it is a word", answered, sure),
      thread("Will guests get a key?", "here too", answered, sure),
      thread("may I bring a dog?", "here too", answered, sure),
      thread("where do passports go? never mind, found it", "its author needs no answer now", answered, "silent"),
      thread("really?", "asks nobody", answered, "silent"),
      thread("what did he say about the keys?", "what one person did", answered, "silent"),
      thread("what are we doing about the keys?", "what they do", answered, "silent"),
      thread("who else is coming to the handover?", "who does it", answered, "silent"),
      thread("which keys are yours?", "what people have", answered, "silent"),
      thread("did you fill up the van?", "asks people, not documents: what they did", answered, "silent"),
      thread("is the release still running?", "the same: how things are now", answered, "silent"),
      thread("who left the door open?", "the same: who did something once", answered, "silent"),
      thread("how about a new rota for the desk?", "proposes something", answered, "silent"),
      thread("should the key go to me or to you?", "is between two people", answered, "silent"),
      thread("it closes at six, right?", "asks a person to agree", answered, "silent"),
      thread("who is on the desk this week?", "asks about this week", answered, "silent"),
      thread("is the late fee still 20 cents?", "asks what is in force", answered, sure),
      thread("are you allowed to park in the yard?", "asks about a rule", answered, sure),
      thread("yes", "after “Should I look further?”, from the one who asked", { ...asked, hasAsked: true }, "answers"),
      thread(
        "the second one",
        "after “Which one do you mean?”, from the one who asked",
        { ...asked, hasAsked: true },
        "answers",
      ),
      thread("thanks", "after “Should I look further?”", { ...asked, hasAsked: true }, "answers"),
      thread("yes", "the same, from someone else", asked, "silent"),
      thread("the second one", "the same, from someone else", asked, "silent"),
      thread(
        "the second one",
        "two messages later",
        { ...asked, hasAsked: true, sinceAnswer: { ms: minute, messages: 2, asks: true } },
        "silent",
      ),
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
      thread("thanks, that helped!", "from someone who has asked here", asker, "reacts with 🙌"),
      thread("ok cool", "from someone who has asked here", asker, "silent"),
      thread("thanks @Jo", "from someone who has asked here, to Jo", { ...asker, addressesOthers: true }, "silent"),
      thread("thanks!", "from someone else, right after the answer", justAnswered, "reacts with 🙌"),
      thread("thanks!", "from someone else, three messages after the answer", answered, "silent"),
      thread(
        "thanks all",
        "from someone else, long after the answer",
        { ...answered, sinceAnswer: { ms: 90 * minute, messages: 3, asks: false } },
        "silent",
      ),
      thread("/kb list", "in its thread", answered, "runs the command"),
    ],
  },
  {
    title: "Mode `thread`, elsewhere",
    cases: [
      thread("what about Tuesday?", "in the channel", {}, "silent"),
      thread("what about Tuesday?", "in a thread where Parley never answered", {}, "silent"),
      thread("/remind me", "in the channel", {}, "silent"),
    ],
  },
  {
    title: "Mode `channel`, without a mention",
    cases: [
      channel("how late can a guest check in?", "in the channel", {}, sure),
      channel("Can a guest check in at night? Mine is late.", "the mark ends a sentence", {}, sure),
      channel("how do I reset it", "a question word first", {}, sure),
      channel("Hi all, where do we park on Thursdays?", "a greeting of all", {}, sure),
      channel("who wants pizza?", "nothing in the documents", {}, sure),
      channel("deploy is done", "a statement", {}, "silent"),
      channel("can you restart the runner?", "asks people to do something", {}, "silent"),
      channel("can someone tell me how to restart the runner?", "asks for words", {}, sure),
      channel("hast du die Schürzen gewaschen?", "asks people, in German", {}, "silent"),
      channel("wer hat die Maschine geputzt?", "the same", {}, "silent"),
      channel("should I put the old slips in the new folder?", "asks people what to do", {}, "silent"),
      channel("anyone stuck in the lift?", "asks people how they are", {}, "silent"),
      channel("which table, the long or the round one?", "asks which one is meant", {}, "silent"),
      channel("warum hab ich fünf Nächte am Stück?", "asks people about the asker", {}, "silent"),
      channel("weißt du, wann wir zu haben?", "asks for words, in German", {}, sure),
      channel("did you see that? how long does it last?", "one of two questions is for documents", {}, sure),
      channel("@Jo can you look?", "to Jo", { addressesOthers: true }, "silent"),
      channel("Frank, can you look?", "to Frank", {}, "silent"),
      channel("thanks!", "in the channel", {}, "silent"),
      channel("and on Sundays", "in its thread, to Parley alone", alone, "answers"),
      channel("and on Sundays", "in its thread, among several people", asker, "silent"),
      channel("Is it different on Sundays?", "in its thread, from someone else", answered, sure),
      channel("> is it?", "quotes someone", {}, "silent"),
      channel("/etc/hosts is wrong, isn't it?", "a path", {}, "silent"),
      channel("/kb list", "in its thread", answered, "runs the command"),
    ],
  },
  {
    title: "Mode `every`, without a mention",
    cases: [
      every("deploy is done", "in the channel", {}, "answers"),
      every("@Jo deploy is done", "names a person", { addressesOthers: true }, "silent"),
      every("is Frank in today?", "names a person", {}, "silent"),
      every("thanks", "in the channel", {}, "reacts with 🙌"),
      every("ok cool", "in the channel", {}, "silent"),
      every("thanks @Jo", "to Jo", { addressesOthers: true }, "silent"),
    ],
  },
  {
    title: "Mode `mention`, without a mention",
    cases: [
      mention("and on Sundays?", "in its thread, alone with Parley", alone, "silent"),
      mention("thanks", "in its thread, from someone who has asked there", asker, "silent"),
      mention("/kb list", "in its thread", answered, "silent"),
    ],
  },
];
