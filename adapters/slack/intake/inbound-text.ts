/**
 * Restores the text a person typed from Slack's encoding of it.
 * Unescapes entities, unwraps `<url|label>`, replaces ids by names and removes Parley's own mention. Entities come
 * last, so that a typed "&lt;@U1>" stays text.
 */
/** The name of a person, a channel or a user group: their ids begin with different letters. */
export type NameOf = (id: string) => string | undefined;

/** Slack puts mentions, channels and links in angle brackets; a typed "<" arrives as "&lt;". */
const wrapped = /<([@#!]|https?:|mailto:|tel:)([^<>]*)>/g;

export function plainText(text: string, ownUserId: string, nameOf: NameOf): string {
  // Most cells of a table, and most words of blocks.
  if (!/[<&]/.test(text)) return text.trim();
  const own = new RegExp(`<@${ownUserId}(?:\\|[^<>]*)?>[ \\t]?`, "g");
  return unescapeEntities(
    text.replace(own, "").replace(wrapped, (_, kind: string, rest: string) => unwrap(kind, rest, nameOf)),
  ).trim();
}

/** `only`: the text says nothing else. */
export function mentions(text: string, ownUserId: string): { own: boolean; others: boolean; only: boolean } {
  const ids = [...text.matchAll(/<@([A-Z0-9]+)(?:\|[^<>]*)?>/g)].map((match) => match[1]);
  const groups = /<!(?:subteam\^|here|channel|everyone)/.test(text);
  return {
    own: ids.includes(ownUserId),
    others: ids.some((id) => id !== ownUserId) || /<!subteam\^/.test(text),
    only:
      (groups || ids.some((id) => id !== ownUserId)) && !/[\p{L}\p{N}\p{S}]/u.test(text.replace(/<[@!][^<>]*>/g, "")),
  };
}

function unescapeEntities(text: string): string {
  return text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
}

function unwrap(kind: string, rest: string, nameOf: NameOf): string {
  const bar = rest.indexOf("|");
  const target = bar === -1 ? rest : rest.slice(0, bar);
  const label = bar === -1 ? "" : rest.slice(bar + 1);
  switch (kind) {
    case "@":
      return `@${nameOf(target) ?? (label === "" ? target : label)}`;
    case "#":
      return `#${nameOf(target) ?? (label === "" ? target : label)}`;
    case "!":
      return special(target, label, nameOf);
    case "mailto:":
    case "tel:":
      return label === "" || label === target ? target : `${label} (${target})`;
    default:
      return link(kind + target, label);
  }
}

/** <!here>, <!subteam^S1|@team>, <!date^123^{date}|fallback> */
function special(target: string, label: string, nameOf: NameOf): string {
  if (label !== "") return label;
  const id = target.replace(/^subteam\^/, "");
  return `@${(nameOf(id) ?? id).replace(/^@/, "")}`;
}

export function link(target: string, label: string): string {
  // Slack labels a URL typed without its scheme; only a label that differs from the URL is worth keeping.
  const bare = (url: string) => url.replace(/^https?:\/\//, "").replace(/\/$/, "");
  return label === "" || bare(label) === bare(target) ? target : `[${label}](${target})`;
}
