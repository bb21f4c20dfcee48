/** What a test needs to compose a whole Parley besides its own state, service and platforms. */
import { onTestFinished } from "vitest";
import { type BridgeSettings, defaultSettings } from "../../src/bridge/bridge.ts";
import { createPageReading, type PageReading } from "../../src/knowledge/knowledge.ts";
import { defaultParleySettings, type ParleySettings } from "../../src/parley.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { silentLog as log } from "./silent-log.ts";

export function settingsWith(bridge: Partial<BridgeSettings> = {}): ParleySettings {
  return {
    ...defaultParleySettings,
    version: "test",
    baseUrl: "http://127.0.0.1:3000",
    bridge: { ...defaultSettings, ...bridge },
  };
}

/** Reads pages of this machine too; closed when the test is over. */
export function readingFor(clock: Clock): PageReading {
  const reading = createPageReading({ allowsPrivate: true, version: "test", clock, log });
  onTestFinished(reading.close);
  return reading;
}
