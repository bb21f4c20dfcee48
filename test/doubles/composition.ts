/** What a test needs to compose a whole Parley, or its bridge, besides its own state, service and platforms. */
import { onTestFinished } from "vitest";
import { type AppSettings, limits } from "../../src/app.ts";
import { settingsSchema } from "../../src/config/settings.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import { createPageReading, type PageReading } from "../../src/knowledge/knowledge.ts";
import type { ParleySettings } from "../../src/parley.ts";
import { silentLog as log } from "./silent-log.ts";

/** Of the bridge alone, over a store that no other instance uses. */
export const defaultSettings: AppSettings = {
  ...settingsSchema.parse({}),
  ...limits,
  laneSettleMs: 0,
  recoveryIntervalMs: 0,
  roles: { trustedPlatforms: [] },
  serves: () => true,
  projects: ["mindsdb"],
  projectOf: () => "mindsdb",
  isShared: false,
  secrets: [],
  version: "test",
};

export function settingsWith(changes: Partial<ParleySettings> = {}): ParleySettings {
  return { ...settingsSchema.parse({}), recoveryIntervalMs: 0, secrets: [], version: "test", ...changes };
}

/** Reads pages of this machine too; closed when the test is over. */
export function readingFor(clock: Clock): PageReading {
  const reading = createPageReading({ allowsPrivate: true, version: "test", clock, log });
  onTestFinished(reading.close);
  return reading;
}
