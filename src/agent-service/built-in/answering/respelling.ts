/** Reads a question with misspelt words as the knowledge spells them. Names and numbers stay as they are. */
import { type FoundPassage, headingOf, type PassageSearch } from "./passage-search.ts";
import { type Exchange, readQuestion } from "./question.ts";
import { folded, likeness, readWords } from "./words.ts";

/** Each looked-up word costs a search, so only the first few are looked up. */
const maxWords = 3;
/** A short word is too like others: by two letters that changed places, one too many or too few, and one for another. */
const minSwapped = 5;
const minMissing = 6;
const minReplaced = 7;

/** Letters that are written for each other by sound or beside each other on a keyboard. */
const alike = [
  ...["aeiouy", "cs", "ck", "sz", "fv", "mn", "dt", "bp"],
  ...["qw", "we", "er", "rt", "tz", "ty", "zu", "ui", "io", "op", "as", "sd", "df", "fg", "gh", "hj", "jk", "kl"],
  ...["xc", "cv", "vb", "bn"],
];

/** The messages with the last question's unknown words as they are spelled. Undefined if none has another spelling. */
export function respelled(
  passages: PassageSearch,
  bases: readonly number[],
  messages: readonly Exchange[],
): readonly Exchange[] | undefined {
  const last = messages.at(-1);
  if (last === undefined) return undefined;
  const { terms } = readQuestion(messages);
  const unknown = terms.filter((term) => term.weight >= 1 && !term.isRequired && !passages.isKnown(bases, term));
  let { question } = last;
  for (const { word } of unknown.slice(0, maxWords)) {
    const spelled = spellingOf(word, passages.spelledLike(bases, word));
    const found = readWords(question).find((one) => one.word === word);
    if (spelled === undefined || found === undefined) continue;
    question = question.slice(0, found.at) + spelled + question.slice(found.at + found.written.length);
  }
  return question === last.question ? undefined : [...messages.slice(0, -1), { ...last, question }];
}

/** The only word of the passages that it can be, however often and in whichever forms they have it. */
function spellingOf(word: string, passages: readonly FoundPassage[]): string | undefined {
  const all = passages.flatMap((passage) => readWords(`${headingOf(passage)}\n${passage.content}`));
  const spelled = [...new Set(all.map((one) => one.word))].filter((other) => isMisspelt(word, other));
  const [first] = spelled;
  return first !== undefined && spelled.every((other) => likeness(first, other) === 1) ? first : undefined;
}

/** Whether one letter or two neighbours make the difference. The first letter is seldom wrong. */
function isMisspelt(word: string, right: string): boolean {
  const [one, other] = [folded(word), folded(right)];
  if (one === other || one[0] !== other[0] || /[^\p{L}]/u.test(one + other)) return false;
  let begin = 0;
  while (begin < one.length && one[begin] === other[begin]) begin += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - begin && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [wrong, due] = [one.slice(begin, one.length - end), other.slice(begin, other.length - end)];
  // Another ending is another form, or another word.
  if (wrong.length + due.length === 1) return end > 0 && other.length >= minMissing;
  if (wrong.length !== due.length) return false;
  if (wrong.length === 2) return wrong[0] === due[1] && wrong[1] === due[0] && one.length >= minSwapped;
  return (
    wrong.length === 1 &&
    end > 0 &&
    one.length >= minReplaced &&
    alike.some((letters) => letters.includes(wrong) && letters.includes(due))
  );
}
