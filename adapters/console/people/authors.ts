/** Whose messages are whose: one edits and deletes one's own. */
import type { Author, ConsoleMessage } from "../writing/messages.ts";
import { localVisitor, shownName, type Visitor } from "./visitor.ts";

export function authorOf({ id, name, isVerified }: Visitor): Author {
  return { id, name, isVerified };
}

export function isOwn(message: ConsoleMessage, visitor: Visitor): boolean {
  return message.author === "you" && message.by.id === visitor.id;
}

/** People who manage clean up after others. Parley's own messages go with their questions. */
export function mayDelete(message: ConsoleMessage, visitor: Visitor): boolean {
  return message.author === "you" && (visitor.role === "manage" || isOwn(message, visitor));
}

/** As an agent reads it in what was said before. */
export function authorName(by: Author): string {
  if (by.id === localVisitor.id) return localVisitor.name;
  return shownName({ ...by, how: "header" });
}
