/** Asks another agent a question that one has answered: offers the agents, and stores the question again for one. */

import type { Named } from "../../core/access.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { Inbound } from "../../core/ports/chat-platform.ts";
import { anotherAgentDocument, infoDocument } from "../../presentation/drawing.ts";
import { accessSentences, anotherAgentSentences } from "../../presentation/sentences.ts";
import { otherAgents } from "../turn/other-agents.ts";
import type { IntakeApp } from "./app.ts";
import { begin, storeQuestion } from "./asking.ts";

type Press = Extract<Inbound, { kind: "action" }>;
type Asker = Pick<Press, "actor" | "place">;

/** "helper", or "shop.helper" for an agent of another project. */
function written(app: IntakeApp, { project, name }: Named): string {
  const { settings } = app;
  return project === settings.project ? name : `${project}.${name}`;
}

export async function offerOtherAgents(app: IntakeApp, turn: Turn, inbound: Press, asker: Asker): Promise<void> {
  const agents = await otherAgents(turn, asker, app);
  if (agents.length === 0) throw new ParleyError("agent_not_found", anotherAgentSentences.none);
  await inbound.reply.send(
    anotherAgentDocument(
      turn.id,
      agents.map((agent) => written(app, agent)),
    ),
    "private",
  );
}

/**
 * The second answer is a Turn of its own in the same thread. It is stored once per answer and agent, however
 * often and by how many people the button is pressed.
 */
export async function askOtherAgent(
  app: IntakeApp,
  turn: Turn,
  wanted: string,
  inbound: Press,
  asker: Asker,
): Promise<void> {
  const agent = (await otherAgents(turn, asker, app)).find((other) => written(app, other) === wanted);
  if (agent === undefined) {
    const what = accessSentences.agentNotHere(wanted);
    throw new ParleyError("agent_not_here", { what, hint: accessSentences.agentElsewhere });
  }
  const { platform, workspace } = inbound.place;
  const { askedIn, conversation, question, attachments, isPrivate, topic, context, about } = turn;
  const repeats = turn.repeats ?? turn.id;
  const stored = await storeQuestion(app, {
    eventKey: `${platform}/${workspace}/ask-another/${repeats}/${turn.attempt}/${encodeURIComponent(wanted)}`,
    order: inbound.order,
    actor: asker.actor,
    via: "message",
    requestedAgent: agent.name,
    requestedProject: agent.project,
    repeats,
    askedIn,
    conversation,
    question,
    attachments,
    isPrivate,
    topic,
    context,
    about,
  });
  if (stored !== undefined) await begin(app, stored);
  const { asked, alreadyAsked } = anotherAgentSentences;
  const said = stored === undefined ? alreadyAsked(wanted) : asked(wanted);
  await inbound.reply.send(infoDocument(said), "private");
}
