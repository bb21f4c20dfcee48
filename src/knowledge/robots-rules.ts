/**
 * The rules of a robots.txt that are for Parley, cut to a size that can be matched, and what they say of a URL. Both run
 * in the child process: the file is foreign, and matching costs its rules times the length of the URL.
 */
import robotsParserModule from "robots-parser";
import { maxRobotsRuleChars, maxRobotsRules, maxRobotsWildcards } from "./content-limits.ts";

// The package is CommonJS: what its types call the default export is the module itself.
const parse = robotsParserModule as unknown as typeof robotsParserModule.default;

export type RobotsRules = {
  /** A robots.txt again, with one group for everybody; "" when there are no rules. */
  readonly rules: string;
  readonly delaySeconds?: number;
};

type Group = { readonly lines: string[]; delaySeconds?: number };

/** The group that names the agent, else the one for everybody: RFC 9309. Groups of the same name are one. */
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
      const token = value.split("/", 1)[0]?.trim().toLowerCase() ?? "";
      // The others need not be kept.
      if (token === agent.toLowerCase() || token === "*") current.add(groupOf(groups, token));
    }
    isNaming = key === "user-agent";
    for (const group of current) addLine(group, key, value);
  }
  const group = groups.get(agent.toLowerCase()) ?? groups.get("*");
  if (group === undefined) return { rules: "" };
  const rules = group.lines.length === 0 ? "" : ["User-agent: *", ...group.lines].join("\n");
  return { rules, ...(group.delaySeconds === undefined ? {} : { delaySeconds: group.delaySeconds }) };
}

/** `rules`: as rulesFor gave them, for the URL's own host. */
export function mayRead(rules: string, url: string): boolean {
  return parse(new URL("/robots.txt", url).href, rules).isDisallowed(url, "*") !== true;
}

function groupOf(groups: Map<string, Group>, token: string): Group {
  const group = groups.get(token) ?? { lines: [] };
  groups.set(token, group);
  return group;
}

function addLine(group: Group, key: string, value: string): void {
  if (key === "crawl-delay" && value !== "" && Number(value) >= 0) group.delaySeconds = Number(value);
  if (key !== "allow" && key !== "disallow") return;
  if (value === "" || group.lines.length >= maxRobotsRules) return;
  const whole = value.replace(/\*{2,}/g, "*");
  const beginning = beginningOf(whole);
  // What begins so is more than the rule covers: right for what must not be read, wrong for what may be.
  if (key === "disallow") group.lines.push(`Disallow: ${beginning}`);
  else if (beginning === whole) group.lines.push(`Allow: ${whole}`);
}

/** All of a rule that can be matched at a bounded cost, else its beginning. */
function beginningOf(rule: string): string {
  const fewWildcards = rule
    .split("*")
    .slice(0, maxRobotsWildcards + 1)
    .join("*");
  const short = fewWildcards.slice(0, maxRobotsRuleChars);
  // At the end, "$" would mean that the URL ends there.
  return short === rule ? rule : short.replace(/\$$/, "");
}
