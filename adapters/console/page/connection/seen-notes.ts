/**
 * Remembers which private answers this tab has received, also over a reload. The server sends one again if it can't know
 * that it arrived, and other instances of Parley send theirs.
 */
import { named } from "./address.ts";

const storageKey = named("seen-notes");
/** The server holds 20 for a tab. */
const maxSeen = 100;

const seen: Set<string> = (() => {
  try {
    return new Set(JSON.parse(sessionStorage.getItem(storageKey) ?? "[]"));
  } catch {
    return new Set();
  }
})();

/** Whether the event arrives for the first time. */
export function isNewNote({ key }: { readonly key: string }): boolean {
  if (seen.has(key)) return false;
  seen.add(key);
  for (const oldest of seen) if (seen.size > maxSeen) seen.delete(oldest);
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([...seen]));
  } catch {
    // Storage is full or blocked: after a reload, one that was closed may come back.
  }
  return true;
}
