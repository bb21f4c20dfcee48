/**
 * Removes keys, host paths and internal URLs from the service's texts. Runs before a text reaches a log line or a step,
 * because the service prints model objects with their keys into error details.
 */
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
