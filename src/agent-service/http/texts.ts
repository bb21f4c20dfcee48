/**
 * What is done to every text of a service before anything else reads it: it is cut, because on 8 MB every regular
 * expression is slow, and keys, host paths and internal URLs are removed, because services print model objects with
 * their keys into error details.
 */

/** The first `maxChars` characters, without half a surrogate pair, and how many characters are left out. */
export function cut(text: string, maxChars: number): { readonly text: string; readonly omitted: number } {
  if (text.length <= maxChars) return { text, omitted: 0 };
  const end = /[\uD800-\uDBFF]/.test(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars;
  return { text: text.slice(0, end), omitted: text.length - end };
}

/** A field that may be anything; "" if it isn't text. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The JSON of a parsed value; "" if it is nested too deeply to be written. Parsing takes any depth, writing does not. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
}

const secretPatterns: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, "$1 [redacted]"],
  [
    /(['"]?(?:(?<![\w-])[\w-]*api[_-]?key|\b(?:token|password|secret|authorization))\b['"]?\s*[:=]\s*)(?:"[^"]*"|'[^']*'|[^\s,;}\])]+)/gi,
    "$1[redacted]",
  ],
  [/\b(?:sk|pk|pat|xox[a-z]|ghp|gsk|AIza)[-_][\w*-]{6,}/g, "[redacted]"],
  // Providers' messages repeat a refused key, partly masked: "Incorrect API key provided: abc*****123".
  [/(api key provided:\s*)\S+/gi, "$1[redacted]"],
  [/(\/\/)[^/\s@:]+:[^/\s@]+@/g, "$1[redacted]@"],
];

const hostPathPattern = /(?<![\w:/.])(?:\/(?:[\w.@+-]+\/)+[\w.@+-]*|[A-Za-z]:\\[^\s'"]+)/g;
const innerAddressPattern =
  /https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+|\[[0-9a-f:]+\]|[\w-]+(?=[:/]))(?::\d+)?[^\s'")]*/gi;

/** Removes keys, tokens and passwords. `known` are the secrets that Parley itself holds. */
export function redactSecrets(text: string, known: readonly string[] = []): string {
  let clean = text;
  for (const secret of known) if (secret !== "") clean = clean.replaceAll(secret, "[redacted]");
  for (const [pattern, replacement] of secretPatterns) clean = clean.replace(pattern, replacement);
  return clean;
}

const maxSaidChars = 160;

/**
 * A service's own words for a person: one short line without addresses and ids. Undefined where it named a key, wrote for
 * machines, or says nothing.
 */
export function safeWords(text: string, known: readonly string[] = []): string | undefined {
  const words = redactInternals(redactSecrets(text.slice(0, 2_000), known));
  if (words.includes("[redacted]")) return undefined;
  const plain = words
    .replace(/https?:\/\/\S+/gi, "[address]")
    .replace(/\b(?:org|proj|req|user|acct)[-_][\w-]{6,}|\b[\w.+-]{1,64}@[\w.-]{1,200}\.\w+|[\w+/=-]{40,}/g, "[id]")
    .replace(/[\p{Cc}\p{Cf}\s“”]+/gu, " ")
    .trim();
  const line = plain.length <= maxSaidChars ? plain : `${plain.slice(0, maxSaidChars - 1).trimEnd()}…`;
  if (/[{}]|\b(?:status_code|model_name|finish_reason|Traceback)\b/.test(line)) return undefined;
  return /[\p{L}\p{N}]/u.test(line) ? line.replace(/\.$/, "").toWellFormed() : undefined;
}

/** Also removes paths of the service's host and URLs in its network, for texts that people can open. */
export function redactInternals(text: string): string {
  return redactSecrets(text).replace(innerAddressPattern, "[address]").replace(hostPathPattern, "[path]");
}
