/**
 * A coordinator on a real Redis under random use and random faults. Resolves with the promises that it broke. A seed
 * repeats the choices, not the moments.
 */
import type { Coordinator } from "../../../src/core/ports/state.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { connectRedis } from "../../../src/state/redis/connection.ts";
import { createChance } from "../../chaos/chance.ts";
import { startRedisServer } from "../../doubles/processes/redis-server.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { type Instance, settleMs, startInstance, times } from "./instance.ts";
import { createJudge, type Entry, type Hold, type Key, type Wait } from "./judge.ts";

const lanes: readonly Key[] = ["a", "b", "c"].map((name) => ({ kind: "lane", name, n: 1 }));
const leases: readonly Key[] = ["k", "l"].map((name) => ({ kind: "lease", name, n: 1 }));
const permits: readonly Key[] = [{ kind: "permit", name: "p", n: 2 }];
const waitingInLane = 6;
const instanceCount = 3;

/** What strikes; what strikes more often stands here more often. */
const often = [
  ...(["cut", "cut", "cut", "stop", "stop", "stop", "silence", "kill", "kill", "block", "forgets scripts"] as const),
  ...(["restart", "restart", "lost second", "lost all"] as const),
] as const;

const label = ({ key, instance, entry }: Wait) => `${key.kind} ${key.name} on ${instance.name} ${entry?.id ?? ""}`;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export type Outcome = {
  readonly seed: number;
  readonly found: readonly string[];
  readonly trace: readonly string[];
  readonly grants: number;
  readonly faults: Readonly<Record<string, number>>;
  /** For so long this process or Redis was held up by a busy machine. */
  readonly stalledMs: number;
};

export async function simulate(seed: number, forMs: number, among: readonly string[] = often): Promise<Outcome> {
  const chance = createChance(seed);
  const judge = createJudge();
  const server = await startRedisServer("--appendonly", "no");
  const observer = await connectRedis({ url: server.url, clock: systemClock, log, settleMs });
  const all: Instance[] = [];
  const faults: Record<string, number> = {};
  /** Otherwise instances have nothing at times. */
  const isBusy = chance.happens(0.5);
  let isOver = false;
  let isClosed = false;
  let started = 0;

  async function start(): Promise<Instance> {
    started += 1;
    const instance = await startInstance(`i${started}`, server.port);
    all.push(instance);
    return instance;
  }
  const living = () => all.filter((instance) => !instance.isDead());
  const anyOf = (list: readonly Instance[]) => chance.any(list) as Instance;

  function acquire(coordinator: Coordinator, wait: Wait, signal: AbortSignal) {
    const { key, entry } = wait;
    const options = {
      signal,
      onPosition: () => {
        if (wait.inLineSinceMs === undefined) judge.note(`${label(wait)} in line`);
        wait.inLineSinceMs ??= Date.now();
      },
    };
    if (key.kind === "lane" && entry) return coordinator.lanes.acquire(key.name, entry.id, entry.order, options);
    if (key.kind === "lease") return coordinator.lease(key.name, options);
    const spare = wait.isSpare ? { isSpare: true as const } : {};
    return coordinator.permit(key.name, key.n, `w${Math.floor(chance.next() * 3)}`, { ...options, ...spare });
  }

  /** One caller's wait and hold, on that instance. */
  async function use(key: Key, instance: Instance, entry?: Entry): Promise<void> {
    const about = {
      key,
      instance,
      startedAtMs: Date.now(),
      isSpare: key.kind === "permit" && chance.happens(0.2),
      inLineSinceMs: undefined,
    };
    const wait: Wait = entry === undefined ? about : { ...about, entry };
    const giveUp = new AbortController();
    const patienceMs = chance.happens(0.2) ? chance.between(0, 3_000) : undefined;
    const holdMs = chance.happens(0.9) ? chance.between(0, 400) : chance.between(1_000, 3_500);
    if (patienceMs !== undefined)
      void pause(patienceMs).then(() => instance.isWell() && giveUp.abort(new Error("given up")));
    judge.waits.add(wait);
    entry?.waits.add(wait);
    let hold: Hold;
    try {
      const lease = await acquire(instance.coordinator, wait, giveUp.signal);
      if (instance.isDead()) return;
      hold = judge.granted(wait, lease);
    } catch (failure) {
      if (instance.isDead()) return;
      judge.left(wait);
      judge.note(`${label(wait)} given up`);
      if (!giveUp.signal.aborted) judge.accuse(`${key.kind} ${key.name}: a wait failed with ${failure}`);
      if (entry !== undefined) await gaveUp(wait, entry);
      return;
    }
    await pause(holdMs);
    while (!instance.isWell() && !instance.isDead()) await pause(20);
    if (instance.isDead()) return;
    hold.isReleased = true;
    judge.note(`${label(wait)} released`);
    hold.endedAtMs ??= Date.now();
    if (entry && entry.waits.size === 0) judge.entriesOf(key).delete(entry.id);
    await hold.lease.release();
  }

  async function gaveUp({ key, instance }: Wait, entry: Entry): Promise<void> {
    if (chance.happens(0.3)) {
      entry.isRemoved = true;
      await instance.coordinator.lanes.remove(key.name, entry.id).catch(() => {});
    } else if (chance.happens(0.6)) {
      await pause(chance.between(0, 2_000));
      resume(key, entry);
    } else {
      await pause(times.unattendedMs + 1_000);
      if (entry.waits.size === 0) judge.entriesOf(key).delete(entry.id);
    }
  }

  function resume(key: Key, entry: Entry): void {
    const instance = anyOf(living().filter((one) => one.isWell()));
    if (instance === undefined || judge.entriesOf(key).get(entry.id) !== entry) return;
    entry.isRemoved = false;
    void use(key, instance, entry);
  }

  async function useLane(key: Key, number: number): Promise<void> {
    const instance = anyOf(living().filter((one) => one.isWell()));
    if (instance === undefined) return;
    // Some come out of order.
    const order = String(chance.happens(0.8) ? number : number - 3).padStart(6, "0");
    const id = `${key.name}${number}`;
    const entry: Entry = { id, order, place: undefined, isRemoved: false, waits: new Set() };
    judge.entriesOf(key).set(id, entry);
    if (chance.happens(0.6)) {
      try {
        await instance.coordinator.lanes.enqueue(key.name, id, order);
        if (instance.isDead()) return void judge.entriesOf(key).delete(id);
        entry.place = { inLineSinceMs: Date.now(), leftAtMs: Date.now() };
      } catch {
        // It goes on without: storage was away.
      }
      await pause(chance.between(0, 300));
    }
    if (!instance.isWell()) return resume(key, entry);
    if (chance.happens(0.1)) void use(key, anyOf(living()), entry);
    await use(key, instance, entry);
  }

  /** Nobody else is there any more. */
  async function tryOnce(key: Key, instance: Instance, count = 1): Promise<void> {
    const fromMs = Date.now();
    const tooLong = AbortSignal.timeout(times.leaseMs + times.unattendedMs + 10_000);
    const about = { key, instance, startedAtMs: fromMs, isSpare: false, inLineSinceMs: undefined };
    const entry: Entry = { id: "last", order: "last", place: undefined, isRemoved: false, waits: new Set() };
    const granted = Array.from({ length: count }, () =>
      acquire(instance.coordinator, key.kind === "lane" ? { ...about, entry } : about, tooLong),
    );
    try {
      for (const lease of await Promise.all(granted)) await lease.release();
    } catch {
      judge.accuse(`${key.kind} ${key.name}: ${instance.name} gets it no more, and no one holds it`);
    }
  }

  async function keepUsing(key: Key): Promise<void> {
    for (let number = 100; !isOver; number += 1) {
      const waiting = [...judge.waits].filter((wait) => wait.key === key).length;
      if (waiting < (isBusy ? waitingInLane : 2)) {
        if (key.kind === "lane") void useLane(key, number);
        else {
          const instance = anyOf(living().filter((one) => one.isWell()));
          if (instance !== undefined) void use(key, instance);
        }
      }
      await pause(isBusy ? chance.between(20, 400) : chance.between(200, 2_500));
    }
  }

  const shortOrLong = () => (chance.happens(0.6) ? chance.between(50, 1_200) : chance.between(3_000, 5_000));
  let redisBusy: Promise<void> = Promise.resolve();
  const ofRedis = (work: () => Promise<void>) => {
    redisBusy = redisBusy.then(work);
  };

  async function away(instance: Instance, change: (isAway: boolean) => void): Promise<void> {
    judge.away(instance);
    change(true);
    await pause(shortOrLong());
    judge.note(`over: ${instance.name}`);
    if (!instance.isDead()) change(false);
  }

  async function restartRedis(loses: "nothing" | "newest" | "everything"): Promise<void> {
    if (loses === "newest") {
      await observer.run((client) => client.sendCommand(["SAVE"])).catch(() => {});
      await pause(chance.between(100, 1_000));
    }
    const fromMs = Date.now();
    const index = judge.common(fromMs, Number.POSITIVE_INFINITY);
    if (loses === "nothing") await observer.run((client) => client.sendCommand(["SHUTDOWN", "SAVE"])).catch(() => {});
    await server.kill();
    if (loses !== "nothing") judge.lost(all);
    await pause(chance.happens(0.8) ? chance.between(0, 500) : chance.between(2_000, 4_000));
    await server.restart({ forgets: loses === "everything" });
    index.toMs = Date.now();
    judge.note("Redis is back");
    if (loses !== "nothing") judge.back();
    await pause(500);
  }

  const strikes: Record<string, () => void> = {
    cut: () => void away(...changing((one) => one.cut)),
    stop: () => void away(...changing((one) => one.stop)),
    silence: () => void away(...changing((one) => (isAway) => (isAway ? one.silence() : one.reset()))),
    kill: () => {
      const instance = anyOf(living());
      const mine = [...judge.waits].filter((wait) => wait.instance === instance);
      judge.note(`of ${instance.name}`);
      instance.kill();
      judge.died(instance);
      void (async () => {
        await pause(chance.between(100, 1_500));
        await start();
        for (const { key, entry } of mine) if (entry) resume(key, entry);
      })();
    },
    "forgets scripts": () => void observer.run((client) => client.scriptFlush()).catch(() => {}),
    restart: () => ofRedis(() => restartRedis("nothing")),
    "lost second": () => ofRedis(() => restartRedis("newest")),
    "lost all": () => ofRedis(() => restartRedis("everything")),
    block: () => {
      const untilMs = Date.now() + chance.between(50, 600);
      while (Date.now() < untilMs);
    },
  };

  function changing(of: (instance: Instance) => (isAway: boolean) => void) {
    const instance = anyOf(living());
    judge.note(`of ${instance.name}`);
    return [instance, of(instance)] as const;
  }

  const instances = Array.from({ length: instanceCount }, start);
  await Promise.all(instances);

  let stalledMs = 0;
  function stalled(fromMs: number, toMs: number): void {
    stalledMs += toMs - fromMs;
    judge.common(fromMs, toMs);
    judge.note(`stalled ${toMs - fromMs} ms`);
    for (const instance of all) judge.away(instance);
  }
  async function watchRedis(): Promise<void> {
    while (!isClosed) {
      const fromMs = Date.now();
      const isHere = await observer.run((client) => client.ping()).catch(() => undefined);
      if (isHere !== undefined && Date.now() - fromMs > 200) stalled(fromMs, Date.now());
      await pause(50);
    }
  }
  void watchRedis();

  // What this process or a busy machine holds up is nobody's fault.
  let lookedAtMs = Date.now();
  const watching = setInterval(() => {
    const nowMs = Date.now();
    if (nowMs - lookedAtMs > 200) stalled(lookedAtMs, nowMs);
    lookedAtMs = nowMs;
    judge.check();
  }, 20);

  for (const key of [...lanes, ...leases, ...permits]) void keepUsing(key);
  const endAtMs = Date.now() + forMs;
  while (Date.now() < endAtMs) {
    await pause(chance.between(300, 2_000));
    const name = chance.any(among) ?? "cut";
    faults[name] = (faults[name] ?? 0) + 1;
    judge.note(`FAULT ${name}`);
    strikes[name]?.();
  }

  isOver = true;
  await redisBusy;
  let [grants, patientUntilMs] = [0, 0];
  while (judge.waits.size > 0 || judge.openHolds().length > 0) {
    if (judge.grants() + stalledMs > grants) patientUntilMs = Date.now() + 25_000;
    if (Date.now() > patientUntilMs) break;
    grants = judge.grants() + stalledMs;
    await pause(50);
  }
  for (const { key, instance, entry } of judge.waits) {
    judge.accuse(`${key.kind} ${key.name}: ${instance.name} waits for ever${entry ? ` with ${entry.id}` : ""}`);
  }
  for (const instance of living()) {
    for (const key of [...lanes, ...leases]) await tryOnce(key, instance);
    for (const key of permits) await tryOnce(key, instance, key.n);
  }
  const keys = () => observer.run((client) => client.keys("parley:queue:*")).catch(() => ["unreachable"]);
  const goneUntilMs = Date.now() + times.leaseMs + times.unattendedMs + 4_000;
  while ((await keys()).length > 0 && Date.now() < goneUntilMs) await pause(200);
  const left = await keys();
  if (left.length > 0) judge.accuse(`left in Redis: ${left.join(" ")}`);
  clearInterval(watching);
  isClosed = true;
  const found = [...judge.found];
  for (const instance of all) await instance.close();
  await observer.close();
  await server.stop();
  return { seed, found, trace: judge.trace, grants: judge.grants(), faults, stalledMs };
}
