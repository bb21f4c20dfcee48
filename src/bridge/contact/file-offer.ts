/**
 * Answers a message that wants its files saved: "add this to handbook". It gets an offer with a button instead of being
 * asked as a question; nothing is saved before someone presses it.
 */

import { refusalDocument } from "../../access/refusal.ts";
import { rolesOf } from "../../access/roles.ts";
import { wordsOf } from "../../core/languages/languages.ts";
import { errorDocument } from "../../presentation/drawing.ts";
import { claimMs, type IntakeApp, type Message } from "../intake/app.ts";
import { folded, withoutEmoji } from "../intake/pleasantries.ts";
import { placeOfNotice } from "./welcome.ts";

/** False: the message wants something else. */
export async function offerFiles(app: IntakeApp, message: Message): Promise<boolean> {
  const { reach, notices, commandLimit, people, sites, settings, log } = app;
  const { saving, commands } = app.commandsIn(message);
  const { claims } = app.state;
  const { actor, place, conversation, attachments, eventKey } = message;
  if (saving === undefined || attachments.length === 0 || actor.isBot) return false;
  // A person who can't ask is refused as with every question.
  if (!reach.may(actor, "ask", place).allowed) return false;
  const wish = wishToSave(
    message.text,
    attachments.map(({ name }) => name),
  );
  if (wish === undefined) return false;
  const verdict = reach.may(actor, "ingest", place);
  const tooMany = await commandLimit.refuse(actor, place);
  if (verdict.allowed && tooMany === undefined) {
    const roles = rolesOf(actor, place, settings.roles);
    const context = { actor, place, conversation, attachments, eventKey, roles };
    const document = await saving.offerFiles(attachments, wish.base, context);
    await notices.post({ key: `save-file/${eventKey}`, place: placeOfNotice(message, sites), document });
    log.info({ eventKey, files: attachments.length }, "Saving the files of a message was offered");
    await message.ack({ kind: "none" });
    return true;
  }
  await message.ack({ kind: "none" });
  if (!(await claims.claim(eventKey, claimMs))) return true;
  if (tooMany !== undefined) await message.reply.send(errorDocument(tooMany), "private");
  else if (!verdict.allowed) {
    await message.reply.send(await refusalDocument(message, verdict, settings.roles.managers, people), "private");
    await commands.refused({ kind: "save" }, "ingest", message);
  }
  return true;
}

/**
 * That a message wants its files saved, in ten languages: "add this to handbook", "please remember". A message counts
 * only if all of it is in these tables: "add up the numbers" and "save it and tell me why" ask something.
 */
type FileWish = {
  /** The knowledge base as it was typed; perhaps there is none of that name. */
  readonly base?: string;
};

const maxChars = 120;
const maxBaseWords = 3;

/** Accents of Latin letters may be missing. */
const verbs = wordsOf("saving", "verbs").map(folded);
const around = wordsOf("saving", "around").map(folded);
/** Before the name of a knowledge base. */
const before = wordsOf("saving", "beforeBase").map(folded);
/** Between the two. */
const articles = wordsOf("saving", "articles").map(folded);
/** Behind the name, in Japanese. */
const behind = wordsOf("saving", "behindBase").map(folded);

const spaceless = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;

/** `fileNames`: of the message's files, which can be named in it. Undefined: the message wants something else. */
export function wishToSave(text: string, fileNames: readonly string[]): FileWish | undefined {
  if (text.length > maxChars + fileNames.join().length) return undefined;
  const words = plainText(fileNames.reduce((left, name) => left.replaceAll(name, " "), text));
  if (words === "" || words.length > maxChars) return undefined;
  const reading = readFrom(words, 0, { hasVerb: false, mayName: true }, new Map());
  if (reading === undefined) return undefined;
  return reading.base === undefined ? {} : { base: reading.base };
}

/** How the rest of a message reads; `unknown`: words that are in no table, so must be a name. */
type Reading = { readonly base?: string; readonly unknown: number };
type State = { readonly hasVerb: boolean; readonly mayName: boolean };

function readFrom(
  text: string,
  start: number,
  state: State,
  known: Map<string, Reading | undefined>,
): Reading | undefined {
  if (start >= text.length) return state.hasVerb ? { unknown: 0 } : undefined;
  const key = `${start} ${state.hasVerb} ${state.mayName}`;
  if (known.has(key)) return known.get(key);
  let best: Reading | undefined;
  const consider = (
    end: number | undefined,
    next: State,
    named: { base?: string; unknown: number } = { unknown: 0 },
  ) => {
    const rest = end === undefined ? undefined : readFrom(text, end, next, known);
    if (rest === undefined) return;
    const reading = { ...rest, ...named, unknown: rest.unknown + named.unknown };
    if (best === undefined || reading.unknown < best.unknown) best = reading;
  };
  for (const phrase of verbs) consider(endOf(text, start, phrase), { ...state, hasVerb: true });
  for (const phrase of around) consider(endOf(text, start, phrase), state);
  if (state.mayName) {
    const next = { ...state, mayName: false };
    for (const phrase of before) {
      const end = endOf(text, start, phrase);
      if (end === undefined) continue;
      for (const name of namesFrom(text, afterArticles(text, end))) {
        consider(name.end, next, { base: name.base, unknown: name.words });
      }
    }
    for (const name of namesFrom(text, start)) {
      for (const phrase of behind) {
        consider(endOf(text, name.end, phrase), next, { base: name.base, unknown: name.words });
      }
    }
  }
  known.set(key, best);
  return best;
}

/** Where the text continues behind the phrase; undefined if there is no such whole word. */
function endOf(text: string, start: number, phrase: string): number | undefined {
  if (!text.startsWith(phrase, start)) return undefined;
  const end = start + phrase.length;
  const next = text.slice(end, end + 2);
  if (next === "" || next.startsWith(" ")) return next === "" ? end : end + 1;
  return spaceless.test(phrase) || spaceless.test(next) ? end : undefined;
}

function afterArticles(text: string, start: number): number {
  for (const article of articles) {
    const end = endOf(text, start, article);
    if (end !== undefined && end < text.length) return afterArticles(text, end);
  }
  return start;
}

function namesFrom(text: string, start: number) {
  const found: { readonly base: string; readonly end: number; readonly words: number }[] = [];
  let end = start;
  for (let words = 1; words <= maxBaseWords && end < text.length; words += 1) {
    const space = text.indexOf(" ", end);
    const wordEnd = space === -1 ? text.length : space;
    if (spaceless.test(text.slice(end))) break;
    found.push({ base: text.slice(start, wordEnd), end: space === -1 ? wordEnd : space + 1, words });
    end = space === -1 ? wordEnd : space + 1;
  }
  return found;
}

/** Lower case with one space between words; names keep their dots, dashes and underscores. */
function plainText(text: string): string {
  const plain = withoutEmoji(text)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(?<=\p{L})['’ʼ`´](?=\p{L})/gu, "")
    .replace(/[^\p{L}\p{M}\p{N}_.-]+/gu, " ")
    .replace(/(?<![\p{L}\p{N}_])[.-]+|[.-]+(?![\p{L}\p{N}_])/gu, " ");
  return folded(plain)
    .replace(/(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー])(?=[\p{Script=Latin}\p{N}_])/gu, " ")
    .replace(/(?<=[\p{Script=Latin}\p{N}_])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー])/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
}
