/** What the knowledge bases of this folder say, and how the embedded service quotes it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { even } from "./match.ts";

export type Place = { readonly file: string; readonly section: string | null };

/** The sentences with which the service says that it found nothing. */
export const refusal = /^(?:I found nothing about that|I have no documents|Ask me something)/;

/** As the service quotes a section. */
export function answerOf(base: string, place: Place): string {
  return `**${place.section ?? ""} (${place.file})** [1]\n\n${sectionOf(base, place)}`;
}

/** The text below a heading, or the whole table. */
function sectionOf(base: string, { file, section }: Place): string {
  const text = readFileSync(join(import.meta.dirname, "knowledge", base, file), "utf8");
  if (section === null) return text;
  const part = text.split(/^## /mu).find((one) => one.startsWith(`${section}\n`)) ?? "";
  return part.slice(section.length).trim();
}

const comparedChars = 60;

function beginningOf(section: string): string {
  return even(section).slice(0, comparedChars);
}

/** Whether a text has the beginning of that section. */
export function quotes(base: string, place: Place, text: string): boolean {
  return place.section !== null && even(text).includes(beginningOf(sectionOf(base, place)));
}
