/** Lists the agents that could answer a question besides those that did. */
import type { App } from "../../app.ts";
import type { Named } from "../../core/access.ts";
import type { Actor, Place } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import type { BridgeApp } from "../app.ts";

type Answered = Pick<Turn, "agent" | "isPrivate" | "repeats">;
type Asker = { readonly actor: Actor; readonly place: Place };
/** If their names are not there by then, they are not offered. */
const withinMs = 300;

/**
 * Whether to offer another agent under an answer. Never rejects. A question that reached no agent doesn't look for
 * others: what it needed couldn't be looked up.
 */
export async function hasOthers(turn: Turn, app: BridgeApp): Promise<boolean> {
  if (turn.agent === undefined) return false;
  const asker = { actor: app.people.newest(turn.actor, turn.askedIn), place: turn.askedIn };
  const found = otherAgents(turn, asker, app).catch(() => []);
  return ((await withTimeout(found, withinMs, app.clock)) ?? []).length > 0;
}

/**
 * Agents that everyone who reads the first answer could ask there, too: those of AGENT_PROJECT, and the one set for the
 * place if it is of another project.
 */
export async function otherAgents(turn: Answered, asker: Asker, app: App): Promise<readonly Named[]> {
  const [listed, set, first] = await Promise.all([
    listedAgents(turn, asker, app),
    foreignAgent(turn, asker, app),
    turn.repeats === undefined ? undefined : app.state.turns.get(turn.repeats),
  ]);
  const asked = [turn.agent, first?.agent];
  return [...listed, ...set].filter((agent) => !asked.some((one) => isSame(one, agent)));
}

async function listedAgents(
  { isPrivate }: Answered,
  { actor, place }: Asker,
  { reach, settings: { project } }: App,
): Promise<readonly Named[]> {
  const names = (await reach.agents(actor, place)).map(({ name }) => name);
  const reached = isPrivate === true || names.length === 0 ? names : await reach.openAmong(actor, place, names);
  return reached.map((name) => ({ project, name }));
}

async function foreignAgent(
  { isPrivate }: Answered,
  { actor, place }: Asker,
  { reach, settings }: App,
): Promise<readonly Named[]> {
  const resolved = await reach.resolve(actor, place);
  if (resolved.kind !== "bound" || resolved.binding.project === settings.project) return [];
  const agent = { project: resolved.binding.project, name: resolved.binding.agent };
  const verdict = await reach.mayAgent(actor, "ask", place, agent, { isKnown: true });
  return verdict.allowed && (!verdict.isPrivate || isPrivate === true) ? [agent] : [];
}

function isSame(one: Named | undefined, other: Named): boolean {
  return one?.project === other.project && one.name === other.name;
}
