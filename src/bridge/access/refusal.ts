/** Turns a refusal of access.ts into the error a person sees. */

import type { Verdict } from "../../ports/access.ts";
import { ParleyError } from "../../ports/errors.ts";
import type { Actor } from "../../ports/model/place.ts";
import { accessSentences, roleSentences } from "../../presentation/sentences.ts";
import { refusalOf } from "./roles.ts";

type No = Extract<Verdict, { allowed: false }>;

/** `agent`: the one the person asked for, if any. */
export function refusalError(actor: Actor, { why, role, because }: No, agent?: string): ParleyError {
  if (why === "not-served") return new ParleyError("not_served");
  if (why === "role" && role !== undefined) return refusalOf(actor, roleSentences.notAllowed(role, because ?? ""));
  if (agent === undefined) return new ParleyError("not_allowed");
  const hint = why === "guest" ? accessSentences.guestsOnly : accessSentences.agentElsewhere;
  return new ParleyError("agent_not_here", { what: accessSentences.agentNotHere(agent.slice(0, 100)), hint });
}
