/** Answers a reaction that saves: by a reaction where a private reply would be a note in the channel, else privately. */

import type { Document } from "../../core/document.ts";
import type { ChatPlatform, Inbound, Responder } from "../../core/ports/chat-platform.ts";
import type { Log } from "../../core/ports/log.ts";

const [savedMark, failedMark] = ["✅", "❌"];

type Reaction = Extract<Inbound, { kind: "reaction" }>;

/** A failure and an offer need words; the rest is said by the mark alone. */
export function reactionResponder(inbound: Reaction, platform: ChatPlatform | undefined, log: Log): Responder {
  const { place, messageId, reply } = inbound;
  const reactions = platform?.reactions;
  if (reactions?.areAnswers !== true || platform?.isDirect?.(place) === true) return reply;

  const mark = async (added: string, removed: string): Promise<boolean> => {
    try {
      await reactions.add({ place, messageId }, added);
      await reactions.remove({ place, messageId }, removed);
      return true;
    } catch (failure) {
      log.info({ err: failure, place }, "A saved message could not be marked");
      return false;
    }
  };

  return {
    send: async (document, visibility) => {
      if (document.tone === "running") return;
      const isSaved = document.tone === "done";
      const isMarked = await mark(
        ...(isSaved ? ([savedMark, failedMark] as const) : ([failedMark, savedMark] as const)),
      );
      if (!isSaved || !isMarked || offersMore(document)) await reply.send(document, visibility);
    },
  };
}

/** Removing what was saved is offered by `/kb show` too; any other offer is made only here. */
function offersMore({ blocks, actions }: Document): boolean {
  const offered = [...actions, ...blocks.flatMap((block) => (block.kind === "actions" ? block.actions : []))];
  return offered.some(({ id }) => id !== "remove-saved");
}
