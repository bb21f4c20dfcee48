/**
 * Searches conversations, the newest first: every word has to occur in the title, a question or an answer. One request
 * reads a limited number of them, and says where the next one continues.
 */
import { setImmediate as nextLoopTurn } from "node:timers/promises";
import { excerptOf, marked, type Piece, wordsOf } from "../../../src/core/text/folding.ts";
import { plainText } from "../../../src/presentation/markdown.ts";
import { maxFound, maxSearchedAtOnce, maxSearchedCharsAtOnce, maxSearchWords } from "../limits.ts";
import type { ConsoleMessage } from "../writing/messages.ts";
import type { ConsoleStore } from "../writing/store.ts";
import type { ListedOf } from "./listing.ts";
import { type TextPart, textOf } from "./texts.ts";
import { threadOfKey } from "./thread-key.ts";

export type Found = {
  readonly channel: string;
  readonly thread: string;
  /** The message that says it; absent where only the title does. */
  readonly messageId?: string;
  readonly title: readonly Piece[];
  readonly excerpt: readonly Piece[];
  readonly atMs: number;
};

export type SearchResult = {
  readonly found: readonly Found[];
  /** Where the search continues; absent at the end. */
  readonly next?: string;
};

/** Each has up to `maxSearchedChars`. */
const batch = 10;
const excerptChars = 160;
const titleChars = 200;

/** Undefined: it does not say all of it. Otherwise the part that says most, or the title. */
function matchOf(parts: readonly TextPart[], words: readonly string[]): TextPart | undefined {
  const missing = new Set(words);
  let best: TextPart | undefined;
  let bestCount = 0;
  for (const part of parts) {
    let count = 0;
    for (const word of words) {
      if (!part.text.includes(word)) continue;
      count += 1;
      missing.delete(word);
    }
    // Of equal ones a message, since the title is shown anyway.
    if (count > bestCount || (count === bestCount && count > 0 && best?.id === undefined)) {
      best = part;
      bestCount = count;
    }
  }
  return missing.size === 0 ? best : undefined;
}

/** Answers without the marks of Markdown, unless a word is only there in a link's address. */
function excerptIn(message: ConsoleMessage, words: readonly string[]): readonly Piece[] {
  const text = textOf(message);
  const plain = message.author === "parley" ? excerptOf(plainText(text), words, excerptChars) : [];
  return plain.some(({ isFound }) => isFound) ? plain : excerptOf(text, words, excerptChars);
}

export function createSearch({ store }: { readonly store: ConsoleStore }) {
  const { listing, texts } = store;

  async function describe(key: string, { id }: TextPart, words: readonly string[]): Promise<Found | undefined> {
    const at = threadOfKey(key);
    const summary = await store.summary(at);
    if (summary?.lastOrder === undefined) return undefined;
    const message = id === undefined ? undefined : await store.get(at, id);
    const about = { ...at, title: marked(summary.title.slice(0, titleChars), words), atMs: summary.lastAtMs ?? 0 };
    if (message === undefined) return { ...about, excerpt: [] };
    return {
      ...about,
      messageId: message.id,
      excerpt: excerptIn(message, words),
      atMs: message.atMs,
    };
  }

  /**
   * `of`: a person's own conversations, or those of channels. `channels`: what may be read now. `before`: the `next` of
   * the part before.
   */
  return async (
    query: string,
    of: ListedOf,
    channels: readonly string[],
    before = Number.MAX_SAFE_INTEGER,
  ): Promise<SearchResult> => {
    const words = wordsOf(query, maxSearchWords);
    const found: Found[] = [];
    if (words.length === 0) return { found };
    let below = before;
    let chars = 0;
    for (let searched = 0; searched < maxSearchedAtOnce; searched += batch) {
      const keys = await listing.keys(of, below, batch);
      const parts = await Promise.all(keys.map(({ key }) => texts.read(key)));
      for (const [index, { key, order }] of keys.entries()) {
        below = order;
        const said = parts[index] ?? [];
        for (const { text } of said) chars += text.length;
        if (!channels.includes(threadOfKey(key).channel)) continue;
        const match = matchOf(said, words);
        const described = match === undefined ? undefined : await describe(key, match, words);
        if (described !== undefined) found.push(described);
        if (found.length >= maxFound) return { found, next: String(below) };
      }
      if (keys.length < batch) return { found };
      if (chars >= maxSearchedCharsAtOnce) break;
      await nextLoopTurn();
    }
    return { found, next: String(below) };
  };
}
