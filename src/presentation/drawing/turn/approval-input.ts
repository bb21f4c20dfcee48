import { cleanText } from "../sanitise.ts";

const says = {
  redacted: "[hidden]",
};

const secretName = /pass(?:word|wd|phrase)|secret|token|api[-_]?key|authorization|credential|private[-_]?key|cookie/i;
/**
 * A value in quotes of either kind, also escaped ones, as in JSON within a text. Its quotes stay; in a text that was cut
 * the second one is missing.
 */
const quoted = String.raw`(?<quote>\\{0,3}["'])(?:(?!\k<quote>)(?:\\.|[^])){0,8000}(?<end>\k<quote>)?`;
const isHidden = String.raw`(?!\\{0,3}["']?\[hidden\])`;
const inQuotes = `$<quote>${says.redacted}$<end>`;

/**
 * Keys and tokens that can be told by their shape. Each part is limited, so that the time stays linear. They also begin
 * after an escape of JSON, as in JSON that was cut.
 */
const secretShapes: readonly (readonly [RegExp, string])[] = [
  [/(?:\b|(?<=\\[bfnrt]|\\u[\da-fA-F]{4}))(Bearer|Basic) {1,4}[\w.~+/=-]{6,}/g, `$1 ${says.redacted}`],
  [
    /(?:\b|(?<=\\[bfnrt]|\\u[\da-fA-F]{4}))(?:sk|pk|pat|xox[a-z]|xapp|ghp|gho|github_pat|glpat|gsk|AIza|AKIA)[-_]?[\w-]{12,}/g,
    says.redacted,
  ],
  // As programs take them: `--password WORD`.
  [
    new RegExp(
      String.raw`(--?[\w-]{0,40}(?:password|passphrase|secret|token|api[-_]?key) {1,3})(?!-)${isHidden}(?:${quoted}|[^\s"'\\]{1,2000})`,
      "gi",
    ),
    `$1${inQuotes}`,
  ],
  [/(\/\/)[^/\s@:]{1,200}:[^/\s@]{1,200}@/g, `$1${says.redacted}@`],
  // Also in JSON that was cut, which can't be parsed.
  [
    new RegExp(
      String.raw`\b([\w-]{0,40}(?:password|passphrase|secret|token|api[-_]?key|authorization)(?:\\{0,3}["'])?\s{0,3}[:=]\s{0,3})${isHidden}(?:${quoted}|[^\s,;&"'}\]]{1,2000})`,
      "gi",
    ),
    `$1${inQuotes}`,
  ],
];

/**
 * The text itself if it is no JSON. Idempotent: it is stored like this, so that no store holds the secrets, and cleaned
 * again when it is drawn.  Shows each token as it was sent: two members of one name, and long numbers, stay.
 */
export function readableInput(input: string): string {
  const trimmed = input.trim();
  if (!isJson(trimmed)) return hidden(cleanText(trimmed));
  return laidOut(trimmed);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return /^[[{]/.test(text);
  } catch {
    return false;
  }
}

function hidden(text: string): string {
  return secretShapes.reduce((safe, [shape, instead]) => safe.replace(shape, instead), text);
}

/** A text, punctuation, or another value. Linear: no two of its parts match the same. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;
/** Deeper values are not indented further: a thousand levels would be a megabyte of spaces. */
const maxIndent = 8;

/** Of text that is JSON. */
function laidOut(json: string): string {
  const found = json.match(tokens) ?? [];
  const lines: string[] = [];
  const open: string[] = [];
  let line = "";
  let name: string | undefined;
  const breakLine = () => {
    lines.push(line);
    line = "  ".repeat(Math.min(open.length, maxIndent));
  };
  for (let at = 0; at < found.length; at += 1) {
    const piece = found[at] ?? "";
    const next = found[at + 1] ?? "";
    if (piece === ":") {
      line += ": ";
    } else if (name !== undefined && secretName.test(name)) {
      line += `"${says.redacted}"`;
      at = endOfValue(found, at);
      name = undefined;
    } else if (piece === "{" || piece === "[") {
      name = undefined;
      line += piece;
      open.push(piece);
      if (next !== "}" && next !== "]") breakLine();
    } else if (piece === "}" || piece === "]") {
      open.pop();
      if (found[at - 1] !== "{" && found[at - 1] !== "[") breakLine();
      line += piece;
    } else if (piece === ",") {
      line += piece;
      breakLine();
    } else {
      name = open.at(-1) === "{" && next === ":" ? decoded(piece) : undefined;
      line += piece.startsWith('"') ? JSON.stringify(hidden(cleanText(decoded(piece)))) : piece;
    }
  }
  return [...lines, line].join("\n");
}

/** The last token of the value that begins there. */
function endOfValue(found: readonly string[], begin: number): number {
  let depth = 0;
  for (let at = begin; at < found.length; at += 1) {
    if (found[at] === "{" || found[at] === "[") depth += 1;
    if (found[at] === "}" || found[at] === "]") depth -= 1;
    if (depth === 0) return at;
  }
  return found.length;
}

function decoded(piece: string): string {
  return JSON.parse(piece) as string;
}
