/**
 * Reads a Slack message as a person sees it: the one function for that, wherever messages are read. Pure: what has to
 * be looked up is passed in.
 */

import { paragraphs, type Reading, say } from "../../shared/reading.ts";
import { readFiles, type SlackFile, type SlackMessage } from "../intake/events.ts";
import { attachmentOf } from "../intake/files.ts";
import { type NameOf, plainText } from "../intake/inbound-text.ts";
import { readAttachments } from "./attachments.ts";
import { readBlocks } from "./blocks.ts";
import { saidOnce } from "./said-once.ts";
import { isStub, sortFiles } from "./shared-files.ts";
import { maxReadChars, newWork } from "./work.ts";

/** What was looked up before. */
export type Lookups = {
  /** Names of people, channels and user groups by id. */
  readonly nameOf: NameOf;
  /** Details of a file that came with its id alone. */
  readonly fileOf?: (id: string) => SlackFile | undefined;
};

/** `mentionsOwn`: elements of its blocks mention Parley. */
export type SlackReading = Reading & { readonly mentionsOwn: boolean };

/** A message that the workspace's own keys hide. */
export const hiddenSubtype = "ekm_access_denied";

type Readable = Pick<SlackMessage, "text" | "blocks" | "attachments" | "files" | "subtype">;

export function readMessage(message: Readable, ownUserId: string, { nameOf, fileOf }: Lookups): SlackReading {
  const work = newWork({ decode: (text) => plainText(text, ownUserId, nameOf), nameOf, ownUserId });
  if (message.subtype === hiddenSubtype) work.found.unread.add("a message that Slack hides");
  const text = say(message.text ?? "", work);
  // The same words again, mostly: they share no room with the text.
  const ofBlocks = newWork(work);
  const shown = saidOnce(text, readBlocks(message.blocks, ofBlocks));
  work.found.charsLeft = Math.max(0, maxReadChars - shown.length);
  work.found.partsLeft = ofBlocks.found.partsLeft;
  for (const part of ofBlocks.found.unread) work.found.unread.add(part);
  const named = new Set(ofBlocks.named);
  const attached = readAttachments(message.attachments, work);
  const raw = [...(message.files ?? []), ...readFiles([...ofBlocks.found.files, ...work.found.files])];
  const files = sortFiles(
    raw.map((file) => (isStub(file) ? (fileOf?.(file.id) ?? file) : file)),
    work,
  );
  const isCut = work.found.isCut || ofBlocks.found.isCut;
  const more = isCut
    ? `(The rest of this message is left out: only ${maxReadChars.toLocaleString("en")} characters of a message are read.)`
    : "";
  const isForwardCut = isCut && attached.forwarded !== "";
  return {
    own: paragraphs([shown, attached.own, files.words, isForwardCut ? "" : more]).trim(),
    quoted: paragraphs([attached.forwarded, isForwardCut ? more : ""]),
    attachments: files.files.map(attachmentOf),
    unread: [...work.found.unread],
    mentionsOwn: named.has(ownUserId),
  };
}
