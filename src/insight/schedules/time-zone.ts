/** A person's time zone: the platform's, where it knows one that Node knows too, else the one in the settings. */

import type { Actor } from "../../core/model/place.ts";
import type { ChatPlatform } from "../../core/ports/chat-platform.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { withTimeout } from "../../core/tools/timeout.ts";

/** A command waits no longer for it. */
const withinMs = 1_000;

/** Never rejects. */
export async function timeZoneOf(
  actor: Actor,
  platform: Pick<ChatPlatform, "timeZone"> | undefined,
  fallback: string,
  clock: Pick<Clock, "after">,
): Promise<string> {
  const ask = async () => platform?.timeZone?.(actor);
  const told = await withTimeout(
    ask().catch(() => undefined),
    withinMs,
    clock,
  );
  return told !== undefined && isTimeZone(told) ? told : fallback;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
