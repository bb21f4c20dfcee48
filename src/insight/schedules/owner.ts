/** Decides whether a schedule's owner may still do it: with what the platform says about that person now. */
import type { App } from "../../app.ts";
import type { Actor } from "../../core/model/place.ts";
import type { Schedule } from "../../core/model/schedule.ts";
import type { ChatPlatform } from "../../core/ports/chat-platform.ts";
import { personNow } from "../person-now.ts";

export type OwnerNow =
  | { readonly kind: "may"; readonly actor: Actor }
  /** Nobody can tell now, or it may be a mistake in the settings: nothing is done this time. */
  | { readonly kind: "unknown"; readonly why: string }
  /** They have left, or lost their role or the agent. */
  | { readonly kind: "lost"; readonly why: string };

export type OwnersPlatform = Pick<ChatPlatform, "personNow" | "memberships" | "visibility" | "isMember">;

export async function ownerNow({ owner, place, what }: Schedule, { reach, sites }: App): Promise<OwnerNow> {
  const platform = sites.get(place.platform)?.platform;
  if (platform === undefined) return { kind: "unknown", why: "no-platform" };
  const actor = await personNow(owner, place, platform).catch(() => undefined);
  if (actor === undefined) return { kind: "unknown", why: "no-answer" };
  if (actor === "gone" || (actor.isExternal && !owner.isExternal)) return { kind: "lost", why: "left" };
  if (await hasLeftChannel(actor, place, platform)) return { kind: "lost", why: "channel" };
  const verdict = reach.may(actor, what.kind === "digest" ? "manage" : "ask", place);
  if (!verdict.allowed) return { kind: verdict.why === "role" ? "lost" : "unknown", why: verdict.why };
  if (what.kind === "digest" || what.agent === undefined) return { kind: "may", actor };
  // While the service is unreachable it is asked anyway: the question checks again, and says what happened.
  const ofAgent = await reach.mayAgent(actor, "ask", place, what.agent).catch(() => verdict);
  if (ofAgent.allowed) return { kind: "may", actor };
  const isLost = ofAgent.why === "scope" || ofAgent.why === "guest" || ofAgent.why === "role";
  return { kind: isLost ? "lost" : "unknown", why: ofAgent.why };
}

/** A channel that not everyone can read: its answers are for the people in it, and so is what is asked there. */
async function hasLeftChannel(actor: Actor, place: Schedule["place"], platform: OwnersPlatform): Promise<boolean> {
  const isMember = await platform.isMember?.(actor, place).catch(() => undefined);
  if (isMember !== false) return false;
  return (await platform.visibility?.(place).catch(() => undefined)) === "private";
}
