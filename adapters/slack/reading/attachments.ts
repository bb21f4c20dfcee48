/**
 * Reads the attachments of a message: cards of apps, and forwarded messages. Previews of links are left out: nobody
 * wrote them, and the link itself is in the text.
 */

import { inQuotes, lines, mayRead, oneLine, paragraphs, say } from "../../shared/reading.ts";
import { link } from "../intake/inbound-text.ts";
import { readBlocks } from "./blocks.ts";
import { readElement } from "./elements.ts";
import { type Raw, rawList, rawObject, rawText } from "./raw.ts";
import { saidOnce } from "./said-once.ts";
import { maxDepth, type Work } from "./work.ts";

/** Slack's own, for an attachment without text. */
const noFallback = "[no preview available]";

/** Counted for the line that says whose message it is. */
const headingChars = 60;

/** A message that someone forwarded, or linked to, with its words in the attachment. */
function isForward(attachment: Raw): boolean {
  const { is_share: isShare, is_msg_unfurl: isMessage, message_blocks: blocks } = attachment;
  return isShare === true || isMessage === true || Array.isArray(blocks);
}

function isPreview(attachment: Raw): boolean {
  return (
    attachment["is_app_unfurl"] === true ||
    ["from_url", "original_url", "app_unfurl_url"].some((field) => rawText(attachment[field]) !== "")
  );
}

/** `own`: what the author's app shows. `forwarded`: other people's messages, each with its author. */
export function readAttachments(
  attachments: unknown,
  work: Work,
  depth = 0,
): { readonly own: string; readonly forwarded: string } {
  const own: string[] = [];
  const forwarded: string[] = [];
  for (const attachment of rawList(attachments)) {
    if (depth > maxDepth || !mayRead(work)) {
      work.found.isCut = true;
      break;
    }
    if (isForward(attachment)) forwarded.push(forward(attachment, work, depth));
    else if (!isPreview(attachment)) own.push(card(attachment, work, depth));
  }
  return { own: paragraphs(own), forwarded: paragraphs(forwarded) };
}

function card(attachment: Raw, work: Work, depth: number): string {
  work.found.files.push(...rawList(attachment["files"]));
  return paragraphs([bodyOf(attachment, work, depth), oneLine(say(rawText(attachment["footer"]), work))]);
}

/** Without the footer, and without the fallback unless there is nothing else. */
function bodyOf(attachment: Raw, work: Work, depth: number): string {
  const of = (field: string) => say(rawText(attachment[field]), work);
  const title = oneLine(of("title"));
  const shownTitle = rawText(attachment["title_link"]) === "" ? title : link(rawText(attachment["title_link"]), title);
  const author = isForward(attachment) ? "" : oneLine(`${of("author_name")} ${of("author_subname")}`);
  const legacy = lines([
    of("pretext"),
    author,
    shownTitle,
    of("text"),
    ...rawList(attachment["fields"]).map((field) => fieldText(field, work)),
    ...rawList(attachment["actions"]).map((action) => readElement(action, work)),
  ]);
  const messageBlocks = rawList(attachment["message_blocks"]).flatMap(({ message }) =>
    rawList(rawObject(message)["blocks"]),
  );
  const blocks = readBlocks([...rawList(attachment["blocks"]), ...messageBlocks], work, depth);
  const nested = readAttachments(attachment["attachments"], work, depth + 1);
  const words = paragraphs([saidOnce(legacy, blocks), nested.own, nested.forwarded]);
  const hasPicture = rawText(attachment["image_url"]) !== "" || rawText(attachment["thumb_url"]) !== "";
  if (words !== "") return words;
  const fallback = of("fallback");
  if (fallback !== "" && fallback !== noFallback) return fallback;
  if (hasPicture) work.found.unread.add("a picture");
  return "";
}

function forward(attachment: Raw, work: Work, depth: number): string {
  work.found.charsLeft -= Math.min(work.found.charsLeft, headingChars);
  const files = rawList(attachment["files"]);
  work.found.files.push(...files);
  const id = rawText(attachment["author_id"]);
  const name =
    [attachment["author_name"], attachment["author_subname"]].map(rawText).find((one) => one !== "") ??
    work.nameOf(id) ??
    id;
  const author = oneLine(say(name, work)) || "someone";
  const place = oneLine(say(rawText(attachment["footer"]), work));
  const where = place === "" ? "" : ` (${place})`;
  const body = bodyOf(attachment, work, depth);
  const attached = files.map(({ name: file, title, id: fileId }) => oneLine(rawText(file ?? title ?? fileId)));
  const words = body === "" && attached.length > 0 ? `(attached: ${attached.join(", ")})` : body;
  return `Forwarded message from ${author}${where}:\n${inQuotes(words)}`;
}

function fieldText({ title, value }: Raw, work: Work): string {
  const words = [title, value].map((part) => oneLine(say(rawText(part), work)));
  return words.filter((part) => part !== "").join(": ");
}
