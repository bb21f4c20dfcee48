/** Finds the terms of Japanese and Chinese text, which has no spaces: known words first, then pairs of characters. */
import { languages, listed, meanings } from "../../core/languages/languages.ts";
import { trimEnd } from "../../core/tools/trim-end.ts";
import { spacelessNames } from "./names.ts";
import type { Terms } from "./terms.ts";
import { folded } from "./vocabulary.ts";

type Entry = { readonly text: string; readonly note: (terms: Terms) => void };

const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const kept = /[\p{Script=Han}\p{Script=Katakana}ー々]/u;
const katakana = /^[\p{Script=Katakana}ー]+$/u;

const prepared = new Map<"ja" | "zh", ReadonlyMap<string, readonly Entry[]>>();

/** By first character, longest first. */
function entriesOf(locale: "ja" | "zh"): ReadonlyMap<string, readonly Entry[]> {
  const known = prepared.get(locale);
  if (known !== undefined) return known;
  const table = languages[locale].grouping ?? {};
  const entries: Entry[] = [
    ...listed(table.empty).map((text) => ({ text, note: () => {} })),
    ...listed(table.negation).map((text) => ({ text, note: (terms: Terms) => terms.anchor("not") })),
    ...meanings(table.same).flatMap(([name, texts]) =>
      texts.map((text) => ({ text, note: (terms: Terms) => terms.add({ name, kind: "concept" }) })),
    ),
    ...meanings(table.actions).flatMap(([name, texts]) =>
      texts.map((text) => ({ text, note: (terms: Terms) => terms.add({ name, kind: "action" }) })),
    ),
    ...[...spacelessNames(locale)].map(([text, anchor]) => ({ text, note: (terms: Terms) => terms.anchor(anchor) })),
  ];
  const byFirst = new Map<string, Entry[]>();
  for (const entry of entries) {
    const text = folded(entry.text);
    byFirst.set(text.slice(0, 1), [...(byFirst.get(text.slice(0, 1)) ?? []), { ...entry, text }]);
  }
  for (const [first, found] of byFirst) {
    byFirst.set(
      first,
      found.toSorted((a, b) => b.text.length - a.text.length),
    );
  }
  prepared.set(locale, byFirst);
  return byFirst;
}

/** `text` is folded, and has no Latin words. Kana tell Japanese from Chinese, anywhere in the question. */
export function addSpacelessTerms(text: string, terms: Terms): void {
  const entries = entriesOf(kana.test(text) ? "ja" : "zh");
  let run = "";
  const endRun = () => {
    addRun(run, terms);
    run = "";
  };
  for (let at = 0; at < text.length; ) {
    const entry = entries.get(text[at] ?? "")?.find((candidate) => text.startsWith(candidate.text, at));
    if (entry !== undefined) {
      endRun();
      entry.note(terms);
      at += entry.text.length;
      continue;
    }
    const character = text[at] ?? "";
    // A loanword and a word in Han characters are two.
    const continues = kept.test(character) && (run === "" || katakana.test(run) === katakana.test(character));
    if (!continues) endRun();
    if (kept.test(character)) run += character;
    at += 1;
  }
  endRun();
}

function addRun(run: string, terms: Terms): void {
  if (run === "") return;
  if (katakana.test(run)) terms.add({ name: trimEnd(run, "ー"), kind: "word" });
  else if (run.length === 1) terms.add({ name: run, kind: "word" });
  else for (let at = 0; at + 2 <= run.length; at += 1) terms.add({ name: run.slice(at, at + 2), kind: "word" });
}
