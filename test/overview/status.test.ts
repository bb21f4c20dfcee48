import { describe, expect, it } from "vitest";
import { ParleyError } from "../../src/core/errors.ts";
import type { ChatPlatform } from "../../src/core/ports/chat-platform.ts";
import type { TurnStore } from "../../src/core/ports/state.ts";
import type { Installation } from "../../src/overview/installation.ts";
import { noInstallation } from "../../src/overview/installation.ts";
import { statusOf } from "../../src/overview/status.ts";
import { appOf } from "../doubles/app.ts";
import { overviewAppOf } from "../doubles/overview-app.ts";

const now = Date.parse("2026-11-23T12:00:00Z");

function open(changes: { readonly turns?: Partial<TurnStore>; readonly installation?: Installation } = {}) {
  let later = 0;
  let reads = 0;
  const installation = {
    ...noInstallation,
    labelOf: (name: string) => (name === "slack" ? "Slack" : name),
    problems: () => {
      reads += 1;
      return { problems: [{ name: "public", says: "https://x.example can't be reached." }], checkedAtMs: now };
    },
  };
  const platform: Partial<ChatPlatform> = {
    name: "slack",
    health: () => ({ isConnected: true, reason: "Slack doesn't send an event." }),
  };
  const app = appOf({
    settings: { version: "0.2.0" },
    turns: changes.turns ?? { unfinished: async function* () {} },
    sites: new Map([["slack", { platform }]]),
    clock: { now: () => now + later },
  });
  const counts = () => ({ running: 1, waiting: 2 });
  const overview = overviewAppOf(app, { installation: changes.installation ?? installation, counts });
  return { status: () => statusOf(overview), installation, reads: () => reads, pass: (ms: number) => (later += ms) };
}

describe("the state of the installation", () => {
  it("says what is connected and what it lacks, what runs, and what the doctor finds wrong", async () => {
    const { status } = open();

    expect(await status()).toEqual({
      now: { running: 1, waiting: 2 },
      platforms: [{ name: "slack", label: "Slack", isConnected: true, reason: "Slack doesn't send an event." }],
      service: { isOk: true },
      storage: { kind: "SQLite", isOk: true },
      version: "0.2.0",
      startedAtMs: 0,
      problems: [{ name: "public", says: "https://x.example can't be reached." }],
      checkedAtMs: now,
    });
  });

  it("counts what runs and waits on all instances that share a storage", async () => {
    const states = ["running", "queued", "waiting", "running", "interrupted"] as const;
    const unfinished = async function* () {
      for (const state of states) yield { state } as never;
    };
    const { status } = open({ turns: { unfinished }, installation: { ...noInstallation, isShared: true } });

    expect((await status()).now).toEqual({ running: 2, waiting: 3 });
  });

  it("is read once for all who look within two seconds, and again after a failure", async () => {
    const { status, reads, pass } = open();
    await Promise.all([status(), status()]);
    expect(reads()).toBe(1);
    pass(2_001);
    await status();
    expect(reads()).toBe(2);

    let isAway = true;
    const unfinished = async function* () {
      if (isAway) throw new ParleyError("state_unavailable");
      yield { state: "running" } as never;
    };
    const failing = open({ turns: { unfinished }, installation: { ...noInstallation, isShared: true } }).status;
    await expect(failing()).rejects.toThrow("state_unavailable");
    isAway = false;
    expect((await failing()).now).toEqual({ running: 1, waiting: 0 });
  });
});
