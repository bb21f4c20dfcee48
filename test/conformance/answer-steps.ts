/** The part of the journey in which a bad answer leads to a better one: 👎, the gap, the answer, its proof, edit, remove. */
import type { ConsolePayload } from "../../adapters/console/writing/messages.ts";
import { buttonOf, type Chat, sourcesOf, textOf } from "./page-chat.ts";

export type Step = readonly [says: string, take: () => Promise<void>];

type Parts = {
  readonly chat: Chat;
  readonly agent: string;
  readonly base: string;
};

const question = "Who may borrow the spare key of the boathouse?";
const otherWords = "Which people may borrow a spare boathouse key?";
const answer = "Only the ferryman, for one night at most.";
const newAnswer = "Only the ropemaker, for two nights at most.";
const pauseMs = 1_000;
const attempts = 20;

/** Nothing in the knowledge base answers the question before. */
export function answerSteps({ chat, agent, base }: Parts): readonly Step[] {
  let gapId = "";

  async function asked(text: string): Promise<ConsolePayload> {
    const thread = await chat.send(text);
    const isEnd = ({ tone }: ConsolePayload) => ["done", "failed", "partial"].includes(tone);
    const shown = await chat.until(thread, "the answer", isEnd);
    if (shown.tone !== "done") throw new Error(textOf(shown));
    return shown;
  }

  /** The row has to be a source, and has to say who added it. */
  async function restsOnAnswer(text: string): Promise<void> {
    const shown = await asked(text);
    const own = sourcesOf(shown).find(({ from }) => from !== undefined);
    if (own?.title !== question) throw new Error(`the answer that was added is no source of: ${textOf(shown)}`);
    const from = (own.from ?? []).map(({ text }) => text).join("");
    if (!/^from someone on the page, \d/.test(from)) throw new Error(`it says “${from}”, not who added it`);
  }

  /** Opens the list anew until it is so: what follows a press or an answer is done after it. */
  async function listed(command: string, what: string, isIt: (shown: ConsolePayload) => boolean) {
    let text = "";
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const thread = await chat.send(command);
      const shown = await chat.until(thread, "the list", ({ tone }) => tone !== "running");
      if (isIt(shown)) return { thread, shown };
      text = textOf(shown);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    throw new Error(`${what} did not come; shown was: ${text}`);
  }

  const shows = (words: string) => (shown: ConsolePayload) => textOf(shown).includes(words);

  async function written(thread: string, text: string, context: string): Promise<void> {
    const values = { question, answer: text, base, urls: "", tell: ["yes"] };
    await chat.submit(thread, "kb answer", values, context);
    const isJudged = (shown: ConsolePayload) => /It works|Not yet|couldn't ask again/.test(textOf(shown));
    const proof = await chat.until(thread, "the proof", isJudged);
    if (!textOf(proof).includes("It works")) throw new Error(`it is not proved: ${textOf(proof)}`);
  }

  async function search(words: string): Promise<string> {
    const thread = await chat.send(`/kb search ${words} in:${base}`);
    return textOf(await chat.until(thread, "the passages", ({ tone }) => tone !== "running"));
  }

  return [
    [
      "lists a question after 👎 with a reason",
      async () => {
        const thread = await chat.send(question);
        const isEnd = ({ tone }: ConsolePayload) => tone === "done" || tone === "failed";
        const bad = await chat.until(thread, "the answer", isEnd);
        const down = buttonOf(bad, "thumb-down");
        await chat.press(thread, down.id, down.value);
        const values = { reason: "incomplete", comment: "It doesn't say who.", tell: ["yes"] };
        await chat.submit(thread, "feedback", values, down.value);
        const hasIt = (shown: ConsolePayload) => shows(question)(shown) && shows("👎 1")(shown);
        const { shown } = await listed(`/kb gaps ${agent}`, "the gap", hasIt);
        gapId = buttonOf(shown, "add-answer").value;
      },
    ],
    [
      "adds an answer, and proves that the agent rests on it",
      async () => written(await chat.send(`/kb gaps ${agent}`), answer, `gap ${gapId}`),
    ],
    ["answers other words for the question from that row, and says who added it", () => restsOnAnswer(otherWords)],
    [
      "replaces it: one row, and a search no longer shows the old text",
      async () => {
        const isListed = (shown: ConsolePayload) => shows("answer by")(shown);
        const { thread, shown } = await listed(`/kb show ${base}`, "the answer's entry", isListed);
        await written(thread, newAnswer, `answer ${buttonOf(shown, "edit-answer").value}`);
        await restsOnAnswer(otherWords);
        const found = await search(question);
        if (!found.includes(newAnswer)) throw new Error(`the new text is not there: ${found}`);
        if (found.includes(answer)) throw new Error(`the old text is still there: ${found}`);
        await listed(`/kb show ${base}`, "one entry", (list) => textOf(list).split("answer by").length === 2);
      },
    ],
    [
      "removes it: no longer listed or found",
      async () => {
        const { thread, shown } = await listed(`/kb show ${base}`, "the answer's entry", shows("answer by"));
        const [, number = ""] = new RegExp(`(\\d+)\\. ${question.replace("?", "\\?")}`).exec(textOf(shown)) ?? [];
        const button = buttonOf(shown, "remove-document", ` ${number}`);
        await chat.press(thread, button.id, button.value);
        const confirm = buttonOf(await chat.until(thread, "the question", ({ tone }) => tone === "waiting"), "confirm");
        await chat.press(thread, confirm.id, confirm.value);
        await chat.until(thread, "it is removed", (note) => textOf(note).startsWith("Removed"));
        const found = await search(question);
        if (found.includes(newAnswer)) throw new Error(`it is still found: ${found}`);
        await listed(`/kb gaps ${agent}`, "the question as open again", shows(question));
      },
    ],
  ];
}
