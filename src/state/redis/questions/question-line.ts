/** An entry of the question log as a line of text, which a script can compare with a filter and does not have to parse. */
import { channelKey } from "../../../core/model/place.ts";
import type { QuestionEntry, QuestionFilter } from "../../../core/overview/question-log.ts";

/** By the letter that stands for it in a line. Further ones: p, w, c, h the place; b, g that there are good or bad votes. */
const letters = {
  texts: { r: "ref", v: "visibility", a: "agent", o: "outcome", y: "why", q: "code", k: "asker" },
  numbers: { t: "askedAtMs", e: "endedAtMs", d: "durationMs", u: "up", n: "down" },
  flags: { x: "isPrivate", s: "hasSource", j: "isScheduled" },
} as const;

/** Each field is "\tLETTER=VALUE", the last one is followed by a tab. Values contain no tab. */
export function lineOf(entry: QuestionEntry): string {
  const { platform, workspace, channel, thread } = entry.place;
  const fields: (readonly [string, string | number | undefined])[] = [
    ["p", platform],
    ["w", workspace],
    ["h", thread],
    ...Object.entries(letters.texts).map(([letter, name]) => [letter, entry[name]] as const),
  ];
  const encoded = fields.map(([letter, value]) => [letter, value === undefined ? undefined : encode(value)] as const);
  const plain = [
    // Already encoded.
    ["c", channelKey({ platform, workspace, channel })] as const,
    ...Object.entries(letters.numbers).map(([letter, name]) => [letter, entry[name]] as const),
    ...Object.entries(letters.flags).map(([letter, name]) => [letter, entry[name] === true ? 1 : undefined] as const),
    ["b", entry.up > 0 ? 1 : undefined] as const,
    ["g", entry.down > 0 ? 1 : undefined] as const,
  ];
  const written = [...encoded, ...plain].flatMap(([letter, value]) =>
    value === undefined ? [] : [field(letter, value)],
  );
  return `${written.join("")}\t`;
}

/** As `readEntry` takes it, whatever the line is. */
export function parsedLine(id: string, line: string): unknown {
  const found = new Map(line.split("\t").map((part) => [part.slice(0, 1), part.slice(2)]));
  const text = (letter: string) => {
    const value = found.get(letter);
    return value === undefined ? undefined : decode(value);
  };
  const number = (letter: string) => (found.has(letter) ? Number(found.get(letter)) : undefined);
  const texts = Object.entries(letters.texts).map(([letter, name]) => [name, text(letter)] as const);
  const numbers = Object.entries(letters.numbers).map(([letter, name]) => [name, number(letter)] as const);
  const flags = Object.entries(letters.flags).map(([letter, name]) => [name, found.has(letter) || undefined] as const);
  const channel = decode((found.get("c") ?? "").split("/")[2] ?? "");
  return {
    ...Object.fromEntries([...texts, ...numbers, ...flags]),
    id,
    hasSource: found.has("s"),
    place: { platform: text("p"), workspace: text("w"), channel, thread: text("h") },
  };
}

/** The value of a reference as a line and the list of references have it. */
export function encode(value: string | number): string {
  return encodeURIComponent(value);
}

/** What a line contains that matches; `set`: the sorted set that holds all that do. Times are not among them. */
export function filterParts(filter: QuestionFilter): readonly { readonly contains: string; readonly set?: string }[] {
  const { platform, workspace, channel, agent, outcome, why, feedback, ref, asker } = filter;
  const parts: { contains: string; set?: string }[] = [];
  const add = (letter: string, value: string, set?: string) =>
    parts.push(set === undefined ? { contains: whole(letter, value) } : { contains: whole(letter, value), set });
  if (asker !== undefined) add("k", encode(asker), `k:${encode(asker)}`);
  if (agent !== undefined) add("a", encode(agent), `a:${encode(agent)}`);
  if (outcome === "answered") add("o", outcome);
  else if (outcome !== undefined) add("o", encode(outcome), `o:${encode(outcome)}`);
  if (channel !== undefined && platform !== undefined && workspace !== undefined) {
    const key = channelKey({ platform, workspace, channel });
    add("c", key, `c:${key}`);
  } else if (channel !== undefined) parts.push({ contains: `/${encodeURIComponent(channel)}\t` });
  if (platform !== undefined) add("p", encode(platform), `p:${encode(platform)}`);
  if (workspace !== undefined) add("w", encode(workspace), `w:${encode(workspace)}`);
  if (why !== undefined) add("y", encode(why));
  if (ref !== undefined) add("r", encode(ref));
  if (feedback === "up") add("b", "1", "b:1");
  if (feedback === "down") add("g", "1", "g:1");
  return parts;
}

function field(letter: string, value: string | number): string {
  return `\t${letter}=${value}`;
}

function whole(letter: string, value: string): string {
  return `${field(letter, value)}\t`;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
