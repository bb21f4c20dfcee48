/** Sorts the files of a message: those that can be fetched, words that come with them, and what can only be named. */

import { oneLine, paragraphs, say } from "../../shared/reading.ts";
import type { SlackFile } from "../intake/events.ts";
import type { Work } from "./work.ts";

/** What Slack tells instead of the file when it was deleted. */
const goneModes: ReadonlySet<string> = new Set(["tombstone"]);

/** Modes and kinds of files whose content an app is not given, with the words for them. */
export const namedFiles: Readonly<Record<string, string>> = {
  hidden_by_limit: "a file that Slack hides beyond the free plan",
  external: "a file kept outside Slack",
  canvas: "a canvas",
  quip: "a canvas",
  list: "a list",
};

/** A file of another organisation, whose details have to be looked up by its id. */
export function isStub({ file_access: access }: SlackFile): boolean {
  return access === "check_file_info";
}

export function sortFiles(
  files: readonly SlackFile[],
  work: Work,
): { readonly words: string; readonly files: readonly SlackFile[] } {
  const words: string[] = [];
  const kept: SlackFile[] = [];
  const once = new Map(files.map((file) => [file.id, file]));
  for (const file of once.values()) {
    const { mode = "", filetype = "", file_access: access } = file;
    if (goneModes.has(mode) || access === "file_not_found") continue;
    const name = oneLine(file.title ?? file.name ?? "");
    const called = name === "" ? "" : ` (${name})`;
    const what = namedFiles[mode] ?? namedFiles[filetype];
    if (what !== undefined) work.found.unread.add(`${what}${called}`);
    else if (access === "access_denied" || isStub(file))
      work.found.unread.add(`a file that Slack doesn't share${called}`);
    else kept.push(file);
    words.push(wordsOf(file, work));
  }
  return { words: paragraphs(words), files: kept };
}

/** Slack shows the text of an email, and what was said in a voice message as far as it has written that down. */
function wordsOf(file: SlackFile, work: Work): string {
  const { mode, subject, plain_text: mail, transcription } = file;
  if (mode === "email") return paragraphs([say(subject ?? file.title ?? "", work), say(mail ?? "", work)]);
  const heard = transcription?.status === "complete" ? say(transcription.preview?.content ?? "", work) : "";
  if (heard === "") return "";
  const rest = transcription?.preview?.has_more === true ? " (the rest isn't shared)" : "";
  return `Voice message: ${heard}${rest}`;
}
