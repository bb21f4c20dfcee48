/** A person's time zone: the platform's, where it knows one that Node knows too, else the one in the settings. */

import type { App } from "../../app.ts";
import type { Actor, Place } from "../../core/model/place.ts";
import { withTimeout } from "../../core/tools/timeout.ts";

/** A command waits no longer for it. */
const withinMs = 1_000;

/** Never rejects. */
export async function timeZoneOf(actor: Actor, place: Place, { sites, settings, clock }: App): Promise<string> {
  const ask = async () => sites.get(place.platform)?.platform.timeZone?.(actor);
  const told = await withTimeout(
    ask().catch(() => undefined),
    withinMs,
    clock,
  );
  return told !== undefined && isTimeZone(told) ? told : settings.timeZone;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
