/**
 * Publishes Parley's own tab for the person who opens it. It shows the welcome card, the channels they share with
 * Parley and their running jobs, and to people who manage what is wrong. It is published again after a press, and when a
 * job in it ends.
 */

import { LRUCache } from "lru-cache";
import { refusalDocument, refusalError } from "../../access/refusal.ts";
import { logFailure, ParleyError, toParleyError } from "../../core/errors.ts";
import type { Job } from "../../core/model/job.ts";
import { type Actor, type Place, personKey, workspaceKey } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import { byClock } from "../../core/tools/cache-time.ts";
import { nameIn } from "../../core/tools/split-name.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import {
  errorDocument,
  type FailureGroup,
  failuresDocument,
  homeDocument,
  type SharedChannel,
  type ShownFailure,
} from "../../presentation/drawing.ts";
import type { IntakeApp, Of, Press } from "../intake/app.ts";
import { findAnswerer } from "./answerer.ts";
import { welcomeFor } from "./welcome.ts";

/** The tab appears without what is not known by then. */
const factsMs = 2_000;
const linksMs = 1_000;
const maxChannels = 20;
const maxShownFailures = 5;
/** How often the jobs of open tabs are looked at, for how long after the tab was opened, and of how many people. */
const watchMs = 10_000;
const watchedForMs = 10 * 60_000;
const maxVisits = 50;

const dayMs = 86_400_000;
/** The newest questions that are searched for failures; each is read whole. */
const maxLooked = 200;
/** How long the failures of a workspace are remembered: several managers may open the tab at once. */
const failuresKeptMs = 10_000;
const maxWorkspaces = 100;

/** A tab that shows running jobs. */
type Visit = {
  readonly actor: Actor;
  readonly place: Place;
  readonly jobs: ReadonlySet<string>;
  readonly untilMs: number;
};

export function createHome(app: IntakeApp & { readonly ending: AbortSignal }) {
  const { reach, sites, clock, log, settings, people, ending } = app;
  const { jobs, turns } = app.state;
  const failures = new LRUCache<string, readonly Turn[]>({
    max: maxWorkspaces,
    ttl: failuresKeptMs,
    ...byClock(clock),
    ignoreFetchAbort: true,
    fetchMethod: failuresIn,
  });
  const visits = new LRUCache<string, Visit>({ max: maxVisits });
  let isWatching = false;

  const inTime = <T>(work: Promise<T>): Promise<T | undefined> => withTimeout(work, factsMs, clock);
  const homeOf = ({ platform }: Place) => sites.get(platform)?.platform.home;

  /** Unfinished, of that workspace, newest first. */
  async function jobsIn(place: Place): Promise<readonly Job[]> {
    const found: Job[] = [];
    for await (const job of jobs.unfinished()) {
      if (workspaceKey(job.askedIn) === workspaceKey(place)) found.push(job);
    }
    return found.reverse();
  }

  /** Of the last day, newest first. */
  async function failuresIn(workspace: string): Promise<readonly Turn[]> {
    const sinceMs = clock.now() - dayMs;
    const recent = await turns.recent(maxLooked);
    return recent.filter(
      (turn) =>
        turn.createdAtMs >= sinceMs &&
        workspaceKey(turn.conversation) === workspace &&
        (turn.state === "failed" || turn.notAnswered === "failed") &&
        turn.outcome?.error !== undefined,
    );
  }

  const failed = (place: Place): Promise<readonly Turn[]> => failures.forceFetch(workspaceKey(place));

  async function describe(actor: Actor, place: Place): Promise<SharedChannel> {
    const who = await findAnswerer(app, actor, place);
    if (who.kind === "choose" || who.kind === "none") return { channel: place.channel };
    const shared = { channel: place.channel, agent: nameIn(who.agent, settings.projectOf(place, actor)) };
    return who.kind === "gone" ? { ...shared, isGone: true } : shared;
  }

  async function sharedWith(actor: Actor, place: Place): Promise<readonly SharedChannel[]> {
    const shared = (await homeOf(place)?.sharedChannels(actor)) ?? [];
    return Promise.all(shared.slice(0, maxChannels).map((channel) => describe(actor, channel)));
  }

  async function publish(actor: Actor, place: Place): Promise<void> {
    const platform = sites.get(place.platform)?.platform;
    if (platform?.home === undefined) return;
    const verdict = reach.may(actor, "ask", place);
    if (!verdict.allowed) return platform.home.publish(actor, errorDocument(refusalError(actor, verdict)));
    const manages = reach.may(actor, "manage", place).allowed;
    const [welcome, channels, allJobs = [], failing = [], gaps] = await Promise.all([
      welcomeFor(app, actor, place),
      inTime(sharedWith(actor, place)),
      inTime(jobsIn(place)),
      manages ? inTime(failed(place)) : [],
      manages && app.openGaps !== undefined ? inTime(app.openGaps(actor, place)) : undefined,
    ]);
    const own = allJobs.filter((job) => manages || job.actor.id === actor.id);
    const groups = groupFailures(failing, settings.projectOf(place, actor));
    const service = manages ? (await inTime(app.service.profile()))?.failing : undefined;
    const problem = manages ? (platform.health().reason ?? service) : undefined;
    const shown = { welcome, jobs: own, failures: groups, channels, problem, gaps };
    await platform.home.publish(actor, homeDocument(shown));
    watch(actor, place, new Set(own.map(({ id }) => id)));
  }

  /** Nobody waits for it, and it is published again the next time. */
  async function tryPublish(actor: Actor, place: Place): Promise<void> {
    await publish(actor, place).catch((failure: unknown) =>
      logFailure(log, toParleyError(failure), { kind: "home-opened" }, "Parley's own tab could not be published"),
    );
  }

  function watch(actor: Actor, place: Place, shown: ReadonlySet<string>): void {
    const key = personKey(place, actor);
    if (shown.size === 0) return void visits.delete(key);
    const untilMs = visits.get(key)?.untilMs ?? clock.now() + watchedForMs;
    visits.set(key, { actor, place, jobs: shown, untilMs });
    if (isWatching) return;
    isWatching = true;
    // It ends when no such tab is left, or the process shuts down.
    keepWatching()
      .catch(() => undefined)
      .finally(() => {
        isWatching = false;
      });
  }

  async function keepWatching(): Promise<void> {
    while (visits.size > 0) {
      await clock.sleep(watchMs, ending);
      const running = new Map<Place["workspace"], Promise<ReadonlySet<string>>>();
      for (const [key, { actor, place, jobs: shown, untilMs }] of [...visits]) {
        if (untilMs <= clock.now()) visits.delete(key);
        const at = `${place.platform}/${place.workspace}`;
        const ids = running.get(at) ?? jobsIn(place).then((found) => new Set(found.map(({ id }) => id)));
        running.set(at, ids);
        const left = await ids.catch(() => shown);
        if (![...shown].every((id) => left.has(id))) await tryPublish(people.newest(actor, place), place);
      }
    }
  }

  /** Where it was asked and a link, only to people who are in that channel. */
  async function shownTo(actor: Actor, channels: ReadonlySet<string>, turn: Turn): Promise<ShownFailure> {
    const shown = { ref: turn.ref, atMs: turn.endedAtMs ?? turn.createdAtMs };
    const { channel } = turn.conversation;
    if (!channels.has(channel) && turn.actor.id !== actor.id) return shown;
    const messageId = turn.reply.parts.find((part) => part.messageId !== undefined)?.messageId ?? turn.askedMessageId;
    const platform = sites.get(turn.conversation.platform)?.platform;
    const found = messageId === undefined ? undefined : platform?.permalink({ place: turn.conversation, messageId });
    const url = found === undefined ? undefined : await withTimeout(found, linksMs, clock);
    return { ...shown, ...(channels.has(channel) ? { channel } : {}), url };
  }

  return {
    opened: async ({ actor, place, ack }: Of<"home-opened">): Promise<void> => {
      await ack({ kind: "none" });
      visits.delete(personKey(place, actor));
      await tryPublish(actor, place);
    },

    /** After a press there: a cancelled job disappears. Never rejects. */
    pressed: ({ actor, place }: Press): Promise<void> => tryPublish(actor, place),

    showFailures: async (inbound: Press): Promise<void> => {
      const { actor, place, action, value } = inbound;
      await inbound.ack({ kind: "defer-private" });
      const verdict = reach.may(actor, "manage", place);
      if (!verdict.allowed) {
        await app.commandsIn(inbound).commands.refused({ kind: "action", action, value }, "manage", inbound);
        const refusal = await refusalDocument(inbound, verdict, settings.roles.managers, people);
        return inbound.reply.send(refusal, "private");
      }
      const found = await failed(place);
      const pressed = found.find(({ id }) => id === value);
      if (pressed === undefined)
        throw new ParleyError("turn_gone", { what: "These problems are older than a day, or were deleted.", hint: "" });
      const alike = found.filter((turn) => groupKey(turn) === groupKey(pressed));
      const [group] = groupFailures(alike, settings.projectOf(place, actor));
      if (group === undefined) return;
      const shared = (await inTime(homeOf(place)?.sharedChannels(actor) ?? Promise.resolve([]))) ?? [];
      const channels = new Set(shared.map(({ channel }) => channel));
      const shown = await Promise.all(alike.slice(0, maxShownFailures).map((turn) => shownTo(actor, channels, turn)));
      await inbound.reply.send(failuresDocument(group, shown), "private");
    },
  };
}

/** By agent and error, the newest failure first. `failed`: newest first. */
function groupFailures(failed: readonly Turn[], project: string): readonly FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const turn of failed) {
    const key = groupKey(turn);
    const known = groups.get(key);
    groups.set(key, known === undefined ? groupOf(turn, project) : { ...known, count: known.count + 1 });
  }
  return [...groups.values()];
}

/** What the failures of one line have in common. */
function groupKey({ agent, outcome }: Turn): string {
  return `${agent?.project ?? ""}.${agent?.name ?? ""} ${outcome?.error?.code ?? ""}`;
}

function groupOf(turn: Turn, project: string): FailureGroup {
  const agent = turn.agent === undefined ? {} : { agent: nameIn(turn.agent, project) };
  return {
    ...agent,
    code: turn.outcome?.error?.code ?? "internal",
    count: 1,
    lastTurnId: turn.id,
    lastRef: turn.ref,
    lastAtMs: turn.endedAtMs ?? turn.createdAtMs,
  };
}
