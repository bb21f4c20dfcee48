/** Writes the rest of an answer as a Markdown file. Characters that hide or reverse text are removed. */
import { cleanText } from "../drawing/sanitise.ts";
import { type Rest, restMarkdown } from "./cut-blocks.ts";

type RestFile = { readonly name: string; readonly content: string; readonly mediaType: string };

/** Characters cleaned in one go. */
const pieceChars = 50_000;

/** In pieces, because it may be megabytes; `pause` lets other work run. */
export async function restFile(rest: Rest, pause: () => Promise<void>): Promise<RestFile> {
  const pieces: string[] = [];
  let chars = 0;
  for (const written of restMarkdown(rest)) {
    for (const piece of inPieces(written)) {
      pieces.push(cleanText(piece));
      chars += piece.length;
      if (chars < pieceChars) continue;
      chars = 0;
      await pause();
    }
  }
  return answerFile(pieces);
}

/** Synchronous, for small rests. */
export function restFileNow(rest: Rest): RestFile {
  return answerFile([cleanText([...restMarkdown(rest)].join(""))]);
}

function answerFile(pieces: readonly string[]): RestFile {
  return { name: "answer.md", content: cleanEnds(pieces.join("")), mediaType: "text/markdown; charset=utf-8" };
}

function cleanEnds(text: string): string {
  return `${text.replace(/^\n+/, "").trimEnd()}\n`;
}

/** Between lines where there are any: what belongs together stays together. */
function* inPieces(text: string): Generator<string, void> {
  let at = 0;
  while (at < text.length) {
    const lineEnd = text.lastIndexOf("\n", at + pieceChars) + 1;
    let end = at + pieceChars >= text.length ? text.length : lineEnd > at ? lineEnd : at + pieceChars;
    if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && end < text.length) end += 1;
    yield text.slice(at, end);
    at = end;
  }
}
