/** Who reads this page, and whose messages are whose. */
import type { Me } from "../../people/routes.ts";
import type { Author } from "../../writing/messages.ts";
import { at } from "../connection/address.ts";

export type { Me };

/** The server writes this module: the page must know whose drafts it may show before it shows anything. */
export const { me } = (await import(at("api/me.js"))) as { readonly me: Me };

/** Where the drafts and unsent messages of that person are kept in this browser. */
export const keptFor = (who: Me): string => (who.how === "loopback" ? "" : `${who.id}.`);

export const isMine = (who: Me, { by }: { readonly by: Author }): boolean => by.id === who.id;

/** As a message's author is shown: "You" is only oneself. */
export function authorName(who: Me, message: { readonly by: Author }): string {
  if (isMine(who, message)) return "You";
  return message.by.id === "you" ? "Someone" : message.by.name;
}
