/**
 * Which agent answers a Turn, and which others could. Access is checked again before its run and before its answer is
 * shown: a binding, a role or a workspace may have changed since the question was asked.
 */

import { refusalError } from "../../access/refusal.ts";
import type { App } from "../../app.ts";
import { type Named, noProject, type ResolvedBinding, type Verdict } from "../../core/access.ts";
import type { Conversation } from "../../core/conversations.ts";
import { ParleyError, type ParleyErrorOptions, toParleyError } from "../../core/errors.ts";
import type { Actor, Place } from "../../core/model/place.ts";
import { historyOf, type Turn, type TurnView } from "../../core/model/turn.ts";
import { splitName } from "../../core/tools/split-name.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import type { Site } from "../../delivery/types.ts";
import type { OfferedAgent } from "../../presentation/drawing.ts";
import { accessSentences, elsewhereSentences } from "../../presentation/sentences.ts";
import type { BridgeApp } from "../app.ts";
import { emptyConversation } from "../conversation/history.ts";
import { failWith, hasAnswer, initialView } from "./view.ts";

const says = {
  onlyPrivately: (name: string): string =>
    `Others here can't reach “${name}”, and everyone would read its answer. Name it in a question of your own: only you will get the answer.`,
};

type TurnAgent =
  /** `isNamed`: a person named it here, so it answers the whole Conversation from now on. */
  | { readonly kind: "agent"; readonly agent: Named; readonly isNamed: boolean }
  | { readonly kind: "choose"; readonly agents: readonly string[] };

type Chosen =
  | { readonly kind: "agent"; readonly agent: Named }
  | { readonly kind: "choose"; readonly agents: readonly string[] }
  | { readonly kind: "failed"; readonly error: ParleyError };

/** Runs under the Conversation's lane. Never throws. While the service is down, its agents aren't even listed. */
export async function chooseAgent(turn: Turn, app: BridgeApp): Promise<Chosen> {
  const { circuit, conversations } = app;
  try {
    circuit.check(turn.attempt > 1);
    const chosen = await agentOf(turn, await conversationOf(turn, app), app);
    if (chosen.kind !== "agent") return chosen;
    const { agent, isNamed } = chosen;
    if (isNamed && turn.isPrivate !== true && turn.repeats === undefined) {
      await conversations.update(historyOf(turn), (known) => ({ ...known, agent }));
    }
    return { kind: "agent", agent };
  } catch (failure) {
    const error = toParleyError(failure);
    circuit.failed(error, "look-up");
    return { kind: "failed", error };
  }
}

/**
 * The agent that asked, whatever is bound there by now: what people approved is that agent's call. Other than before an
 * ordinary answer, access that can't be determined counts as none.
 */
export async function sameAgent(turn: Turn, app: BridgeApp): Promise<Chosen> {
  const { agent } = turn;
  if (agent === undefined) return chooseAgent(turn, app);
  try {
    app.circuit.check(turn.attempt > 1);
    const refusal = await accessNow(turn, agent, app);
    return refusal === undefined ? { kind: "agent", agent } : { kind: "failed", error: refusal };
  } catch (failure) {
    return { kind: "failed", error: toParleyError(failure) };
  }
}

/** Which agent answers. Throws a ParleyError that says why none can. */
async function agentOf(turn: Turn, conversation: Conversation, app: BridgeApp): Promise<TurnAgent> {
  const { reach } = app;
  const actor = actorOf(turn, app);
  const place = turn.askedIn;
  const alone = reach.may(actor, "ask", place);
  if (!alone.allowed) throw refusalError(actor, alone);
  if (turn.requestedAgent !== undefined) {
    const agent = { project: turn.requestedProject ?? projectOf(turn, app), name: turn.requestedAgent };
    checkVerdict(turn, actor, agent, await reach.mayAgent(actor, "ask", place, agent));
    return { kind: "agent", agent, isNamed: true };
  }
  if (conversation.agent !== undefined) {
    const verdict = await reach.mayAgent(actor, "ask", place, conversation.agent, { isKnown: true });
    // People who cannot name agents get the channel's agent.
    if (verdict.allowed || verdict.why !== "guest") {
      checkVerdict(turn, actor, conversation.agent, verdict);
      return { kind: "agent", agent: conversation.agent, isNamed: false };
    }
  }
  return chosen(await reach.resolve(actor, place), actor, turn, app);
}

/** A placeholder is not held up for longer to have the agent as its author. */
const authorMs = 200;

/** Who will probably answer, where a message can name its author only when it is posted. Never rejects. */
export async function probableAgent(turn: Turn, { platform }: Site, app: BridgeApp): Promise<string | undefined> {
  if (platform.namesAuthors?.(turn.conversation) !== true) return undefined;
  const find = async (): Promise<string | undefined> => {
    const found = await agentOf(turn, await conversationOf(turn, app), app);
    return found.kind === "agent" ? found.agent.name : undefined;
  };
  return withTimeout(
    find().catch(() => undefined),
    authorMs,
    app.clock,
  );
}

/** How long a choice waits for what its agents look in. */
const describeMs = 1_000;

/** The agents of a choice with what they look in, as far as that is known now, and whether the asker may set one. */
export async function offerOf(
  turn: Turn,
  names: readonly string[],
  app: BridgeApp,
): Promise<{ readonly agents: readonly OfferedAgent[]; readonly canSet: boolean }> {
  const { reach, clock } = app;
  const project = projectOf(turn, app);
  const known = await withTimeout(reach.lists(project).agents(), describeMs, clock);
  const agents = names.map((name) => {
    const entries = known?.find((agent) => agent.name === name)?.knowledgeBases ?? [];
    const bases = entries.map((entry) => splitName(entry, project));
    const isOwn = (base: Named) => base.project === project && base.name !== "*";
    return { name, knowledgeBases: bases.map((base) => (isOwn(base) ? base.name : `${base.project}.${base.name}`)) };
  });
  return { agents, canSet: reach.may(actorOf(turn, app), "manage", turn.askedIn).allowed };
}

/** Empty where agents are created from here, or the service doesn't say. */
async function whyNoAgent(project: string, service: BridgeApp["service"]): Promise<ParleyErrorOptions> {
  if (project === noProject) return accessSentences.noProject;
  const profile = await service.profile().catch(() => undefined);
  return profile === undefined || profile.offers.includes("agent-changes") ? {} : { hint: elsewhereSentences.addThere };
}

const projectOf = ({ askedIn, actor }: Turn, { settings }: BridgeApp) => settings.projectOf(askedIn, actor);

async function chosen(resolved: ResolvedBinding, actor: Actor, turn: Turn, app: BridgeApp): Promise<TurnAgent> {
  const { reach, service } = app;
  switch (resolved.kind) {
    case "bound": {
      const { project, agent } = resolved.binding;
      return { kind: "agent", agent: { project, name: agent }, isNamed: false };
    }
    case "none":
      throw new ParleyError("no_agent", await whyNoAgent(projectOf(turn, app), service));
    case "choose": {
      const reached = await reach.openAmong(actor, turn.askedIn, resolved.agents);
      const [only, another] = reached;
      if (only === undefined) {
        const isGuest = actor.isGuest || actor.isExternal || actor.isBot;
        throw new ParleyError(
          "agent_not_here",
          isGuest ? accessSentences.noAgentForGuests : accessSentences.noneInReach,
        );
      }
      if (another === undefined)
        return { kind: "agent", agent: { project: projectOf(turn, app), name: only }, isNamed: false };
      return { kind: "choose", agents: reached };
    }
    default:
      return resolved satisfies never;
  }
}

function checkVerdict(turn: Turn, actor: Actor, agent: Named, verdict: Verdict): void {
  if (!verdict.allowed) throw refusalError(actor, verdict, agent.name);
  if (verdict.isPrivate && turn.isPrivate !== true) {
    const what = accessSentences.agentNotHere(agent.name);
    throw new ParleyError("agent_not_here", { what, hint: says.onlyPrivately(agent.name) });
  }
}

/** Why that agent can't answer this question now; undefined if it can. Rejects when that cannot be determined. */
async function accessNow(turn: Turn, agent: Named, app: BridgeApp): Promise<ParleyError | undefined> {
  const actor = actorOf(turn, app);
  const alone = app.reach.may(actor, "ask", turn.askedIn);
  if (!alone.allowed) return refusalError(actor, alone);
  const verdict = await app.reach.mayAgent(actor, "ask", turn.askedIn, agent, { isKnown: true });
  if (verdict.allowed && (!verdict.isPrivate || turn.isPrivate === true)) return undefined;
  const { name } = agent;
  const hint = verdict.allowed ? says.onlyPrivately(name) : refusalError(actor, verdict, name).hint;
  return new ParleyError("agent_not_here", {
    what: `You can no longer ask “${name}” here, so its answer isn't shown.`,
    hint,
  });
}

/** Like accessNow. When it cannot be determined, the decision made at the start of the run stands. */
export async function refusalNow(turn: Turn, agent: Turn["agent"], app: BridgeApp): Promise<ParleyError | undefined> {
  if (agent === undefined) return undefined;
  try {
    return await accessNow(turn, agent, app);
  } catch (err) {
    app.log.warn(
      { err, turnId: turn.id, ref: turn.ref },
      "Access to an answer could not be checked again; the earlier decision stands",
    );
    return undefined;
  }
}

/** The end of a Turn, without its findings if the asker has lost access to the agent. */
export async function withAccess(view: TurnView, turn: Turn, app: BridgeApp): Promise<TurnView> {
  if (view.steps.length === 0 && !hasAnswer(view)) return view;
  const refusal = await refusalNow(turn, turn.agent, app);
  if (refusal === undefined) return view;
  app.log.info({ turnId: turn.id, ref: turn.ref }, "An answer is not shown: its asker lost access to the agent");
  const { askedBy, question, agent } = view;
  const { id, ref, repeats } = turn;
  const asked = { id, ref, question, agent, askedBy, repeats };
  return failWith(initialView(asked), refusal, app.clock.now());
}

function actorOf(turn: Turn, { people }: BridgeApp): Actor {
  return people.newest(turn.actor, turn.askedIn);
}

/** A private answer has no history, and leaves none. */
export async function conversationOf(turn: Turn, { conversations }: BridgeApp): Promise<Conversation> {
  return turn.isPrivate === true ? emptyConversation : conversations.get(historyOf(turn));
}

type Answered = Pick<Turn, "agent" | "isPrivate" | "repeats">;
type Asker = { readonly actor: Actor; readonly place: Place };
/** If their names are not there by then, they are not offered. */
const othersWithinMs = 300;

/**
 * Whether to offer another agent under an answer. Never rejects. A question that reached no agent doesn't look for
 * others: what it needed couldn't be looked up.
 */
export async function hasOthers(turn: Turn, app: BridgeApp): Promise<boolean> {
  if (turn.agent === undefined) return false;
  const asker = { actor: app.people.newest(turn.actor, turn.askedIn), place: turn.askedIn };
  const found = otherAgents(turn, asker, app).catch(() => []);
  return ((await withTimeout(found, othersWithinMs, app.clock)) ?? []).length > 0;
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
  { reach, settings }: App,
): Promise<readonly Named[]> {
  const project = settings.projectOf(place, actor);
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
  if (resolved.kind !== "bound" || resolved.binding.project === settings.projectOf(place, actor)) return [];
  const agent = { project: resolved.binding.project, name: resolved.binding.agent };
  const verdict = await reach.mayAgent(actor, "ask", place, agent, { isKnown: true });
  return verdict.allowed && (!verdict.isPrivate || isPrivate === true) ? [agent] : [];
}

function isSame(one: Named | undefined, other: Named): boolean {
  return one?.project === other.project && one.name === other.name;
}
