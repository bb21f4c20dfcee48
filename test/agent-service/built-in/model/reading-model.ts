/** What a model that can read replies to the built-in service: from the passages in the question, by their words. */
type Passage = { readonly passage: number; readonly title: string; readonly text: string };

const marker = "Question:\n";
const searchMark = "SEARCH:";

/** `texts`: all that was said, oldest first. The best passage in its own words, with its mark; else it searches once. */
export function readingReply(texts: readonly string[]): string {
  const asked = texts.findLast((text) => text.includes(marker)) ?? "";
  const question = wordsIn(asked.slice(asked.lastIndexOf(marker) + marker.length));
  const passages = texts.flatMap((text) => text.split("\n")).flatMap(passageIn);
  const rated = passages
    .map((passage) => ({
      passage,
      shared: [...wordsIn(`${passage.title} ${passage.text}`)].filter((word) => question.has(word)).length,
    }))
    .sort((a, b) => b.shared - a.shared);
  const [best] = rated;
  if (best !== undefined && best.shared > 0)
    return `From the documents: ${lastParagraph(best.passage.text)} [${best.passage.passage}]`;
  const hasSearched = texts.some((text) => text.startsWith(searchMark));
  return hasSearched || !asked.includes(searchMark)
    ? "I don't know."
    : `${searchMark} ${[...question].slice(0, 3).join(" ")}`;
}

/** A page's text begins with its title. */
function lastParagraph(text: string): string {
  return text.trim().split("\n\n").at(-1) ?? "";
}

function passageIn(line: string): readonly Passage[] {
  if (!line.startsWith('{"passage":')) return [];
  return [JSON.parse(line) as Passage];
}

/** Longer words only: the others are in every text. */
function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/\p{L}{5,}/gu) ?? []);
}
