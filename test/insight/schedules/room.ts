/** Schedules over SQLite with a fake clock: what they ask is collected, and people's rights are a test's to change. */

import type { Reach } from "../../../src/core/access.ts";
import type { Actor, Visibility } from "../../../src/core/model/place.ts";
import type { ChatPlatform } from "../../../src/core/ports/chat-platform.ts";
import type { Rankings } from "../../../src/core/ports/storage/rankings.ts";
import type { NewSchedule, ScheduleRuns } from "../../../src/insight/schedules/schedules.ts";
import { createDueWork, createSchedules, type ScheduledRun } from "../../../src/insight/schedules/schedules.ts";
import { openState } from "../../../src/state/open-state.ts";
import { appOf } from "../../doubles/app.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { keptNotices } from "../../doubles/notices.ts";
import { alice, general } from "../../doubles/people.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

export const question: NewSchedule = {
  ...{ id: "schedule00000001", owner: alice, place: general },
  time: { cron: "0 9 * * *", timeZone: "UTC", text: "every day at 9:00" },
  what: { kind: "question", question: "How many orders?" },
};

export async function openSchedules() {
  const clock = createFakeClock();
  const dataDir = await temporaryFolder("schedules");
  const state = await openState({ dataDir, clock, log });
  const notices = keptNotices();
  const asked: ScheduledRun[] = [];
  const keys = new Set<string>();
  const faults: { ask?: (run: ScheduledRun) => Promise<void>; rankings?: Partial<Rankings>; direct?: () => void } = {};
  let person: Actor | "gone" | undefined = alice;
  let platform: Pick<ChatPlatform, "visibility" | "isMember"> = {};
  let postDigest: ScheduleRuns["postDigest"] = async () => "nothing";
  let may: Reach["may"] = () => ({ allowed: true, isPrivate: false });

  const directPlace = () => {
    faults.direct?.();
    return { ...general, channel: "direct" };
  };

  /** One process over the storage that they share. */
  function instance() {
    const rankings = {
      ...state.rankings,
      put: (...args: Parameters<Rankings["put"]>) => (faults.rankings?.put ?? state.rankings.put)(...args),
    };
    const dueWork = createDueWork(
      appOf({ rankings, claims: state.claims, coordinator: state.coordinator, clock, log }),
    );
    const schedules = createSchedules(
      appOf({
        collection: state.collection,
        rankings,
        notices,
        clock,
        log,
        reach: {
          may: (...about) => may(...about),
          mayAgent: async (actor, action, place) => may(actor, action, place),
        },
        siteOf: () => ({ platform: { ...platform, personNow: async () => person, directPlace } }),
      }),
      { dueWork },
    );
    const ask: ScheduleRuns["ask"] = async (run) => {
      await faults.ask?.(run);
      // As the store of Turns does it.
      if (keys.has(run.eventKey)) return;
      keys.add(run.eventKey);
      asked.push(run);
    };
    schedules.connect({ ask, postDigest: (run) => postDigest(run) });
    return { schedules, dueWork };
  }

  return {
    ...{ clock, state, notices, asked, faults, instance },
    ...instance(),
    person: (now: Actor | "gone" | undefined) => {
      person = now;
    },
    channel: (visibility: Visibility | undefined, isMember: boolean | undefined) => {
      platform = { visibility: async () => visibility, isMember: async () => isMember };
    },
    postsDigests: (by: ScheduleRuns["postDigest"]) => {
      postDigest = by;
    },
    may: (now: Reach["may"]) => {
      may = now;
    },
    times: () => asked.map(({ eventKey }) => new Date(Number(eventKey.split("/").at(-1))).toISOString().slice(5, 16)),
    /** Lets time pass up to then, without a look at what is due. */
    until: (moment: string) => clock.advance(Date.parse(moment) - clock.now()),
    close: () => state.close(),
  };
}
