/** What can be attached, as the server has it too: a file that is too large isn't even sent. */
import { plain } from "../drawing/element.ts";

export const maxFiles = 10;
export const maxFileBytes = 25 * 1024 * 1024;
/** A longer text is pasted as a file: a question has at most 120,000 characters. */
export const maxPastedChars = 100_000;

/** "812 B", "14 kB", "2.4 MB". */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Why these can't be attached, as one sentence each; the others can. */
export function sorted(
  files: Iterable<File>,
  count: number,
): { readonly fitting: readonly File[]; readonly problem: string } {
  const fitting: File[] = [];
  const problems: string[] = [];
  for (const file of files) {
    const name = plain(file.name);
    if (file.size === 0) problems.push(`“${name}” is empty.`);
    else if (file.size > maxFileBytes) problems.push(`“${name}” is larger than ${maxFileBytes / 1024 ** 2} MB.`);
    else if (count + fitting.length < maxFiles) fitting.push(file);
    else problems.push(`“${name}” wasn’t attached: the limit is ${maxFiles} files.`);
  }
  const more = problems.length - 3;
  const shown = more > 0 ? [...problems.slice(0, 3), `${more} more weren’t attached.`] : problems;
  return { fitting, problem: shown.join(" ") };
}
