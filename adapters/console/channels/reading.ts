/**
 * Decides which channels a visitor may read. Every route, event, list, search, file and picture of the page asks here.
 */
import { createHash } from "node:crypto";
import type { Visitor } from "../people/visitor.ts";
import type { PageEvent } from "../writing/messages.ts";

const prefix = "me-";

/** The channel that only this verified person reads. */
export function privateChannelOf(personId: string): string {
  return `${prefix}${createHash("sha256").update(personId).digest("hex").slice(0, 32)}`;
}

export function isPrivateChannel(channel: string): boolean {
  return channel.startsWith(prefix);
}

/** Pure, for events too: a shared channel is everyone's who is signed in, whether it still exists or not. */
export function mayRead(visitor: Visitor, channel: string): boolean {
  if (visitor.role === "nobody") return false;
  return !isPrivateChannel(channel) || (visitor.isVerified && channel === privateChannelOf(visitor.id));
}

/** Whether an open page of that visitor is told. */
export function mayReceive(visitor: Visitor, event: PageEvent): boolean {
  switch (event.type) {
    case "message":
      return mayRead(visitor, event.message.channel);
    case "conversation":
      return mayRead(visitor, event.conversation.channel);
    case "note":
      return event.person === visitor.id && mayRead(visitor, event.note.channel);
    case "pinned":
      return event.personId === visitor.id && mayRead(visitor, event.channel);
    case "removed":
    case "conversation-removed":
      return mayRead(visitor, event.channel);
    // Meant for the server's streams, not for pages.
    case "signed-out":
      return false;
    case "channels":
      return visitor.role !== "nobody";
    default:
      return event satisfies never;
  }
}
