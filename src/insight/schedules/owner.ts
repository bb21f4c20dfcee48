/** Decides whether a schedule's owner may still do it: with what the platform says about that person now. */
import type { App } from "../../app.ts";
import type { Refusal, Verdict } from "../../core/access.ts";
import type { Actor, Role } from "../../core/model/place.ts";
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
  const verdict = reach.may(actor, roles[what.kind], place);
  if (!verdict.allowed) return { kind: verdict.why === "role" ? "lost" : "unknown", why: verdict.why };
  // While the service is unreachable it is asked anyway: the question checks again, and says what happened.
  const ofTarget = await mayReach(actor, place, what, reach).catch(() => verdict);
  if (ofTarget === undefined || ofTarget.allowed) return { kind: "may", actor };
  return { kind: lost.has(ofTarget.why) ? "lost" : "unknown", why: ofTarget.why };
}

const roles: Readonly<Record<Schedule["what"]["kind"], Role>> = {
  question: "ask",
  digest: "manage",
  knowledge: "ingest",
};
const lost: ReadonlySet<Refusal> = new Set(["scope", "guest", "role", "knowledge", "read-only"]);

/** Undefined: the role is all that it takes. */
async function mayReach(
  actor: Actor,
  place: Schedule["place"],
  what: Schedule["what"],
  reach: Pick<App["reach"], "mayAgent" | "mayBase">,
): Promise<Verdict | undefined> {
  if (what.kind === "knowledge") return reach.mayBase(actor, "ingest", place, what.base);
  if (what.kind === "digest" || what.agent === undefined) return undefined;
  return reach.mayAgent(actor, "ask", place, what.agent);
}

/** A channel that not everyone can read: its answers are for the people in it, and so is what is asked there. */
async function hasLeftChannel(actor: Actor, place: Schedule["place"], platform: OwnersPlatform): Promise<boolean> {
  const isMember = await platform.isMember?.(actor, place).catch(() => undefined);
  if (isMember !== false) return false;
  return (await platform.visibility?.(place).catch(() => undefined)) === "private";
}
