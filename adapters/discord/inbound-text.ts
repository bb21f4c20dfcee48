/**
 * What a person typed, from what Discord makes of it: names for ids, and only Parley's own mention taken away.
 */
export type Names = {
  readonly user: (id: string) => string | undefined;
  readonly channel: (id: string) => string | undefined;
  readonly role: (id: string) => string | undefined;
};

/** `own`: ids of Parley as a user and of its own role; typing @Parley may choose either. */
export function plainText(text: string, own: readonly string[], names: Names): string {
  return text
    .replace(/<(@[!&]?|#)(\d{15,20})>[ \t]?/g, (found: string, kind: string, id: string) => {
      if (kind !== "#" && own.includes(id)) return "";
      const blank = /[ \t]$/.exec(found)?.[0] ?? "";
      if (kind === "#") return `#${names.channel(id) ?? id}${blank}`;
      return `@${(kind === "@&" ? names.role(id) : names.user(id)) ?? id}${blank}`;
    })
    .replace(/<a?:(\w{2,32}):\d{15,20}>/g, ":$1:")
    .replace(/<\/([^<>:]+):\d{15,20}>/g, "/$1")
    .trim();
}
