/** Removes uploads that no message shows: those never sent, broken off by a crash, or of messages that are gone. */
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import { isGivenUp, type Upload, type Uploads, type UsedBy } from "./uploads.ts";

const hourMs = 3_600_000;
/** Tidying runs every hour, so they go within a day. */
const unusedMs = 23 * hourMs;
/** A message is stored right after its files are marked as used. */
const settledMs = hourMs;
/** Not during the start. */
const firstMs = 90_000;

/** Every instance tidies, since removing is idempotent. Returns the function that stops it. */
export function keepTidy(options: {
  readonly uploads: Uploads;
  readonly isShown: (by: UsedBy, id: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
}): () => void {
  const { clock, log } = options;
  let isStopped = false;
  let cancel = clock.after(firstMs, () => void run());

  async function run(): Promise<void> {
    try {
      const removed = await tidy(options, () => isStopped);
      if (removed > 0) log.info({ removed }, "Files that no message shows were removed");
    } catch (err) {
      if (!isStopped) log.warn({ err }, "Files that no message shows could not be removed");
    }
    if (!isStopped) cancel = clock.after(hourMs, () => void run());
  }

  return () => {
    isStopped = true;
    cancel();
  };
}

async function tidy(
  { uploads, isShown, clock }: Parameters<typeof keepTidy>[0],
  isStopped: () => boolean,
): Promise<number> {
  let removed = 0;
  for await (const upload of uploads.all()) {
    if (isStopped()) break;
    if (await isKept(upload, isShown, clock.now())) continue;
    // It may have been sent meanwhile.
    if (await uploads.removeIf(upload.id, async (now) => !(await isKept(now, isShown, clock.now())))) removed += 1;
  }
  return removed;
}

async function isKept(
  upload: Upload,
  isShown: Parameters<typeof keepTidy>[0]["isShown"],
  nowMs: number,
): Promise<boolean> {
  const { id, state, usedBy, atMs, usedAtMs = atMs } = upload;
  if (state !== "complete") return !isGivenUp(upload, nowMs);
  if (usedBy === undefined) return nowMs - atMs < unusedMs;
  return nowMs - usedAtMs < settledMs || (await isShown(usedBy, id));
}
