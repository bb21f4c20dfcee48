import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { watchForEnd } from "../../src/operations/shutdown.ts";
import { createCollectedLog } from "../doubles/collected-log.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";

function watch(drain: () => Promise<void> = async () => {}) {
  const emitter = new EventEmitter();
  const exits: number[] = [];
  const drains: string[] = [];
  const clock = createFakeClock();
  const collected = createCollectedLog();
  const stop = watchForEnd({
    process: {
      on: (event, listener) => emitter.on(event, listener),
      off: (event, listener) => emitter.off(event, listener),
      exit: (code) => exits.push(code),
    },
    drain: (signal) => {
      drains.push(signal);
      return drain();
    },
    limitMs: 30_000,
    clock,
    log: collected.log,
  });
  return { emitter, exits, drains, clock, stop, ...collected };
}

const forEver = () => new Promise<void>(() => {});

describe("a signal to end", () => {
  it.each(["SIGTERM", "SIGINT", "SIGHUP"])("drains on %s and exits with 0", async (signal) => {
    const { emitter, exits, drains, clock } = watch();

    emitter.emit(signal);
    await clock.advance(0);

    expect(drains).toEqual([signal]);
    expect(exits).toEqual([0]);
  });

  it("treats a second one within two seconds as the same", async () => {
    const { emitter, exits, drains, clock } = watch(forEver);

    emitter.emit("SIGTERM");
    await clock.advance(1900);
    emitter.emit("SIGTERM");

    expect(drains).toHaveLength(1);
    expect(exits).toEqual([]);
  });

  it("ends at once on a later one", async () => {
    const { emitter, exits, clock } = watch(forEver);

    emitter.emit("SIGTERM");
    await clock.advance(2100);
    emitter.emit("SIGTERM");

    expect(exits).toEqual([1]);
  });

  it("exits with 1 and says why when draining fails", async () => {
    const { emitter, exits, lines, clock } = watch(() => Promise.reject(new Error("no disk")));

    emitter.emit("SIGTERM");
    await clock.advance(0);

    expect(exits).toEqual([1]);
    expect(lines().at(-1)).toMatchObject({ level: "error", err: { message: "no disk" } });
  });

  it("gives a drain up that hangs", async () => {
    const { emitter, exits, clock } = watch(forEver);

    emitter.emit("SIGTERM");
    await clock.advance(30_000);

    expect(exits).toEqual([1]);
  });

  it("leaves no timer behind", async () => {
    const { emitter, clock } = watch();

    emitter.emit("SIGTERM");
    await clock.advance(0);

    expect(clock.pending()).toBe(0);
  });
});

describe("an error that nobody caught", () => {
  it.each(["uncaughtException", "unhandledRejection"])("is logged before the process exits with 1 (%s)", (event) => {
    const { emitter, exits, lines } = watch();

    emitter.emit(event, new Error("surprise"));
    emitter.emit(event, new Error("and another"));

    expect(exits).toEqual([1]);
    expect(lines()).toEqual([
      expect.objectContaining({ level: "error", err: expect.objectContaining({ message: "surprise" }) }),
    ]);
  });

  it("is left alone once the watch has ended", () => {
    const { emitter, stop } = watch();

    stop();

    expect(emitter.eventNames()).toEqual([]);
  });
});
