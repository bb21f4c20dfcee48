/**
 * Removes secrets from log fields, at any depth and in all causes of errors.
 * Two methods, because each alone misses some: names of keys (`apiKey`), and shapes of values (`xoxb-…` in a sentence).
 */
import { ParleyError } from "../core/errors.ts";
import { errorText } from "../presentation/sentences.ts";

const redacted = "[redacted]";
const maxDepth = 8;
const maxEntries = 200;
const maxStringChars = 10_000;

/** Matched without `-` and `_`: bot_token, apiKey, x-api-key, SLACK_SIGNING_SECRET, Set-Cookie, … */
const secretName =
  /(?:token|secret|password|passwd|pwd|apikey|accesskey|privatekey|authorization|cookie|credentials?)$/i;

const secretLooks: readonly (readonly [RegExp, string])[] = [
  [/\b((?:Bearer|Basic|Bot)\s+)[\w.~+/=-]{8,}/gi, `$1${redacted}`],
  // Slack, OpenAI and compatible services, Anthropic, GitHub, GitLab, Google, Groq, and anything that begins with pat_.
  [/\b(?:xox[a-z]|xapp|xwfp|sk|pk|rk|pat|gh[a-z]|github_pat|glpat|gsk|hf)[-_][\w-]{6,}/g, redacted],
  [/\bAIza[\w-]{20,}/g, redacted],
  // A Discord token: the id in base64, a time, a signature. A JSON web token has the same shape.
  [/(?<![\w-])[\w-]{20,}\.[\w-]{6,}\.[\w-]{20,}/g, redacted],
  [
    /((?:api[_-]?key|access[_-]?key|token|secret|password|passwd|authorization)["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;&"')}\]]+)/gi,
    `$1${redacted}`,
  ],
  [/(:\/\/[^/\s:@]*:)[^/\s@]+@/g, `$1${redacted}@`],
];

/** Removed because terminals obey control characters, and a log line may contain text from outside. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are to be matched
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export type Redact = (value: unknown) => unknown;

/** `secrets` are removed wherever they appear, except those under six characters, which would match ordinary words. */
export function createRedact(secrets: readonly string[] = []): Redact {
  // The longest first, because one may contain another.
  const known = secrets.filter((secret) => secret.length >= 6).sort((a, b) => b.length - a.length);

  function text(value: string): string {
    let clean = value.length > maxStringChars ? cut(value) : value;
    for (const secret of known) clean = clean.replaceAll(secret, redacted);
    for (const [look, replacement] of secretLooks) clean = clean.replace(look, replacement);
    return clean.replace(controls, "\u{fffd}");
  }

  function walk(value: unknown, depth: number): unknown {
    if (typeof value === "string") return text(value);
    if (typeof value === "bigint" || typeof value === "symbol") return String(value);
    if (typeof value === "function") return "[function]";
    if (typeof value !== "object" || value === null) return value;
    if (depth >= maxDepth) return "[deeper]";
    if (value instanceof Error) return error(value, depth);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? "[no date]" : value.toISOString();
    if (value instanceof URL) return text(value.href);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    if (Array.isArray(value)) return value.slice(0, maxEntries).map((entry) => walk(entry, depth + 1));
    if (value instanceof Map || value instanceof Set) return walk([...value], depth);
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, maxEntries)
        .map(([name, entry]) => [name, isSecretEntry(name, entry) ? redacted : walk(entry, depth + 1)]),
    );
  }

  /** Only an error's plain fields: some libraries attach whole requests, with their headers. */
  function error(thrown: Error, depth: number): Record<string, unknown> {
    const fields = thrown instanceof ParleyError ? { ...thrown, ...errorText(thrown) } : thrown;
    const facts = Object.entries(fields).filter(([, fact]) => fact === null || typeof fact !== "object");
    const result: Record<string, unknown> = {
      type: thrown.name,
      message: text(thrown.message),
      ...Object.fromEntries(
        facts.map(([name, fact]) => [name, isSecretEntry(name, fact) ? redacted : walk(fact, depth)]),
      ),
    };
    if (thrown.stack !== undefined) result["stack"] = text(thrown.stack);
    if (thrown.cause !== undefined) result["cause"] = walk(thrown.cause, depth + 1);
    if (thrown instanceof AggregateError) result["errors"] = walk(thrown.errors, depth + 1);
    return result;
  }

  return (value) => walk(value, 0);
}

/** Booleans and numbers under such a name (`hasToken`, `tokens: 12`) aren't secrets. */
function isSecretEntry(name: string, value: unknown): boolean {
  if (value === undefined || value === null || typeof value === "boolean" || typeof value === "number") return false;
  return secretName.test(name.replaceAll(/[-_]/g, ""));
}

function cut(text: string): string {
  return `${text.slice(0, maxStringChars)}… (${text.length - maxStringChars} more characters)`;
}
