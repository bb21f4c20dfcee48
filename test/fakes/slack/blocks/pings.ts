/** Finds whatever in a payload would notify somebody. */
import { isObject } from "./notes.ts";

/** Strings that Slack would turn into a ping, in fields that it parses. */
export function pings(node: unknown, inMarkup = false): readonly string[] {
  if (typeof node === "string") {
    return inMarkup ? (node.match(/<(?:!(?:here|channel|everyone|subteam)|@[UW])[^>]*>/g) ?? []) : [];
  }
  if (Array.isArray(node)) return node.flatMap((item) => pings(item, inMarkup));
  if (!isObject(node)) return [];
  if (node["type"] === "user") return [`<@${String(node["user_id"])}>`];
  if (["usergroup", "broadcast"].includes(String(node["type"]))) return [JSON.stringify(node)];
  const isMarkup = node["type"] === "mrkdwn" || node["type"] === "markdown";
  return Object.entries(node).flatMap(([key, value]) => pings(value, key === "text" && isMarkup));
}
