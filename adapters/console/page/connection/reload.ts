/** Reloads the page once its session has ended or belongs to someone else. */
import { named } from "./address.ts";

const key = named("reloaded");
const againMs = 60_000;

/**
 * Not again within a minute: what one reload doesn't mend, the next one doesn't either. Nor without storage, where it
 * isn't known. Returns whether it reloads.
 */
export function reloadOnce(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(key) ?? 0) < againMs) return false;
    sessionStorage.setItem(key, String(Date.now()));
  } catch {
    return false;
  }
  location.reload();
  return true;
}
