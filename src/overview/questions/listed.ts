/** One question as lists show it: where it was asked, of whom, how it ended, and its text to those who may read it. */
import { noProject } from "../../core/access.ts";
import { channelKey, type Place, personKey, type Visibility } from "../../core/model/place.ts";
import type { Turn, TurnState } from "../../core/model/turn.ts";
import { nameIn, splitName } from "../../core/tools/split-name.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import type { NotShown, QuestionEntry, QuestionOutcome } from "../../insight/derived/question-log.ts";
import { cleanText } from "../../presentation/drawing.ts";
import { codeText, shorten } from "../../presentation/sentences.ts";
import type { OverviewApp } from "../app.ts";
import type { PlaceName } from "../places.ts";
import { agentsIn, unwritten } from "../projects.ts";
import { kindOf, mayReadTexts } from "./text-access.ts";

/** A list waits no longer for a platform; what it doesn't know by then counts as private. */
const visibilityMs = 500;
/** Nor for the service. */
const agentsMs = 200;
const maxNameChars = 100;

/** Where something was asked, as far as people know it. */
export type AskedIn = {
  readonly platform: string;
  readonly workspace: string;
  /** "private": a channel that not everyone can read, or nobody knows who can. */
  readonly kind: "public" | "private" | "direct";
  /** Absent for direct messages. */
  readonly channel?: string;
  /** Without "#"; cleaned. */
  readonly name?: string;
  readonly isGone?: true;
  /** Parley is no longer connected to the platform. */
  readonly isOff?: true;
};

type Unended = Extract<TurnState, "queued" | "running" | "waiting" | "interrupted">;

export type ListedQuestion = {
  readonly id: string;
  readonly ref: string;
  readonly askedAtMs: number;
  readonly askedIn: AskedIn;
  /** "PROJECT.NAME", and as people write it. */
  readonly agent?: { readonly key: string; readonly name: string; readonly isGone?: true };
  readonly isScheduled?: true;
  /** Absent: nobody may read them here. Cleaned. */
  readonly text?: { readonly question: string; readonly by: string };
} & (
  | { readonly state: Unended }
  | {
      readonly state: "ended";
      readonly outcome: QuestionOutcome;
      readonly why?: NotShown;
      readonly code?: string;
      /** What the code says, in one sentence. */
      readonly what?: string;
      readonly durationMs?: number;
      readonly up: number;
      readonly down: number;
    }
);

/** A line of the list for spreadsheets: texts are left out as in the list. */
export type ExportedQuestion = ListedQuestion & { readonly endedAtMs?: number; readonly hasSource: boolean };

/** `mayRead`: whether the viewer may read its texts. */
export type Readable<T extends ListedQuestion = ListedQuestion> = { readonly line: T; readonly mayRead: boolean };

type About = Pick<QuestionEntry, "id" | "ref" | "askedAtMs" | "place" | "visibility" | "asker"> &
  Partial<Pick<QuestionEntry, "isPrivate" | "isScheduled" | "agent">>;

/** Of a Turn that hasn't ended. */
export function aboutTurn(turn: Turn): About {
  const { id, ref, createdAtMs, askedIn, visibility, actor, agent, isPrivate, scheduleId } = turn;
  return {
    visibility,
    agent: agent === undefined ? undefined : `${agent.project}.${agent.name}`,
    isPrivate: isPrivate === true ? true : undefined,
    isScheduled: scheduleId === undefined ? undefined : true,
    id,
    ref,
    askedAtMs: createdAtMs,
    place: askedIn,
    asker: personKey(askedIn, actor),
  };
}

/** For one answer to a request: what is looked up is looked up once. `viewer`: `personKey` of who looks. */
export function createLister(app: OverviewApp, viewer: string, maxTextChars: number) {
  const { clock, sites, places } = app;
  const { projects, logPrivate: isLogPrivate } = app.settings;
  const { turns } = app.state;
  const visibilities = new Map<string, Promise<Visibility | undefined>>();
  const names = new Map<string, Promise<PlaceName>>();
  const agents = withTimeout(agentsIn(projects, app), agentsMs, clock).then((known) =>
    known === undefined ? undefined : new Set(known.map((agent) => `${agent.project}.${agent.name}`)),
  );

  function once<T>(known: Map<string, Promise<T>>, place: Place, find: () => Promise<T>): Promise<T> {
    const key = channelKey(place);
    const found = known.get(key) ?? find();
    known.set(key, found);
    return found;
  }

  /** Where the answer changes nothing, the platform isn't asked. A thread is as public as when it was opened. */
  async function visibilityNow({ visibility: then, place }: About): Promise<Visibility | undefined> {
    if (then !== "public") return undefined;
    const { platform, workspace, channel } = place;
    return once(visibilities, place, async () => {
      const asking = sites.get(platform)?.platform.visibility?.({ platform, workspace, channel });
      return asking === undefined ? undefined : withTimeout(asking, visibilityMs, clock);
    });
  }

  async function askedIn(about: About, now: Visibility | undefined): Promise<AskedIn> {
    const { place, visibility: then } = about;
    const { platform, workspace, channel } = place;
    const known = places.kindOf(place);
    const kind = kindOf(then, now);
    const off = { isOff: known === "unknown" ? (true as const) : undefined };
    if (kind === "direct" || (known === "direct" && kind !== "public")) {
      return { platform, workspace, kind: "direct", ...off };
    }
    const { name, isGone } = await once(names, place, () => places.nameOf(place));
    return { platform, workspace, kind, channel, name, isGone, ...off };
  }

  async function agentOf({ agent: key }: About): Promise<ListedQuestion["agent"]> {
    if (key === undefined) return undefined;
    const known = await agents;
    const agent = splitName(key, noProject);
    const isListed = projects.includes(agent.project);
    const name = nameIn(agent, unwritten(app));
    const isGone = known !== undefined && isListed && !known.has(key) ? (true as const) : undefined;
    return { key, name: shorten(cleanText(name), maxNameChars), isGone };
  }

  async function lineOf(about: About, known: Turn | undefined) {
    const now = await visibilityNow(about);
    const mayRead = mayReadTexts(about, { viewer, isLogPrivate, visibilityNow: now });
    const turn = mayRead ? (known ?? (await turns.get(about.id))) : undefined;
    const text =
      turn === undefined || turn.isForgotten === true
        ? undefined
        : {
            question: shorten(cleanText(turn.question), maxTextChars),
            by: shorten(cleanText(turn.actor.name), maxNameChars),
          };
    const { id, ref, askedAtMs, isScheduled } = about;
    const [place, agent] = await Promise.all([askedIn(about, now), agentOf(about)]);
    return { mayRead, line: { id, ref, askedAtMs, askedIn: place, agent, isScheduled, text } };
  }

  return {
    ended: async (entry: QuestionEntry, known?: Turn): Promise<Readable<ExportedQuestion>> => {
      const { outcome, why, code, durationMs, endedAtMs, hasSource, up, down } = entry;
      const { line, mayRead } = await lineOf(entry, known);
      const what = code === undefined ? undefined : codeText(code)?.what;
      const more = { why, code, what, durationMs, endedAtMs };
      return { line: { ...line, ...more, state: "ended", outcome, hasSource, up, down }, mayRead };
    },
    running: async (turn: Turn): Promise<Readable> => {
      const { line, mayRead } = await lineOf(aboutTurn(turn), turn);
      return { line: { ...line, state: unendedState(turn) }, mayRead };
    },
  };
}

function unendedState({ state }: Turn): Unended {
  return state === "queued" || state === "waiting" || state === "interrupted" ? state : "running";
}
