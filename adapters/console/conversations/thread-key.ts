/** Keys of the page's conversations in the store. */
import { workspaceName as workspace } from "../intake/inbound.ts";

export type Thread = { readonly channel: string; readonly thread: string };

export const threadKey = ({ channel, thread }: Thread) =>
  [workspace, channel, thread].map(encodeURIComponent).join("/");

export function threadOfKey(key: string): Thread {
  const [, channel = "", thread = ""] = key.split("/").map(decodeURIComponent);
  return { channel, thread };
}
