/**
 * What the simulation knows of who waits and who holds, and what it says when the coordinator breaks a promise. It judges
 * by what instances can know; an instance that was away for too long may lose what it has.
 */
import type { Lease } from "../../../src/core/ports/state.ts";
import { type Instance, settleMs, times } from "./instance.ts";

export type Key = { readonly kind: "lane" | "permit" | "lease"; readonly name: string; readonly n: number };

export type Entry = {
  readonly id: string;
  readonly order: string;
  /** The place that it certainly has without a caller: in line since when, and since when nobody acquires it. */
  place: { readonly inLineSinceMs: number; readonly leftAtMs: number } | undefined;
  isRemoved: boolean;
  readonly waits: Set<Wait>;
};

export type Wait = {
  readonly key: Key;
  readonly instance: Instance;
  readonly startedAtMs: number;
  readonly entry?: Entry;
  readonly isSpare: boolean;
  /** Since when Redis has certainly had it in line; undefined: it may have lost it. */
  inLineSinceMs: number | undefined;
};

export type Hold = {
  readonly key: Key;
  readonly instance: Instance;
  readonly lease: Lease;
  readonly grantedAtMs: number;
  /** Redis lost data while its instance was away. */
  isAtRisk: boolean;
  isReleased: boolean;
  /** By its own knowledge; a permit stays current. */
  endedAtMs: number | undefined;
};

/** A reconnect takes as long as the outage took, at most a second, and a moment on a busy machine. */
const reconnectedMs = (awayMs: number) => Math.min(1_000, awayMs) + 300;
const slackMs = 500;

export function createJudge() {
  const found: string[] = [];
  const trace: string[] = [];
  const holds = new Map<Key, Hold[]>();
  const waits = new Set<Wait>();
  const entries = new Map<Key, Map<string, Entry>>();
  const highest = new Map<Key, number>();
  /** Of Redis and of this process: they concern every instance. */
  const common: { fromMs: number; toMs: number }[] = [];
  const reasons = new Map<Key, number>();
  let riskUntilMs = 0;
  let grants = 0;
  const startedAtMs = Date.now();

  function note(what: string): string {
    const line = `${((Date.now() - startedAtMs) / 1_000).toFixed(2)} s: ${what}`;
    trace.push(line);
    return line;
  }
  function accuse(what: string): void {
    found.push(note(what));
  }

  const holdsOf = (key: Key) => {
    const list = holds.get(key) ?? [];
    holds.set(key, list);
    return list;
  };
  const entriesOf = (key: Key) => {
    const map = entries.get(key) ?? new Map<string, Entry>();
    entries.set(key, map);
    return map;
  };

  /** Its longest time without Redis that ended after `sinceMs`, until it was certainly connected again. */
  function longestAway(instance: Instance, sinceMs: number): number {
    const nowMs = Date.now();
    const away = [...instance.faults, ...common]
      .map(({ fromMs, toMs }) => ({ fromMs, toMs: Math.min(toMs, nowMs) }))
      .map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs + reconnectedMs(toMs - fromMs) }))
      .filter(({ toMs }) => toMs > sinceMs)
      .sort((a, b) => a.fromMs - b.fromMs);
    let longest = 0;
    let merged = { fromMs: 0, toMs: 0 };
    for (const one of away) {
      merged = one.fromMs <= merged.toMs ? { ...merged, toMs: Math.max(merged.toMs, one.toMs) } : one;
      longest = Math.max(longest, merged.toMs - merged.fromMs);
    }
    return longest;
  }
  const isAwaySince = (instance: Instance, sinceMs: number) => longestAway(instance, sinceMs) > 0;

  /** What Redis forgot and its instance may not have reported again. */
  function endanger(instance: Instance): void {
    for (const wait of waits) if (wait.instance === instance) wait.inLineSinceMs = undefined;
    for (const list of holds.values()) for (const hold of list) if (hold.instance === instance) hold.isAtRisk = true;
  }

  /** The caller is gone. */
  function left(wait: Wait): void {
    const { entry, inLineSinceMs } = wait;
    waits.delete(wait);
    entry?.waits.delete(wait);
    const leftAtMs = Date.now();
    if (entry && inLineSinceMs !== undefined)
      entry.place = leftAtMs < riskUntilMs ? undefined : { inLineSinceMs, leftAtMs };
  }

  const isOpen = (hold: Hold) => !hold.isReleased && !hold.instance.isDead();

  function checkGrant(wait: Wait, lease: Lease): void {
    const { key, instance, entry } = wait;
    const nowMs = Date.now();
    const others = holdsOf(key).filter(isOpen);
    const label = `${key.kind} ${key.name} granted to ${instance.name}${entry ? ` for ${entry.id}` : ""}`;
    if (key.kind === "permit") {
      const sure = others.filter(({ isAtRisk, instance: of, grantedAtMs }) => {
        return !isAtRisk && longestAway(of, grantedAtMs) < times.leaseMs - times.renewEveryMs - slackMs;
      });
      if (sure.length >= key.n) accuse(`${label} beside ${sure.length} others`);
    } else {
      for (const other of others) {
        if (other.lease.isCurrent() && !other.isAtRisk) {
          accuse(`${label} with fence ${lease.fence}, while ${other.instance.name} holds it with ${other.lease.fence}`);
        }
      }
      const before = Math.max(
        highest.get(key) ?? 0,
        ...others.filter(({ isAtRisk }) => !isAtRisk).map((hold) => hold.lease.fence),
      );
      if (lease.fence <= before) accuse(`${label} with fence ${lease.fence}, after ${before}`);
      highest.set(key, lease.fence);
    }
    if (key.kind === "lane" && entry !== undefined) checkOrder(wait, entry, label, nowMs);
  }

  function checkOrder({ key }: Wait, entry: Entry, label: string, nowMs: number): void {
    // It was granted after the last holder's end, but nobody knows how long after.
    const grantedSinceMs = Math.max(0, ...holdsOf(key).map(({ endedAtMs }) => endedAtMs ?? 0));
    for (const other of entriesOf(key).values()) {
      const isEarlier = other.order < entry.order || (other.order === entry.order && other.id < entry.id);
      if (!isEarlier || other.isRemoved) continue;
      const isWaiting = [...other.waits].some(({ instance, inLineSinceMs = nowMs }) => {
        const isSure = longestAway(instance, inLineSinceMs) < times.unattendedMs - 2 * slackMs;
        return inLineSinceMs < grantedSinceMs && isSure;
      });
      const { inLineSinceMs = nowMs, leftAtMs = 0 } = other.place ?? {};
      const isKept = inLineSinceMs < grantedSinceMs && nowMs - leftAtMs < times.unattendedMs - slackMs;
      if (isWaiting) accuse(`${label} before ${other.id}, which a caller acquires`);
      else if (isKept) accuse(`${label} before ${other.id}, left ${nowMs - leftAtMs} ms ago`);
    }
  }

  /** When no one holds it, and nothing is wrong, callers wait only for what dead instances and kept places block. */
  function checkProgress(nowMs: number): void {
    for (const wait of waits) {
      const { key, instance } = wait;
      const full = holdsOf(key).filter(isOpen).length >= key.n;
      const isSpareHeld = wait.isSpare && holdsOf(key).some(isOpen);
      if (full || isSpareHeld || !instance.isWell() || isAwaySince(instance, nowMs - 50)) reasons.set(key, nowMs);
    }
    for (const wait of waits) {
      const { key, instance } = wait;
      if (!instance.isWell()) continue;
      const sinceMs = Math.max(wait.startedAtMs, reasons.get(key) ?? 0);
      const limitMs = times.leaseMs + settleMs + 3_000 + (key.kind === "lane" ? 2 * times.unattendedMs : 0);
      if (nowMs - sinceMs > limitMs) {
        accuse(
          `${key.kind} ${key.name}: ${instance.name} waits for ${nowMs - sinceMs} ms${wait.entry ? ` with ${wait.entry.id}` : ""}, and no one holds it`,
        );
        reasons.set(key, nowMs);
      }
    }
  }

  function checkHolds(nowMs: number): void {
    for (const [key, list] of holds) {
      if (key.kind !== "permit") {
        const current = list.filter((hold) => isOpen(hold) && !hold.isAtRisk && hold.lease.isCurrent());
        if (current.length > 1) accuse(`${key.kind} ${key.name} has ${current.length} holders`);
      }
      for (const hold of list) {
        const { lease, instance } = hold;
        if (!isOpen(hold) || hold.endedAtMs !== undefined) continue;
        if (lease.isCurrent() && !lease.lost.aborted) continue;
        hold.endedAtMs = nowMs;
        note(`${key.kind} ${key.name} lost by ${instance.name} ${lease.fence} aborted ${lease.lost.aborted}`);
        const awayMs = longestAway(instance, hold.grantedAtMs);
        const isExcused = hold.isAtRisk || awayMs >= times.leaseMs - times.renewEveryMs - times.retryMs;
        if (key.kind === "permit" || !isExcused) {
          accuse(`${key.kind} ${key.name} lost by ${instance.name}, which was away for ${awayMs} ms`);
        }
      }
      holds.set(
        key,
        list.filter((hold) => isOpen(hold) || nowMs - (hold.endedAtMs ?? nowMs) < 1_000),
      );
    }
  }

  return {
    found,
    /** All that happened. */
    trace,
    note,
    grants: () => grants,
    waits,
    left,
    entriesOf,
    openHolds: () => [...holds.values()].flat().filter(isOpen),
    accuse,

    common: (fromMs: number, toMs: number) => {
      const fault = { fromMs, toMs };
      common.push(fault);
      return fault;
    },

    /** Redis has lost the newest changes, or everything; `instances` report what they have. */
    lost: (instances: readonly Instance[]) => {
      const nowMs = Date.now();
      riskUntilMs = Number.POSITIVE_INFINITY;
      const isBack = (instance: Instance) =>
        instance.isWell() && instance.faults.every(({ toMs }) => nowMs - toMs > 1_500);
      for (const instance of instances) if (!isBack(instance)) endanger(instance);
      // The records that have seen higher fences are lost with them.
      highest.clear();
      for (const map of entries.values()) for (const entry of map.values()) entry.place = undefined;
    },
    back: () => {
      riskUntilMs = Date.now() + settleMs + 1_500;
    },
    /** That instance goes away. */
    away: (instance: Instance) => {
      if (Date.now() < riskUntilMs) endanger(instance);
    },
    died: (instance: Instance) => {
      for (const wait of [...waits]) {
        if (wait.instance !== instance) continue;
        left(wait);
      }
    },

    granted: (wait: Wait, lease: Lease): Hold => {
      grants += 1;
      waits.delete(wait);
      wait.entry?.waits.delete(wait);
      note(`${wait.key.kind} ${wait.key.name} granted to ${wait.instance.name} ${wait.entry?.id ?? ""} ${lease.fence}`);
      checkGrant(wait, lease);
      const { key, instance } = wait;
      const hold: Hold = {
        key,
        instance,
        lease,
        grantedAtMs: Date.now(),
        isAtRisk: Date.now() < riskUntilMs,
        isReleased: false,
        endedAtMs: undefined,
      };
      holdsOf(key).push(hold);
      if (wait.entry) wait.entry.place = undefined;
      return hold;
    },
    check: () => {
      const nowMs = Date.now();
      checkHolds(nowMs);
      checkProgress(nowMs);
    },
  };
}
