/** Questions for benches, the same on every machine. Words are drawn as in real text, where few are frequent. */

let seed = 7;

/** From the beginning again. */
export function restartQuestions(): void {
  seed = 7;
}

/** Mulberry32: the same numbers on every machine. */
function random(): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
}

const vocabulary = Array.from({ length: 4_000 }, (_, index) =>
  `zq${index.toString(36)}w`.replace(/\d/g, (d) => "abcdefghij"[Number(d)] ?? ""),
);
/** Zipf's law: the n-th word is about 1/n as frequent as the first. */
const word = () => vocabulary[Math.floor(vocabulary.length ** random()) - 1] ?? "zq";
const verbs = ["cancel", "reset", "change", "share", "export", "approve", "book", "order", "create", "delete"];
const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? "";

export const question = () =>
  `How do I ${random() < 0.7 ? pick(verbs) : ""} the ${Array.from({ length: 1 + Math.floor(random() * 4) }, word).join(" ")}?`;
