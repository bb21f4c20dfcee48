/**
 * Folds text, so that a search finds it whatever its case, accents and width, and marks what was found. Where words begin
 * isn't asked: Chinese, Japanese and Thai don't show it.
 */

const isAscii = /^[\0-\x7f]*$/;
const accents = /[\u0300-\u036f]/g;
/** Most texts use few different characters. */
const known = new Map<string, string>();
const maxKnown = 20_000;

function foldCharacter(character: string): string {
  const found = known.get(character);
  if (found !== undefined) return found;
  // Upper case first: "ß" is found by "ss", and both small sigmas are one.
  const folded = character.normalize("NFKD").replace(accents, "").toUpperCase().toLowerCase().normalize("NFKD");
  if (known.size >= maxKnown) known.clear();
  known.set(character, folded);
  return folded;
}

export function fold(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  let folded = "";
  for (const character of text) folded += foldCharacter(character);
  return folded;
}

export type Piece = { readonly text: string; readonly isFound: boolean };

/** What a person searches for, folded; each word has to occur, anywhere. */
export function wordsOf(query: string, maxWords: number): readonly string[] {
  const words = fold(query)
    .split(/\s+/)
    .filter((word) => word !== "");
  return [...new Set(words)].slice(0, maxWords);
}

/** The text in pieces, marked where one of the words is. */
export function marked(text: string, words: readonly string[]): readonly Piece[] {
  // Where each character of the folded text comes from.
  const from: number[] = [];
  let folded = "";
  let at = 0;
  for (const character of text) {
    const part = foldCharacter(character);
    for (let index = 0; index < part.length; index += 1) from.push(at);
    folded += part;
    at += character.length;
  }
  from.push(text.length);
  const found = new Uint8Array(text.length + 1);
  for (const word of words) {
    for (let begin = folded.indexOf(word); begin >= 0; begin = folded.indexOf(word, begin + word.length)) {
      // The last character as a whole, although only a part of it may have matched.
      const last = from[begin + word.length - 1] ?? 0;
      const end = last + ((text.codePointAt(last) ?? 0) > 0xffff ? 2 : 1);
      found.fill(1, from[begin] ?? 0, Math.min(end, text.length));
    }
  }
  const pieces: Piece[] = [];
  for (let begin = 0; begin < text.length; ) {
    let end = begin + 1;
    while (end < text.length && found[end] === found[begin]) end += 1;
    pieces.push({ text: text.slice(begin, end), isFound: found[begin] === 1 });
    begin = end;
  }
  return pieces;
}

/** Enough around the first word for an excerpt; marking a long message whole would hold up everyone. */
const nearChars = 1_000;

/** Where in the text the first of the words is; 0 if none is. */
function firstOf(text: string, words: readonly string[]): number {
  for (let at = 0; at < text.length; at += nearChars) {
    // With room for a word that begins here and ends in the next part.
    const part = fold(text.slice(at, at + 2 * nearChars));
    if (words.some((word) => part.includes(word))) return at;
  }
  return 0;
}

/** About `chars` of the text around the first of the words, on one line. */
export function excerptOf(text: string, words: readonly string[], chars: number): readonly Piece[] {
  const near = Math.max(0, firstOf(text, words) - chars);
  const part = text.slice(near, near + chars + 3 * nearChars);
  const pieces = marked(part.replace(/\s+/g, " ").trim(), words);
  const first = pieces.findIndex(({ isFound }) => isFound);
  const before = pieces.slice(0, Math.max(0, first));
  const kept: Piece[] = [];
  let left = chars;
  for (const piece of pieces.slice(Math.max(0, first))) {
    if (left <= 0) break;
    const cut = [...piece.text].slice(0, left).join("");
    kept.push({ text: cut.length < piece.text.length ? `${cut}…` : cut, isFound: piece.isFound });
    left -= cut.length;
  }
  const lead = [...before.map(({ text: words }) => words).join("")];
  const leadChars = Math.floor(chars / 4);
  const start = lead.slice(-leadChars).join("");
  const isCut = near > 0 || lead.length > leadChars;
  return start === "" ? kept : [{ text: isCut ? `…${start}` : start, isFound: false }, ...kept];
}
