/**
 * Marks Slack posts with the Reply and part they show, so that they can be found again.
 * A message has the mark in its metadata, which only apps see; a file, which has no metadata, in its name.
 */
import { filePart } from "../../../src/core/model/reply.ts";
import type { FoundPart, PostMark } from "../../../src/core/ports/chat-platform.ts";
import { digest, generationOf } from "../../shared/posts.ts";
import { actionSeparator } from "../drawing/buttons.ts";
import type { SlackMessage } from "../intake/events.ts";
import { rawList, rawText } from "../reading/raw.ts";

export const replyMark = "parley_reply";

const tagChars = 8;

/** The payload of a message's metadata. */
export function markOf({ replyId, part, generation }: PostMark): Record<string, string | number> {
  return { reply_id: replyId, part, ...(generation === 0 ? {} : { generation }) };
}

/** "answer.md" -> "answer-k3v09xw2.md": the same for the same mark. */
export function markedName(name: string, { replyId, part, generation }: PostMark): string {
  const tag = digest(`${replyId}/${part}/${generation}`).readBigUInt64BE().toString(36).slice(0, tagChars);
  const dot = name.lastIndexOf(".");
  return dot < 0 ? `${name}-${tag}` : `${name.slice(0, dot)}-${tag}${name.slice(dot)}`;
}

/** The parts of that Reply that the message shows, or has as files. Generations go up to `newest`. */
export function partsIn(message: SlackMessage, replyId: string, newest: number): readonly FoundPart[] {
  const mark = message.metadata;
  if (mark?.event_type === replyMark) {
    const payload = mark.event_payload ?? {};
    if (payload["reply_id"] !== replyId) return [];
    return [{ part: Number(payload["part"]), generation: Number(payload["generation"] ?? 0), messageId: message.ts }];
  }
  return (message.files ?? []).flatMap(({ id, name = "" }) => {
    const bare = name.replace(/\.\w+$/, "");
    const isMarkedWith = (mark: PostMark) => bare.endsWith(markedName("", mark));
    const generation = generationOf({ replyId, part: filePart }, newest, isMarkedWith);
    return generation === undefined ? [] : [{ part: filePart, generation, messageId: id }];
  });
}

/** A part of a Reply that has not ended: it can still be stopped. */
export function isUnfinished({ metadata, blocks = [] }: SlackMessage): boolean {
  if (metadata?.event_type !== replyMark) return false;
  const buttons = rawList(blocks).flatMap((block) => rawList(block["elements"]));
  return buttons.some(({ action_id: id }) => rawText(id).split(actionSeparator)[0] === "stop");
}

/** A file part is identified by the file's id, because Slack tells only later which message shares it. */
export function isFileId(messageId: string): boolean {
  return messageId.startsWith("F");
}
