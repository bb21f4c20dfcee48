/**
 * Parses a robots.txt and matches URLs against it, as in RFC 9309. Both run in the child process, because the file is
 * untrusted. All rules count. Matching one costs no more than searching the URL once for each of its consecutive
 * pieces.
 */
import { maxRobotsBytes } from "../foreign/content-limits.ts";
import { decodeText } from "./charset.ts";

export type RobotsRules = {
  /** One line per rule: "+" allows and "-" disallows the pattern after it; "" when there are none. */
  readonly rules: string;
  readonly delaySeconds?: number;
};

type Group = { readonly rules: Set<string>; delaySeconds?: number };

/** A file truncated at the limit ends with half a line, which could forbid the whole site, so it is dropped. */
export function rulesIn(bytes: Uint8Array, contentType: string, agent: string): RobotsRules {
  const isCut = bytes.length >= maxRobotsBytes;
  const whole = isCut
    ? bytes.subarray(0, Math.max(bytes.lastIndexOf(lineFeed), bytes.lastIndexOf(carriageReturn)) + 1)
    : bytes;
  return rulesFor(decodeText(whole, contentType), agent);
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** The group that names the agent, else the one for all agents. Groups of the same name are merged. */
export function rulesFor(file: string, agent: string): RobotsRules {
  const groups = new Map<string, Group>();
  let current = new Set<Group>();
  let isNaming = false;
  for (const line of file.split(/\r\n|\r|\n/)) {
    const [said = ""] = line.split("#", 1);
    const colon = said.indexOf(":");
    if (colon < 0) continue;
    const key = said.slice(0, colon).trim().toLowerCase();
    const value = said.slice(colon + 1).trim();
    if (key === "user-agent") {
      if (!isNaming) current = new Set();
      isNaming = true;
      const token = value.split("/", 1)[0]?.trim().toLowerCase() ?? "";
      // Other groups don't matter.
      if (token === agent.toLowerCase() || token === "*") current.add(groupOf(groups, token));
    } else if (key === "allow" || key === "disallow" || key === "crawl-delay") {
      isNaming = false;
      for (const group of current) add(group, key, value);
    }
  }
  const group = groups.get(agent.toLowerCase()) ?? groups.get("*");
  if (group === undefined) return { rules: "" };
  return { rules: [...group.rules].join("\n"), delaySeconds: group.delaySeconds };
}

/**
 * `rules`: from rulesFor, for the URL's own host. The longest matching rule decides; of two equally long ones, the one
 * that allows.
 */
export function mayRead(rules: string, url: string): boolean {
  const { pathname, search } = new URL(url);
  // In a pattern these two characters are special; escaped ones are literal.
  const path = comparable(pathname + search)
    .replaceAll("*", "%2A")
    .replaceAll("$", "%24");
  let isAllowed = true;
  let longest = 0;
  for (const rule of rules.split("\n")) {
    const allows = rule.startsWith("+");
    const pattern = comparable(rule.slice(1));
    if (pattern.length < longest || (pattern.length === longest && !allows)) continue;
    if (!covers(pattern, path)) continue;
    longest = pattern.length;
    isAllowed = allows;
  }
  return isAllowed;
}

function groupOf(groups: Map<string, Group>, token: string): Group {
  const group = groups.get(token) ?? { rules: new Set() };
  groups.set(token, group);
  return group;
}

function add(group: Group, key: "allow" | "disallow" | "crawl-delay", value: string): void {
  if (key === "crawl-delay") {
    if (value !== "" && Number(value) >= 0) group.delaySeconds = Number(value);
    return;
  }
  // Every path begins with "/".
  if (!/^[/*]/.test(value)) return;
  group.rules.add(`${key === "allow" ? "+" : "-"}${value.replace(/\*{2,}/g, "*")}`);
}

/**
 * Normalises a path: escapes what must be escaped, and nothing else. Reserved characters stay as they are, because
 * their escapes mean something different.
 */
function comparable(path: string): string {
  const escaped = path.toWellFormed().replace(/[^\w.~:/?#[\]@!$&()*+,;=%-]+/g, percentEncoded);
  return escaped.replace(/%[\da-f]{2}/gi, (code) => {
    const char = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(char) ? char : code.toUpperCase();
  });
}

function percentEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll("'", "%27");
}

/** Matches piece by piece, each as early as possible: no other position would leave more room for the next. */
function covers(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith("$");
  const pieces = (isWhole ? pattern.slice(0, -1) : pattern).replaceAll("$", "%24").split("*");
  const [first = ""] = pieces;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  if (pieces.length === 1) return !isWhole || at === path.length;
  const last = isWhole ? pieces.pop() : undefined;
  for (const piece of pieces.slice(1)) {
    const found = path.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return last === undefined || (path.length - last.length >= at && path.endsWith(last));
}
