/**
 * Publishes Parley's own tab for the person who opens it. It shows the welcome card, the channels they share with
 * Parley and their running jobs, and to people who manage what is wrong. It is published again after a press, and when a
 * job in it ends.
 */

import { LRUCache } from "lru-cache";
import { refusalDocument, refusalError } from "../../access/refusal.ts";
import { logFailure, ParleyError, toParleyError } from "../../core/errors.ts";
import { type Actor, type Place, personKey } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { Inbound } from "../../core/ports/chat-platform.ts";
import { nameIn } from "../../core/tools/split-name.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import {
  errorDocument,
  failuresDocument,
  homeDocument,
  type SharedChannel,
  type ShownFailure,
} from "../../presentation/drawing.ts";
import type { IntakeApp } from "../intake/app.ts";
import { findAnswerer } from "./answerer.ts";
import { createHomeFacts, groupFailures, groupKey } from "./home-facts.ts";
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

type Press = Extract<Inbound, { kind: "action" }>;

/** A tab that shows running jobs. */
type Visit = {
  readonly actor: Actor;
  readonly place: Place;
  readonly jobs: ReadonlySet<string>;
  readonly untilMs: number;
};

export function createHome(app: IntakeApp & { readonly ending: AbortSignal }) {
  const { reach, sites, clock, log, settings, people, ending } = app;
  const facts = createHomeFacts(app);
  const visits = new LRUCache<string, Visit>({ max: maxVisits });
  let isWatching = false;

  const inTime = <T>(work: Promise<T>): Promise<T | undefined> => withTimeout(work, factsMs, clock);
  const homeOf = ({ platform }: Place) => sites.get(platform)?.platform.home;

  async function describe(actor: Actor, place: Place): Promise<SharedChannel> {
    const who = await findAnswerer(app, actor, place);
    if (who.kind === "choose" || who.kind === "none") return { channel: place.channel };
    const shared = { channel: place.channel, agent: nameIn(who.agent, settings.project) };
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
    const [welcome, channels, allJobs = [], failed = [], gaps] = await Promise.all([
      welcomeFor(app, actor, place),
      inTime(sharedWith(actor, place)),
      inTime(facts.jobs(place)),
      manages ? inTime(facts.failed(place)) : [],
      manages && app.openGaps !== undefined ? inTime(app.openGaps(actor, place)) : undefined,
    ]);
    const jobs = allJobs.filter((job) => manages || job.actor.id === actor.id);
    const failures = groupFailures(failed, settings.project);
    const failing = manages ? (await inTime(app.service.profile()))?.failing : undefined;
    const problem = manages ? (platform.health().reason ?? failing) : undefined;
    await platform.home.publish(actor, homeDocument({ welcome, jobs, failures, channels, problem, gaps }));
    watch(actor, place, new Set(jobs.map(({ id }) => id)));
  }

  /** Nobody waits for it, and it is published again the next time. */
  async function tryPublish(actor: Actor, place: Place): Promise<void> {
    await publish(actor, place).catch((failure: unknown) =>
      logFailure(log, toParleyError(failure), { kind: "home-opened" }, "Parley's own tab could not be published"),
    );
  }

  function watch(actor: Actor, place: Place, jobs: ReadonlySet<string>): void {
    const key = personKey(place, actor);
    if (jobs.size === 0) return void visits.delete(key);
    const untilMs = visits.get(key)?.untilMs ?? clock.now() + watchedForMs;
    visits.set(key, { actor, place, jobs, untilMs });
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
      for (const [key, { actor, place, jobs, untilMs }] of [...visits]) {
        if (untilMs <= clock.now()) visits.delete(key);
        const at = `${place.platform}/${place.workspace}`;
        const ids = running.get(at) ?? facts.jobs(place).then((found) => new Set(found.map(({ id }) => id)));
        running.set(at, ids);
        const left = await ids.catch(() => jobs);
        if (![...jobs].every((id) => left.has(id))) await tryPublish(people.newest(actor, place), place);
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
    opened: async ({ actor, place, ack }: Extract<Inbound, { kind: "home-opened" }>): Promise<void> => {
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
        await app.commands.refused({ kind: "action", action, value }, "manage", inbound);
        const refusal = await refusalDocument(inbound, verdict, settings.roles.managers, people);
        return inbound.reply.send(refusal, "private");
      }
      const failed = await facts.failed(place);
      const pressed = failed.find(({ id }) => id === value);
      if (pressed === undefined)
        throw new ParleyError("turn_gone", { what: "These problems are older than a day, or were deleted.", hint: "" });
      const alike = failed.filter((turn) => groupKey(turn) === groupKey(pressed));
      const [group] = groupFailures(alike, settings.project);
      if (group === undefined) return;
      const shared = (await inTime(homeOf(place)?.sharedChannels(actor) ?? Promise.resolve([]))) ?? [];
      const channels = new Set(shared.map(({ channel }) => channel));
      const shown = await Promise.all(alike.slice(0, maxShownFailures).map((turn) => shownTo(actor, channels, turn)));
      await inbound.reply.send(failuresDocument(group, shown), "private");
    },
  };
}
