import type { App } from "../../app.ts";
import { channelKey, type Place, personKey, type Visibility } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { Places } from "../../core/overview/places.ts";
import type { QuestionEntry } from "../../core/overview/question-log.ts";
import type { AskedIn, ExportedQuestion, ListedQuestion } from "../../core/overview/questions.ts";
import { unfinishedTurnStates } from "../../core/ports/state.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { cleanText } from "../../presentation/drawing.ts";
import { codeText, shorten } from "../../presentation/sentences.ts";
import { kindOf, mayReadTexts } from "./text-access.ts";

/** A list waits no longer for a platform; what it doesn't know by then counts as private. */
const visibilityMs = 500;
/** Nor for the service. */
const agentsMs = 200;
const maxNameChars = 100;

export type QuestionPlaces = Pick<Places, "kindOf" | "nameOf" | "all">;

type About = Pick<QuestionEntry, "id" | "ref" | "askedAtMs" | "place" | "visibility" | "asker"> &
  Partial<Pick<QuestionEntry, "isPrivate" | "isScheduled" | "agent">>;

/** Of a Turn that hasn't ended. */
export function aboutTurn(turn: Turn): About {
  const { id, ref, createdAtMs, askedIn, visibility, actor, agent, isPrivate, scheduleId } = turn;
  const agentKey = agent === undefined ? undefined : `${agent.project}.${agent.name}`;
  const isScheduled = scheduleId === undefined ? undefined : (true as const);
  return {
    visibility,
    agent: agentKey,
    isPrivate,
    isScheduled,
    id,
    ref,
    askedAtMs: createdAtMs,
    place: askedIn,
    asker: personKey(askedIn, actor),
  } as About;
}

/** For one answer to a request: what is looked up is looked up once. */
export function createLister(app: App, viewer: string, places: QuestionPlaces, maxTextChars: number) {
  const { clock, reach, sites } = app;
  const { project, logPrivate: isLogPrivate } = app.settings;
  const { turns } = app.state;
  const visibilities = new Map<string, Promise<Visibility | undefined>>();
  const names = new Map<string, ReturnType<Places["nameOf"]>>();
  const agents = withTimeout(reach.lists.agents(), agentsMs, clock).then((known) =>
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
    const name = key.startsWith(`${project}.`) ? key.slice(project.length + 1) : key;
    const isGone =
      known !== undefined && key.startsWith(`${project}.`) && !known.has(key) ? (true as const) : undefined;
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
    ended: async (entry: QuestionEntry, known?: Turn): Promise<ExportedQuestion & { readonly mayRead: boolean }> => {
      const { outcome, why, code, durationMs, endedAtMs, hasSource, up, down } = entry;
      const { line, mayRead } = await lineOf(entry, known);
      const what = code === undefined ? undefined : codeText(code)?.what;
      const more = { why, code, what, durationMs, endedAtMs };
      return { ...line, ...more, state: "ended", outcome, hasSource, up, down, mayRead } as ExportedQuestion & {
        readonly mayRead: boolean;
      };
    },
    running: async (turn: Turn): Promise<ListedQuestion & { readonly mayRead: boolean }> => {
      const { line, mayRead } = await lineOf(aboutTurn(turn), turn);
      const state = unfinishedTurnStates.includes(turn.state) ? turn.state : "running";
      return { ...line, state, mayRead } as ListedQuestion & { readonly mayRead: boolean };
    },
  };
}
