/**
 * Restores the text a person typed from Discord's encoding of it: replaces ids by names.
 * Removes Parley's own mention at the start or end, where it only calls Parley, but keeps it within a sentence.
 */
export type Names = {
  readonly user: (id: string) => string | undefined;
  readonly channel: (id: string) => string | undefined;
  readonly role: (id: string) => string | undefined;
};

/** `own`: ids of Parley's user and role; typing @Parley can insert either. */
export function plainText(text: string, own: readonly string[], names: Names): string {
  return withoutCalls(text, own)
    .replace(/<(@[!&]?|#)(\d{15,20})>/g, (_found: string, kind: string, id: string) => {
      if (kind === "#") return `#${names.channel(id) ?? id}`;
      return `@${(kind === "@&" ? names.role(id) : names.user(id)) ?? id}`;
    })
    .replace(/<a?:(\w{2,32}):\d{15,20}>/g, ":$1:")
    .replace(/<\/([^<>:]+):\d{15,20}>/g, "/$1")
    .trim();
}

/** "@Parley, how many?", "how many, @Parley?" -> "how many?" */
function withoutCalls(text: string, own: readonly string[]): string {
  let said = text.trim();
  for (;;) {
    const before = /^<@[!&]?(\d{15,20})>[,:]?\s*/.exec(said);
    const after = /<@[!&]?(\d{15,20})>([?!.]*)$/.exec(said);
    if (before !== null && own.includes(before[1] ?? "")) said = said.slice(before[0].length);
    else if (after !== null && own.includes(after[1] ?? "")) {
      said = said.slice(0, after.index).trimEnd().replace(/,$/, "") + after[2];
    } else return said;
  }
}
