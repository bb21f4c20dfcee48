/** Schedules over SQLite with a fake clock: what they ask is collected, and people's rights are a test's to change. */

import type { Reach } from "../../../src/core/access.ts";
import type { Actor, Visibility } from "../../../src/core/model/place.ts";
import type { ChatPlatform } from "../../../src/core/ports/chat-platform.ts";
import type { Works } from "../../../src/core/ports/storage/works.ts";
import type { NewSchedule, ScheduleRuns } from "../../../src/insight/schedules/schedules.ts";
import { createSchedules, type ScheduledRun } from "../../../src/insight/schedules/schedules.ts";
import { openState } from "../../../src/state/open-state.ts";
import { appOf } from "../../doubles/app.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { look } from "../../doubles/look.ts";
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
  const faults: { ask?: (run: ScheduledRun) => Promise<void>; end?: () => void; direct?: () => void } = {};
  let person: Actor | "gone" | undefined = alice;
  let platform: Pick<ChatPlatform, "visibility" | "isMember"> = {};
  let postDigest: ScheduleRuns["postDigest"] = async () => "nothing";
  let readAgain: ScheduleRuns["readAgain"] = async () => "begun";
  let may: Reach["may"] = () => ({ allowed: true, isPrivate: false });

  const directPlace = () => {
    faults.direct?.();
    return { ...general, channel: "direct" };
  };

  /** One process over the storage that they share. */
  function instance() {
    const works: Works = {
      ...state.works,
      define: (kind, definition) => {
        const run: typeof definition.run = async (...about) => {
          const next = await definition.run(...about);
          faults.end?.();
          return next;
        };
        state.works.define(kind, { ...definition, run });
      },
    };
    const schedules = createSchedules(
      appOf({
        collection: state.collection,
        coordinator: state.coordinator,
        works,
        notices,
        clock,
        log,
        reach: {
          may: (...about) => may(...about),
          mayAgent: async (actor, action, place) => may(actor, action, place),
          mayBase: async (actor, action, place) => may(actor, action, place),
        },
        siteOf: () => ({ platform: { ...platform, personNow: async () => person, directPlace } }),
      }),
    );
    const ask: ScheduleRuns["ask"] = async (run) => {
      await faults.ask?.(run);
      // As the store of Turns does it.
      if (keys.has(run.eventKey)) return;
      keys.add(run.eventKey);
      asked.push(run);
    };
    schedules.connect({ ask, postDigest: (run) => postDigest(run), readAgain: (run) => readAgain(run) });
    return { schedules, look: () => look(state.works) };
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
    readsAgain: (by: ScheduleRuns["readAgain"]) => {
      readAgain = by;
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
