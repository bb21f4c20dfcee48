/** Who reads this page, and whose messages are whose. */
import { at } from "../connection/address.js";

/**
 * `{ id, name, isVerified, role, how, canSignOut, adminPages, ownChannel }`. The server writes this module: the page must know whose
 * drafts it may show before it shows anything.
 */
export const { me } = await import(at("api/me.js"));

/** Where the drafts and unsent messages of that person are kept in this browser. */
export const keptFor = (me) => (me.how === "loopback" ? "" : `${me.id}.`);

export const isMine = (me, { by }) => by.id === me.id;

/** As a message's author is shown: "You" is only oneself. */
export function authorName(me, message) {
  if (isMine(me, message)) return "You";
  return message.by.id === "you" ? "Someone" : message.by.name;
}
