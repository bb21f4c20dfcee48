/**
 * Restores the text a person typed from Discord's encoding of it: names in place of ids, dates in place of timestamps.
 * Removes Parley's own mention at the start or end, where it only calls Parley, but keeps it within a sentence.
 */
import { momentText } from "../../../src/presentation/sentences.ts";

export type Names = {
  readonly user: (id: string) => string | undefined;
  readonly channel: (id: string) => string | undefined;
  readonly role: (id: string) => string | undefined;
};

/** `own`: ids of Parley's user and role; typing @Parley can insert either. */
export function plainText(text: string, own: readonly string[], names: Names): string {
  return withoutCalls(text, own)
    .split(code)
    .map((part, index) => (index % 2 === 1 ? part : withNames(part, names)))
    .join("")
    .trim();
}

/** Discord shows code as it was typed. */
const code = /(```[\s\S]*?```|``[^\n]+?``|`[^`\n]+`)/;

/** As the client shows them: Message Formatting in Discord's reference, read 2026-11-26. */
function withNames(text: string, names: Names): string {
  return text
    .replace(/<(@[!&]?|#)(\d{15,20})>/g, (_found: string, kind: string, id: string) => {
      if (kind === "#") return `#${names.channel(id) ?? "unknown"}`;
      if (kind === "@&") return `@${names.role(id) ?? "unknown-role"}`;
      return `@${names.user(id) ?? "unknown-user"}`;
    })
    .replace(/<a?:(\w{2,32}):\d{15,20}>/g, ":$1:")
    .replace(/<\/([^<>:]+):\d{15,20}>/g, "/$1")
    .replace(/<t:(-?\d{1,13})(?::([tTdDfFsSR]))?>/g, dateOf)
    .replace(/<id:(customize|browse|guide|linked-roles)(?::\d{15,20})?>/g, (_, type: string) => navigation[type] ?? "");
}

const navigation: Readonly<Record<string, string>> = {
  customize: "Channels & Roles",
  browse: "Browse Channels",
  guide: "Server Guide",
  "linked-roles": "Linked Roles",
};

/** The largest moment of a date, in seconds. */
const maxSeconds = 8.64e12;

/** Discord shows them in each reader's own time zone, and some styles without the date: here all is said. */
function dateOf(found: string, seconds: string, style = "f"): string {
  const s = Number(seconds);
  if (Math.abs(s) > maxSeconds) return found;
  return style === "d" || style === "D" ? momentText(s * 1_000).slice(0, 10) : momentText(s * 1_000);
}

/** "@Parley, how many?", "how many, @Parley?" -> "how many?" */
function withoutCalls(text: string, own: readonly string[]): string {
  let said = text.trim();
  for (;;) {
    const before = /^<@[!&]?(\d{15,20})>[,:]?\s*/.exec(said);
    // Only the last mention can end the text.
    const last = Math.max(0, said.lastIndexOf("<@"));
    const after = /^<@[!&]?(\d{15,20})>([?!.]*)$/.exec(said.slice(last));
    if (before !== null && own.includes(before[1] ?? "")) said = said.slice(before[0].length);
    else if (after !== null && own.includes(after[1] ?? "")) {
      said = said.slice(0, last).trimEnd().replace(/,$/, "") + after[2];
    } else return said;
  }
}
