/**
 * Plays the lines of talk.jsonl to a whole Parley over the embedded service, and scores what people then see. Prints
 * totals only: node bench/judgement/talk.ts [--seen], which lists what went wrong in what is tuned with.
 */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Actor } from "../../src/core/model/place.ts";
import type { AgentService } from "../../src/core/ports/agent-service.ts";
import type { Inbound } from "../../src/core/ports/chat-platform.ts";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { createMemoryPlatform, type MemoryPlatform } from "../../test/doubles/memory-platform.ts";
import type { Measure } from "../measure.ts";
import { openParley, type Parley } from "../parley.ts";
import { nameOf, project, startJudged } from "./service.ts";
import { type Place, quotes, refusal } from "./written.ts";

type Person = { readonly display: string; readonly real: string };
type Said = { readonly who: string; readonly text: string; readonly byParley?: boolean };

export type Line = Said & {
  readonly id: string;
  readonly half: "seen" | "held-out" | "second" | "third" | "fourth" | "fifth" | "sixth";
  readonly place: "thread" | "channel";
  readonly people: readonly Person[];
  readonly before: readonly Said[];
  readonly forParley: boolean;
  readonly shouldAnswer: boolean;
  readonly answer: Place | null;
  readonly base: string;
};

/** "tells": it says that it doesn't know. */
type Does = "right" | "wrong" | "tells" | "silent";
export type Played = Line & {
  readonly does: Does;
  readonly hasRun: boolean;
  readonly shown: string;
  /** What its run searched for, as the agent's steps show it. */
  readonly searched: string;
  readonly isGap: boolean;
};

const mentionOf = /(?<![\p{L}\p{N}])@Parley\b/iu;
/** Parley looks once a second into what it overhears in a channel. */
const betweenLinesMs = 1_100;
const pollMs = 5;

export async function playTalk(isWanted: (line: Line) => boolean = () => true): Promise<readonly Played[]> {
  return playLines(linesOfTalk().filter(isWanted));
}

/** Each line in a workspace of its own, so that nobody but its people is known there. */
export async function playLines(lines: readonly Line[]): Promise<readonly Played[]> {
  const judged = await startJudged();
  const asked: string[] = [];
  const ask: AgentService["ask"] = async function* (...given) {
    const at = asked.push("") - 1;
    for await (const event of judged.service.ask(...given)) {
      if (event.type === "step-started") asked[at] += event.input;
      yield event;
    }
  };
  const names = new Map<string, readonly string[]>();
  const platform: MemoryPlatform = {
    ...createMemoryPlatform({ clock, maxChars: 20_000 }),
    namesOfPeople: async ({ workspace }) => names.get(workspace) ?? [],
  };
  const parley = await openParley({ ...judged.service, ask }, platform);
  try {
    const played: Omit<Played, "isGap">[] = [];
    for (const line of lines) {
      names.set(
        line.id,
        line.people.flatMap(({ display, real }) => [display, real]),
      );
      played.push(await play(line, { parley, platform, asked }));
    }
    const gaps = (await parley.gaps()).flatMap(({ workspace, askers }) =>
      askers.map(({ question }) => `${workspace}: ${question}`),
    );
    return played.map((line) => ({ ...line, isGap: gaps.includes(`${line.id}: ${spoken(line.text)}`) }));
  } finally {
    await parley.close();
    await judged.close();
  }
}

function linesOfTalk(): readonly Line[] {
  const lines = readFileSync(new URL("./talk.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as Line);
}

function spoken(text: string): string {
  return text.replace(mentionOf, "").trim();
}

/** `asked`: what each run so far has searched for. */
type Stage = { readonly parley: Parley; readonly platform: MemoryPlatform; readonly asked: readonly string[] };

/** What was said before is said again; what Parley answered then, it answers anew. */
async function play(line: Line, { parley, platform, asked }: Stage): Promise<Omit<Played, "isGap">> {
  const { id, place, before, people } = line;
  const channel = { platform: platform.name, workspace: id, channel: "talk" };
  await parley.bindings.setChannel(channel, { project, agent: nameOf(line.base), mode: place });
  let order = 0;
  const say = async ({ who, text }: Said, isAnswered: boolean) => {
    order += 1;
    const messageId = String(order);
    const thread = place === "thread" ? "1" : messageId;
    const inThread = { ...channel, thread };
    const runs = asked.length;
    const message: Inbound = {
      kind: "message",
      eventKey: `${platform.name}/${id}/${messageId}`,
      order: messageId.padStart(10, "0"),
      place: messageId === thread ? channel : inThread,
      conversation: inThread,
      actor: actorOf(id, who, people),
      messageId,
      text: spoken(text),
      attachments: [],
      mentionsParley: isAnswered || mentionOf.test(text),
      addressesOthers: false,
      isDirect: false,
      ack: async () => {},
      reply: { send: async () => {} },
    };
    await platform.emit(message);
    while (parley.unfinished() > 0) await pause(pollMs);
    return { inThread, hasRun: asked.length > runs };
  };
  for (const [index, said] of before.entries()) {
    if (said.byParley === true) continue;
    const { hasRun } = await say(said, before[index + 1]?.byParley === true);
    if (hasRun && !mentionOf.test(said.text)) await pause(betweenLinesMs);
  }
  const earlier = platform.writes.length;
  const { inThread, hasRun } = await say(line, false);
  const written = platform.writes.slice(earlier).some(({ kind }) => kind === "post");
  const shown = written ? (platform.thread(inThread).at(-1)?.payload.text ?? "") : "";
  const searched = hasRun ? (asked.at(-1) ?? "") : "";
  return { ...line, hasRun, shown, searched, does: doesOf(line, shown) };
}

function doesOf({ answer, base }: Line, shown: string): Does {
  if (shown === "") return "silent";
  if (refusal.test(shown)) return "tells";
  return answer !== null && quotes(base, answer, shown) ? "right" : "wrong";
}

function actorOf(workspace: string, who: string, people: readonly Person[]): Actor {
  const at = people.findIndex(({ display }) => display === who);
  return {
    ...{ id: `U${at + 1}`, workspace, name: who, roles: [] },
    ...{ isAdmin: false, isGuest: false, isExternal: false, isBot: false },
  };
}

export async function benchTalk(): Promise<Measure[]> {
  const played = await playTalk();
  const halves = [...new Set(played.map(({ half }) => half))];
  return halves.flatMap((half) => totalsOf(half, played));
}

function totalsOf(half: Line["half"], all: readonly Played[]): Measure[] {
  const played = all.filter((line) => line.half === half);
  const asked = played.filter(({ forParley, shouldAnswer }) => forParley && shouldAnswer);
  const followUps = asked.filter(({ place, text }) => place === "thread" && !mentionOf.test(text));
  const toNobody = played.filter(({ forParley, shouldAnswer }) => !forParley && shouldAnswer);
  const unknown = played.filter(({ forParley, shouldAnswer }) => forParley && !shouldAnswer);
  const ofPeople = played.filter(({ forParley, shouldAnswer }) => !forParley && !shouldAnswer);
  const count = (
    what: string,
    of: readonly Played[],
    isMeant: (line: Played) => boolean,
    target?: Measure["target"],
  ) => ({
    ...{ name: `${half}, talk: ${what}`, unit: `of ${of.length}`, value: of.filter(isMeant).length },
    ...(target === undefined ? {} : { target }),
  });
  const least = (of: readonly Played[], share: number) => ({ atLeast: Math.ceil(of.length * share) });
  const isRight = ({ does }: Played) => does === "right";
  const isWrong = ({ does }: Played) => does === "wrong";
  return [
    count("asked of Parley, answered right", asked, isRight, least(asked, 0.85)),
    count("of these follow-ups without a mention", followUps, isRight, least(followUps, 0.85)),
    count("asked of Parley, answered wrong", [...asked, ...unknown], isWrong, { atMost: 0 }),
    count("asked of nobody, answered right", toNobody, isRight, least(toNobody, 0.85)),
    count("asked of nobody, anything else shown", toNobody, ({ does }) => does === "wrong" || does === "tells", {
      atMost: 0,
    }),
    count("of people, anything shown", ofPeople, ({ does }) => does !== "silent", { atMost: 0 }),
    count("of people, looked into", ofPeople, ({ hasRun }) => hasRun),
  ];
}

if (process.argv[1] === import.meta.filename) {
  const isSeen = process.argv.includes("--seen");
  for (const line of isSeen ? await playTalk(({ half }) => half === "seen" || half === "second") : []) {
    const { shouldAnswer, forParley, does, hasRun, id, who, text, shown } = line;
    const isDue = shouldAnswer ? does === "right" : does === "silent" || (forParley && does === "tells");
    if (isDue && (shouldAnswer || forParley || !hasRun)) continue;
    const excerpt = shown.slice(0, 200).replace(/\s+/g, " ");
    process.stdout.write(`${does}${hasRun ? "" : " (no run)"} ${id}: ${who}: ${text}\n    ${excerpt}\n`);
  }
  if (!isSeen)
    for (const { name, value, unit } of await benchTalk()) process.stdout.write(`${name}: ${value} ${unit}\n`);
}
