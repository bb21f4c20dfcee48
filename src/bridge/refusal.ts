/** A no of access.ts, as what a person is told. */
import { formSentences } from "../presentation/sentences.ts";
import { accessSentences } from "../presentation/sentences-access.ts";
import type { Verdict } from "./access.ts";
import { ParleyError } from "./errors.ts";
import { refusalOf } from "./roles.ts";
import type { Actor } from "./words.ts";

type No = Extract<Verdict, { allowed: false }>;

/** `agent`: the one that was meant, if any. */
export function refusalError(actor: Actor, { why, role, because }: No, agent?: string): ParleyError {
  if (why === "not-served") return new ParleyError("not_served");
  if (why === "role" && role !== undefined) return refusalOf(actor, formSentences.notAllowed(role, because ?? ""));
  if (agent === undefined) return new ParleyError("not_allowed");
  const hint = why === "guest" ? accessSentences.guestsOnly : accessSentences.agentElsewhere;
  return new ParleyError("agent_not_here", { what: accessSentences.agentNotHere(agent.slice(0, 100)), hint });
}
