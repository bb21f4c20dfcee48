/** Decides whether an answer has what a labelled question demands (mustContain). */

/** Lower case, white space evened out, thousands separators and Markdown marks dropped. */
export function even(text: string): string {
  return text
    .toLowerCase()
    .replace(/[*`_]/gu, "")
    .replace(/(?<![\d.,])\d{1,3}(?:[.,]\d{3})+(?![.,]?\d)/gu, (number) => number.replace(/[.,]/gu, ""))
    .replace(/\s+/gu, " ")
    .trim();
}

function numbersIn(text: string): number[] {
  return (even(text).match(/\d+(?:[.,]\d+)?/gu) ?? []).map((found) => Number(found.replace(",", ".")));
}

/** A demanded number is met by any number that equals it when rounded or cut to as many decimals. */
function hasNumber(answer: string, demanded: string): boolean {
  const plain = even(demanded).replace(",", ".");
  const decimals = plain.split(".")[1]?.length ?? 0;
  const factor = 10 ** decimals;
  const wanted = Math.round(Number(plain) * factor);
  return numbersIn(answer).some(
    (found) => Math.round(found * factor) === wanted || Math.floor(found * factor + 1e-9) === wanted,
  );
}

/** Whether the answer has one demanded string: numbers as numbers, everything else as text. */
export function has(answer: string, demanded: string): boolean {
  return /^\d+(?:[.,]\d+)?$/u.test(demanded.trim())
    ? hasNumber(answer, demanded)
    : even(answer).includes(even(demanded));
}

/** Whether the answer has all demanded strings. */
export function meets(answer: string, mustContain: readonly string[]): boolean {
  return mustContain.every((demanded) => has(answer, demanded));
}
