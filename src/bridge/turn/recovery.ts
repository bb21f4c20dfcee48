/**
 * Takes over Turns that are unfinished and live nowhere: everything at the start, later what has been silent for a while.
 */

import type { Turn } from "../../core/model/turn.ts";
import type { BridgeApp } from "../app.ts";
import { laneOf } from "../lane.ts";
import type { Turns } from "./turn.ts";

/**
 * Age at which a running Turn is waited for here too. Nothing of it is shown before its lane is free, at most 15 s (a
 * lease) after its holder died.
 */
const recoverAfterMs = 10_000;
/** Batch sizes for enqueueing and starting: of 10,000 Turns the last one starts after 10 s. */
const enqueuedAtOnce = 50;
const resumedAtOnce = 10;
const resumePauseMs = 10;
const placesKeptMs = 10_000;

type Found = Pick<Turn, "id" | "ref" | "order"> & { readonly lane: string };

type RecoveryApp = BridgeApp & { readonly living: Turns };

/**
 * Searches, starts the platforms with `start`, and continues what was found; then searches at intervals until `ending`
 * aborts. What was found has its place in line before a new question can come. Rejects only with the failure of `start`.
 */
export async function recover(app: RecoveryApp, ending: AbortSignal, start = async () => {}): Promise<void> {
  const { clock, log, settings } = app;
  /** Found in the store, and not started yet. */
  const resuming = new Set<string>();
  /** Undefined: storage is unreachable. */
  const search = async (isStart: boolean): Promise<readonly Found[] | undefined> => {
    try {
      const found = await findUnfinished(app, isStart, resuming);
      await enqueue(app, found);
      for (const { id } of found) resuming.add(id);
      return found;
    } catch (err) {
      log.warn({ err }, "The search for unfinished questions failed");
      return undefined;
    }
  };

  function resumeSome(found: readonly Found[]): void {
    for (const { id, ref } of found) {
      resuming.delete(id);
      app.living.resume({ id, ref });
    }
  }

  /** Not all at once: each reads its record, waits for its lane and searches for its messages. */
  async function resumeInBatches(found: readonly Found[]): Promise<void> {
    for (let from = 0; from < found.length; from += resumedAtOnce) {
      if (from > 0) await clock.sleep(resumePauseMs, ending).catch(() => undefined);
      resumeSome(found.slice(from, from + resumedAtOnce));
    }
  }

  const found = await search(true);
  const started = new AbortController();
  void keepPlaces(app, found ?? [], started.signal);
  await start().finally(() => started.abort());
  void resumeInBatches(found ?? []);
  // Storage may be unreachable at the start. Once it is back, take over what an earlier process left.
  let isRecovered = found !== undefined;
  if (settings.recoveryIntervalMs === 0) return;
  const keepSearching = async () => {
    for (;;) {
      await clock.sleep(settings.recoveryIntervalMs, ending);
      const more = await search(!isRecovered);
      if (more === undefined) continue;
      isRecovered = true;
      void resumeInBatches(more);
    }
  };
  // It ends only when this process shuts down.
  keepSearching().catch(() => undefined);
}

/**
 * A place in line that nobody waits at is given up after 30 s. One that another instance has ended meanwhile needs none:
 * it would hold up what comes after it.
 */
async function keepPlaces(app: RecoveryApp, found: readonly Found[], until: AbortSignal): Promise<void> {
  const places = new Map(found.map((one) => [one.id, one]));
  while (places.size > 0 && !until.aborted) {
    await app.clock.sleep(placesKeptMs, until).catch(() => undefined);
    if (until.aborted) return;
    const left = await unfinishedOf(app, places).catch(() => undefined);
    // Storage is unreachable: the places stand until it is back.
    if (left === undefined) continue;
    for (const id of places.keys()) if (!left.has(id)) places.delete(id);
    if (!until.aborted) await enqueue(app, [...places.values()]);
  }
}

async function unfinishedOf({ state }: RecoveryApp, places: ReadonlyMap<string, Found>): Promise<ReadonlySet<string>> {
  const left = new Set<string>();
  for await (const { id } of state.turns.unfinished(({ id }) => places.has(id))) left.add(id);
  return left;
}

async function findUnfinished(
  { state, sites, living, clock, log }: RecoveryApp,
  isStart: boolean,
  resuming: ReadonlySet<string>,
): Promise<readonly Found[]> {
  const nowMs = clock.now();
  const found: Found[] = [];
  let waiting = 0;
  const isWanted = ({ id, createdAtMs }: { readonly id: string; readonly createdAtMs: number }) =>
    !living.has(id) && !resuming.has(id) && (isStart || nowMs - createdAtMs > recoverAfterMs);
  for await (const turn of state.turns.unfinished(isWanted)) {
    const { id, ref, conversation, order } = turn;
    if (!sites.has(conversation.platform)) waiting += 1;
    else if (isStart || nowMs - (turn.startedAtMs ?? 0) > recoverAfterMs) {
      found.push({ id, ref, lane: laneOf(turn), order });
    }
  }
  if (isStart && waiting > 0) log.warn({ waiting }, "Questions wait for a platform that is switched off");
  return found;
}

/** All of them, before the first one checks whether it is first. */
async function enqueue({ state: { coordinator } }: RecoveryApp, found: readonly Found[]): Promise<void> {
  for (let start = 0; start < found.length; start += enqueuedAtOnce) {
    const some = found.slice(start, start + enqueuedAtOnce);
    await Promise.all(
      some.map(({ lane, id, order }) => coordinator.lanes.enqueue(lane, id, order).catch(() => undefined)),
    );
  }
}
