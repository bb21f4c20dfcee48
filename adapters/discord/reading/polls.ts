/** Reads polls and stickers. */
import { z } from "zod";
import { momentText } from "../../../src/presentation/sentences.ts";
import { lines, mayRead, oneLine, say } from "../../shared/reading.ts";
import { flag, listOf, type Work, whole, words } from "./work.ts";

const mediaSchema = z.looseObject({
  text: words,
  emoji: z.looseObject({ name: words }).optional().catch(undefined),
});
const pollSchema = z.looseObject({
  question: mediaSchema.catch({ text: "", emoji: undefined }),
  answers: listOf(z.looseObject({ answer_id: whole, poll_media: mediaSchema })),
  expiry: words,
  allow_multiselect: flag,
  /** Absent: Discord didn't count, which doesn't mean that nobody voted. */
  results: z
    .looseObject({ is_finalized: flag, answer_counts: listOf(z.looseObject({ id: whole, count: whole })) })
    .optional()
    .catch(undefined),
});

export function readPoll(poll: unknown, work: Work): string {
  if (poll == null) return "";
  const parsed = pollSchema.safeParse(poll);
  if (!parsed.success) {
    work.found.unread.add("a poll");
    return "";
  }
  const { question, answers, expiry, allow_multiselect: isMultiple, results } = parsed.data;
  const end = Date.parse(expiry);
  const counts = new Map(results?.answer_counts.map(({ id, count }) => [id, count]));
  const notes = [
    isMultiple ? "several answers can be chosen" : "",
    results?.is_finalized === true ? "voting has ended" : Number.isNaN(end) ? "" : `voting ends ${momentText(end)}`,
  ].filter((note) => note !== "");
  return lines([
    `Poll: ${oneLine(say(question.text, work))}`,
    ...answers.map(({ answer_id: id, poll_media: { text, emoji } }) => {
      if (!mayRead(work)) return "";
      const said = [emoji?.name ?? "", oneLine(say(text, work))].filter((part) => part !== "").join(" ");
      if (results === undefined) return `- ${said}`;
      const count = counts.get(id) ?? 0;
      return `- ${said}: ${count} ${count === 1 ? "vote" : "votes"}`;
    }),
    notes.length === 0 ? "" : `(${notes.join("; ")})`,
  ]);
}

const stickerSchema = z.looseObject({ name: words });

export function readStickers(stickers: readonly unknown[], work: Work): string {
  return lines(
    stickers.map((one) => {
      const name = oneLine(say(stickerSchema.safeParse(one).data?.name ?? "", work));
      if (name === "") work.found.unread.add("a sticker");
      return name === "" ? "" : `[sticker: ${name}]`;
    }),
  );
}
