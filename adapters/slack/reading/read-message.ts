/**
 * Reads a Slack message as a person sees it: the one function for that, wherever messages are read. Pure: what has to
 * be looked up is passed in.
 */
import type { Attachment } from "../../../src/core/model/place.ts";
import { readFiles, type SlackFile, type SlackMessage } from "../intake/events.ts";
import { attachmentOf } from "../intake/files.ts";
import { type NameOf, plainText } from "../intake/inbound-text.ts";
import { readAttachments } from "./attachments.ts";
import { readBlocks } from "./blocks.ts";
import { saidOnce } from "./said-once.ts";
import { isStub, sortFiles } from "./shared-files.ts";
import { maxReadChars, newWork, paragraphs, say } from "./work.ts";

/** What was looked up before. */
export type Lookups = {
  /** Names of people, channels and user groups by id. */
  readonly nameOf: NameOf;
  /** Details of a file that came with its id alone. */
  readonly fileOf?: (id: string) => SlackFile | undefined;
};

export type Reading = {
  /** What its author or its app says. Close to Markdown. */
  readonly own: string;
  /** Messages that it forwards, each with its author. */
  readonly quoted: string;
  /** Of the message and of what it forwards. */
  readonly attachments: readonly Attachment[];
  /** What can't be read, as noun phrases. */
  readonly unread: readonly string[];
  /** Elements of its blocks mention Parley. */
  readonly mentionsOwn: boolean;
};

/** A message that the workspace's own keys hide. */
export const hiddenSubtype = "ekm_access_denied";

type Readable = Pick<SlackMessage, "text" | "blocks" | "attachments" | "files" | "subtype">;

export function readMessage(message: Readable, ownUserId: string, { nameOf, fileOf }: Lookups): Reading {
  const work = newWork({ decode: (text) => plainText(text, ownUserId, nameOf), nameOf, ownUserId });
  if (message.subtype === hiddenSubtype) work.unread.add("a message that Slack hides");
  const text = say(message.text ?? "", work);
  // The same words again, mostly: they share no room with the text.
  const ofBlocks = newWork(work);
  const shown = saidOnce(text, readBlocks(message.blocks, ofBlocks));
  work.charsLeft = Math.max(0, maxReadChars - shown.length);
  work.partsLeft = ofBlocks.partsLeft;
  for (const part of ofBlocks.unread) work.unread.add(part);
  const named = new Set(ofBlocks.named);
  const attached = readAttachments(message.attachments, work);
  const raw = [...(message.files ?? []), ...readFiles([...ofBlocks.files, ...work.files])];
  const files = sortFiles(
    raw.map((file) => (isStub(file) ? (fileOf?.(file.id) ?? file) : file)),
    work,
  );
  const isCut = work.isCut || ofBlocks.isCut;
  const more = isCut
    ? `(The rest of this message is left out: only ${maxReadChars.toLocaleString("en")} characters of a message are read.)`
    : "";
  const isForwardCut = isCut && attached.forwarded !== "";
  return {
    own: paragraphs([shown, attached.own, files.words, isForwardCut ? "" : more]).trim(),
    quoted: paragraphs([attached.forwarded, isForwardCut ? more : ""]),
    attachments: files.files.map(attachmentOf),
    unread: [...work.unread],
    mentionsOwn: named.has(ownUserId),
  };
}
