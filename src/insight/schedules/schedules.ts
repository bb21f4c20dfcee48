/** The face of schedules: creates, changes and does them, and reads them from people's words. */

import type { App } from "../../app.ts";
import type { Named } from "../../core/access.ts";
import type { Inline } from "../../core/document.ts";
import { isNotTaken, toParleyError } from "../../core/errors.ts";
import { type Actor, channelKey, type Place, personKey, workspaceKey } from "../../core/model/place.ts";
import { type Schedule, type ScheduledReading, type ScheduleField, schedulesIn } from "../../core/model/schedule.ts";
import type { Turn, TurnView } from "../../core/model/turn.ts";
import type { Query } from "../../core/ports/collection.ts";
import { untilDone } from "../../core/tools/until-done.ts";
import { bold, infoDocument, say } from "../../presentation/drawing.ts";
import { channelSpan, shorten } from "../../presentation/sentences.ts";
import { alone } from "./due-work.ts";
import { fingerprint } from "./fingerprint.ts";
import { newestDue, nextDue, nextDueAfterRun } from "./next-due.ts";
import { ownerNow } from "./owner.ts";

export type NewSchedule = Pick<Schedule, "id" | "owner" | "place" | "what"> & {
  readonly time: Schedule["time"];
};

/** "refused": its owner may not ask that now, or nobody can tell. */
export type ScheduleChange = "done" | "gone" | "refused";

export type Schedules = {
  /** Durable when it resolves. "known": it was created by an earlier press. "too-many": that person has enough. */
  readonly create: (schedule: NewSchedule) => Promise<Schedule | "known" | "too-many">;
  /** Creates it, or changes the one with its id: its time and its owner. Durable when it resolves. */
  readonly setUp: (schedule: NewSchedule) => Promise<Schedule | "too-many">;
  readonly get: (place: Pick<Place, "platform" | "workspace">, id: string) => Promise<Schedule | undefined>;
  /** That person's, newest first. */
  readonly ofPerson: (
    place: Pick<Place, "platform" | "workspace">,
    actor: Pick<Actor, "id">,
  ) => Promise<readonly Schedule[]>;
  /** Everyone's in that channel, newest first. */
  readonly inChannel: (place: Place) => Promise<readonly Schedule[]>;
  readonly pause: (schedule: Schedule) => Promise<ScheduleChange>;
  /** What was missed since it was paused is done once, at once. */
  readonly resume: (schedule: Schedule) => Promise<ScheduleChange>;
  readonly delete: (schedule: Schedule) => Promise<ScheduleChange>;
  /** Once, besides its times. `eventKey` makes it one run. Throws too_many_questions. */
  readonly runNow: (schedule: Schedule, eventKey: string) => Promise<ScheduleChange>;
  /** Whether that end of a scheduled question differs from the last one that was shown. */
  readonly isNews: (turn: Turn, view: TurnView) => Promise<boolean>;
};

const says = {
  /** To the person who set it up, directly. */
  readingEnded: ({ name }: Named): Inline => say`I no longer read ${bold(name)} again at fixed times.`,
  digestEnded: (place: Pick<Place, "channel">): Inline => say`I switched off the digest of ${channelSpan(place)}.`,
  /** To the owner, directly. */
  ended: (question: string): Inline => say`I deleted your schedule ${bold(question)}.`,
};

export { cronOf, problemOf } from "./recurrence.ts";
export { timeZoneOf } from "./time-zone.ts";
export { clockTimeOf, recurrenceIn, scheduledQuestion } from "./trailing-words.ts";

/** Of one person in one workspace. */
export const maxSchedules = 100;
/** Read for a list. */
const maxListed = 100;
/** While too many questions of that person or of all wait. */
const laterMs = 60_000;
const maxToldChars = 200;
/** Then a schedule ends although its owner can't be told. */
const reachWithinMs = 30 * 60_000;

/** A question of a schedule, to be journaled like any other. `eventKey` is equal on every instance. */
export type ScheduledRun = {
  readonly schedule: Schedule & { readonly what: { readonly kind: "question" } };
  /** With the owner's rights now. */
  readonly actor: Actor;
  readonly eventKey: string;
};

/**
 * Posts the digest of a schedule; repeated after a crash with the same key. `dueAtMs`: the newest time that has passed;
 * absent: besides its times. "lost": Parley can't post there any longer.
 */
export type RunDigest = (run: {
  readonly schedule: Schedule;
  /** With the owner's rights now. */
  readonly actor: Actor;
  readonly eventKey: string;
  readonly dueAtMs?: number;
}) => Promise<"posted" | "nothing" | "lost">;

/** Reads a knowledge base again. "lost": it no longer exists. */
export type ReadAgain = (run: {
  readonly schedule: Schedule;
  readonly what: ScheduledReading;
  /** With the owner's rights now. */
  readonly actor: Actor;
  readonly eventKey: string;
}) => Promise<"begun" | "lost">;

/** Does what is due. */
export type ScheduleRuns = {
  /** Journals and begins a question; one that is journaled already is left alone. */
  readonly ask: (run: ScheduledRun) => Promise<void>;
  readonly postDigest: RunDigest;
  readonly readAgain: ReadAgain;
};

export function createSchedules(app: App): Schedules & {
  /** Before works start. */
  readonly connect: (runs: ScheduleRuns) => void;
} {
  const { notices, clock, log } = app;
  const { works } = app.state;
  const store = schedulesIn(app.state);
  let runs: ScheduleRuns | undefined;

  const memberOf = ({ place, id }: Pick<Schedule, "place" | "id">) => `${workspaceKey(place)}/${id}`;
  const ofPerson = (place: Pick<Place, "platform" | "workspace">, actor: Pick<Actor, "id">) =>
    ({ order: "createdAtMs", where: { owner: personKey(place, actor) } }) as const;

  const changing = <T>(member: string, change: () => Promise<T>) => alone(app, "schedules", member, change);

  /** Changes the newest version of it, if it still exists. */
  function change(schedule: Schedule, to: (now: Schedule) => Promise<void>): Promise<ScheduleChange> {
    const member = memberOf(schedule);
    return changing(member, async () => {
      const now = (await store.get(member))?.record;
      if (now === undefined) return "gone";
      await to(now);
      return "done";
    });
  }

  /** It may be due without its record, and is then left out. */
  async function remove(schedule: Schedule): Promise<void> {
    const member = memberOf(schedule);
    await store.delete(member);
    await works.cancel("schedules", member);
  }

  async function run(schedule: Schedule, actor: Actor, eventKey: string, dueAtMs?: number): Promise<"done" | "lost"> {
    const { what } = schedule;
    if (what.kind === "question") await runs?.ask({ schedule: { ...schedule, what }, actor, eventKey });
    else if (what.kind === "knowledge") {
      if ((await runs?.readAgain({ schedule, what, actor, eventKey })) === "lost") return "lost";
    } else {
      const posted = await runs?.postDigest({ schedule, actor, eventKey, dueAtMs });
      if (posted === "lost") return "lost";
      if (posted === "nothing")
        log.info({ scheduleId: schedule.id }, "A digest had nothing to tell, so it wasn't posted");
    }
    return "done";
  }

  /** Stored before the schedule is deleted, so that the owner always learns of it, once. */
  async function end(schedule: Schedule, why: "owner" | "place"): Promise<void> {
    const { owner, place, what, dueAtMs } = schedule;
    const told = endedText(what, place, why);
    const findDirect = async () => app.sites.get(place.platform)?.platform.directPlace?.(owner, place, true);
    const direct = await findDirect().catch((err: unknown) => {
      // Perhaps it can be reached soon: this time is then tried again.
      if (!isForGood(err) && clock.now() - dueAtMs < reachWithinMs) throw err;
      log.info({ err, scheduleId: schedule.id }, "The owner of a deleted schedule can't be reached");
      return undefined;
    });
    if (direct !== undefined) {
      const key = `schedule-ended/${schedule.id}/${dueAtMs}`;
      await notices.post({ key, place: direct, document: infoDocument(told) });
    }
    await remove(schedule);
  }

  /** One time of one schedule. Each step can be repeated: the event's key is that of the time. */
  async function runDue(member: string): Promise<number | undefined> {
    const schedule = (await store.get(member))?.record;
    if (schedule === undefined || schedule.state === "paused") return undefined;
    const { id, dueAtMs, time, place } = schedule;
    if (dueAtMs > clock.now()) return dueAtMs;
    const now = await ownerNow(schedule, app);
    if (now.kind === "lost") {
      log.info({ scheduleId: id, why: now.why }, "A schedule was deleted: its owner can't ask that there now");
      await end(schedule, "owner");
      return undefined;
    }
    if (now.kind === "unknown") {
      log.warn({ scheduleId: id, why: now.why }, "A schedule skipped one time: its owner's role is unknown");
    } else {
      try {
        const key = `${workspaceKey(place)}/schedule/${id}/${dueAtMs}`;
        if ((await run(schedule, now.actor, key, newestDue(time, dueAtMs, clock.now()))) === "lost") {
          log.info({ scheduleId: id }, "A schedule was deleted: its channel or knowledge base is gone");
          await end(schedule, "place");
          return undefined;
        }
      } catch (failure) {
        if (!isNotTaken(failure)) throw failure;
        return clock.now() + laterMs;
      }
    }
    const next = nextDueAfterRun(time, dueAtMs, clock.now());
    const ran = now.kind === "unknown" ? {} : { lastRunAtMs: clock.now() };
    await store.put(member, { ...schedule, dueAtMs: next, ...ran });
    return next;
  }

  const runAlone = ({ key }: { readonly key: string }) => changing(key, () => runDue(key));
  works.define("schedules", { ...untilDone(works, clock, "schedules"), run: runAlone });

  async function listed(query: Query<ScheduleField>): Promise<readonly Schedule[]> {
    const { entries } = await store.query(query, maxListed);
    return entries.map(({ record }) => record);
  }

  const hasTooMany = async (place: Place, owner: Actor): Promise<boolean> =>
    (await store.count(ofPerson(place, owner), maxSchedules)).count >= maxSchedules;

  /** When it is due comes first: that tolerates a missing record, but a record without it would never be due. */
  async function save(about: NewSchedule, existedSinceMs?: number): Promise<Schedule> {
    const nowMs = clock.now();
    const dueAtMs = nextDue(about.time, nowMs);
    const createdAtMs = existedSinceMs ?? nowMs;
    const schedule: Schedule = { version: 1, ...about, state: "active", dueAtMs, createdAtMs };
    await works.add("schedules", memberOf(about), null, { dueAtMs });
    await store.put(memberOf(about), schedule);
    return schedule;
  }

  async function create(about: NewSchedule): Promise<Schedule | "known" | "too-many"> {
    const { owner, place } = about;
    const member = memberOf(about);
    return changing(member, async () => {
      if ((await store.get(member)) !== undefined) return "known";
      if (await hasTooMany(place, owner)) return "too-many";
      return save(about);
    });
  }

  /** Keeps its id, so that its channel has one. Its owner is who changed it last. */
  async function setUp(about: NewSchedule): Promise<Schedule | "too-many"> {
    const member = memberOf(about);
    return changing(member, async () => {
      const { owner, place } = about;
      const before = (await store.get(member))?.record;
      if (before?.owner.id !== owner.id && (await hasTooMany(place, owner))) return "too-many";
      return save(about, before?.createdAtMs);
    });
  }

  return {
    create,
    setUp,
    get: async (place, id) => (await store.get(`${workspaceKey(place)}/${id}`))?.record,
    ofPerson: (place, actor) => listed(ofPerson(place, actor)),
    inChannel: (place) => listed({ order: "createdAtMs", where: { channel: channelKey(place) } }),
    pause: (schedule) =>
      change(schedule, async (now) => {
        await store.put(memberOf(now), { ...now, state: "paused" });
        await works.cancel("schedules", memberOf(now));
      }),
    resume: (schedule) =>
      change(schedule, async (now) => {
        await works.add("schedules", memberOf(now), null, { dueAtMs: now.dueAtMs });
        await store.put(memberOf(now), { ...now, state: "active" });
      }),
    delete: (schedule) => change(schedule, remove),
    runNow: async (schedule, eventKey) => {
      const now = (await store.get(memberOf(schedule)))?.record;
      if (now === undefined) return "gone";
      const owner = await ownerNow(now, app);
      if (owner.kind !== "may") return "refused";
      const done = await run(now, owner.actor, `${workspaceKey(now.place)}/schedule/${now.id}/now/${eventKey}`);
      return done === "lost" ? "refused" : "done";
    },
    isNews: (turn, view) => {
      const member = `${workspaceKey(turn.askedIn)}/${turn.scheduleId ?? ""}`;
      return changing(member, async () => {
        const schedule = (await store.get(member))?.record;
        if (schedule === undefined) return false;
        // Decided before this process took over.
        if (schedule.lastTurnId === turn.id) return true;
        const lastHash = fingerprint(view);
        if (schedule.lastHash === lastHash) return false;
        await store.put(member, { ...schedule, lastHash, lastTurnId: turn.id });
        return true;
      });
    },
    connect: (built) => {
      runs = built;
    },
  };
}

/** What a schedule's owner is told when it ends without them. */
function endedText(what: Schedule["what"], place: Place, why: "owner" | "place"): (string | Inline)[] {
  switch (what.kind) {
    case "question":
      return [
        says.ended(shorten(what.question, maxToldChars)),
        "You can't ask that there now. If that's a mistake, a manager can help, and you can set it up again.",
      ];
    case "digest":
      return [
        says.digestEnded(place),
        why === "place"
          ? "I can't post there now: I was removed from the channel, or it was archived."
          : "You can't manage me there now. Someone else who can manage me may set it up again.",
      ];
    case "knowledge":
      return [
        says.readingEnded(what.base),
        why === "place"
          ? "This knowledge base no longer exists, or you can't reach it there now."
          : "You can't add to it there now. If that's a mistake, a manager can help, and you can set it up again.",
      ];
    default:
      return what satisfies never;
  }
}

const isForGood = (failure: unknown): boolean =>
  ["not_permitted", "place_gone", "thread_gone"].includes(toParleyError(failure).code);
