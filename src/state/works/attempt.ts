/** One attempt at a work, on either store: it runs, within its limits, and what follows from its end. */
import { ParleyError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import type { Work, WorkDefinition } from "../../core/ports/storage/works.ts";

/** One commit of SQLite or one command of Redis takes about 10 ms with it. */
const maxPayloadBytes = 1_000_000;
/** A run that ignores its signal holds its place no longer than this. */
const graceMs = 5_000;
const maxErrorLength = 300;

/** Kinds of all payloads. */
// biome-ignore lint/suspicious/noExplicitAny: each kind has its own payload, which only it reads
export type AnyDefinition = WorkDefinition<any>;

/** A work as it is stored, and begun. */
export type BegunWork = {
  readonly key: string;
  /** As JSON. */
  readonly payload: string;
  readonly dueAtMs: number;
  readonly begun: number;
  /** Including this one; a new round and a retry by hand begin at 1. */
  readonly attempts: number;
  /** Of its first attempt. */
  readonly firstAtMs: number;
};

export type Ending =
  | { readonly how: "done" }
  | { readonly how: "again"; readonly dueAtMs: number }
  | { readonly how: "retry"; readonly dueAtMs: number; readonly error: string }
  | { readonly how: "failed"; readonly error: string }
  /** By the end of the process, or because it was cancelled. It counts as no attempt. */
  | { readonly how: "stopped" };

export function encodePayload(kind: string, payload: unknown): string {
  const json = JSON.stringify(payload ?? null);
  const bytes = Buffer.byteLength(json);
  if (bytes <= maxPayloadBytes) return json;
  const what = `A work of the kind ${kind} is too large: ${bytes} bytes, at most ${maxPayloadBytes} are stored.`;
  throw new ParleyError("internal", { what });
}

/** A wrong time would be found only by the store, which couldn't record the work's end then. Throws internal. */
export function checkTime(kind: string, dueAtMs: number): number {
  if (Number.isFinite(dueAtMs)) return dueAtMs;
  throw new ParleyError("internal", { what: `A work of the kind ${kind} can't be due at ${dueAtMs}.` });
}

/** Undefined: it can't be read. */
export function decodePayload(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Never rejects. `stop`: the process is ending, it was cancelled, or it is no longer this instance's. */
export async function attemptWork(
  kind: string,
  definition: AnyDefinition,
  stored: BegunWork,
  stop: AbortSignal,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<Ending> {
  const { key, attempts, firstAtMs, dueAtMs, begun } = stored;
  const about = { kind, key, attempts };
  const endMs = firstAtMs + definition.giveUpAfterMs;
  let work: Work<unknown> = { key, dueAtMs, begun, payload: undefined };

  async function giveUp(err: unknown): Promise<Ending> {
    log.warn({ ...about, err }, "Gave a work up");
    await definition.onGivenUp?.(work, err).catch((failure: unknown) => {
      log.warn({ ...about, err: failure }, "Can't tell that a work was given up");
    });
    return { how: "failed", error: describe(err) };
  }

  try {
    if (stop.aborted) return { how: "stopped" };
    work = { ...work, payload: JSON.parse(stored.payload) };
    // The process ended during the last one, or it would have been given up then.
    if (attempts > definition.attempts) return await giveUp(new Error("The process ended during the last attempt."));
    const next = await withinLimits(clock, endMs, stop, (signal) => definition.run(work, signal));
    return next === undefined ? { how: "done" } : { how: "again", dueAtMs: checkTime(kind, next) };
  } catch (err) {
    if (stop.aborted) return { how: "stopped" };
    const retryAtMs = clock.now() + definition.backoff(attempts);
    if (work.payload === undefined || attempts >= definition.attempts || retryAtMs >= endMs) return await giveUp(err);
    log.info({ ...about, err }, "A work failed and is retried");
    return { how: "retry", dueAtMs: retryAtMs, error: describe(err) };
  }
}

/** Rejects some seconds after the signal at the latest, also if the run ignores it. */
async function withinLimits<T>(
  clock: Clock,
  endMs: number,
  stop: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const tooLong = new AbortController();
  const signal = AbortSignal.any([stop, tooLong.signal]);
  const cancelLimit = clock.after(Math.max(0, endMs - clock.now()), () =>
    tooLong.abort(new Error("It took too long.")),
  );
  const left = Promise.withResolvers<never>();
  let cancelGrace = () => {};
  const onAbort = () => {
    cancelGrace = clock.after(graceMs, () => left.reject(signal.reason));
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([run(signal), left.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    cancelLimit();
    cancelGrace();
  }
}

/** What its list shows. The log has the rest. */
function describe(err: unknown): string {
  return (err instanceof Error ? err.message : String(err)).slice(0, maxErrorLength);
}
