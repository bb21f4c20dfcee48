/** Prepares a proof: which question is asked again, of which agent, for whom, and what was answered before. */

import type { Named } from "../../core/access.ts";
import type { AnswerAdded } from "../../core/content/answering.ts";
import type { Gap } from "../../core/model/insight.ts";
import type { Actor, Place } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { ChatPlatform } from "../../core/ports/chat-platform.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import type { InsightApp } from "../app.ts";
import { personNow } from "../person-now.ts";
import { type Proof, type Said, saidOf } from "./proof.ts";
import { gapOfProof } from "./telling.ts";

const maxShownChars = 300;
const maxLookedTurns = 200;
const askMs = 3_000;

type Viewer = { readonly actor: Actor; readonly place: Place };

/** Undefined: there is nothing to ask again. Rejects while storage is unreachable. */
export async function proofOf(app: InsightApp, added: AnswerAdded): Promise<Proof | undefined> {
  const { answer, jobId, actor, place, tell } = added;
  const { id, project, knowledgeBase, question: asked, by, atMs } = answer;
  const { gap, turn } = await originOf(app, added);
  const agent = gap?.agent ?? turn?.agent ?? (await agentHere(app, added));
  // As it was asked: an answer to other words doesn't help those who ask like that.
  const question = (await seenOf(app, gap, added))?.question ?? asked;
  if (agent === undefined || question.trim() === "") return undefined;
  // While the service is unreachable nobody can tell; it is decided again before it is asked.
  if (!(await mayAsk(app, agent, added).catch(() => true))) return undefined;
  const { platform, workspace } = place;
  return {
    version: 1,
    id: jobId,
    platform,
    workspace,
    agent,
    question,
    actor,
    place,
    tell,
    answer: { id, project, knowledgeBase, question: asked, by, atMs },
    gapId: gap?.id,
    begun: 0,
    createdAtMs: app.clock.now(),
  };
}

/**
 * The same proof for that person as they are now, in words that they may read: it may be a while since they added the
 * answer. Undefined: they have left, or can't ask that agent there any longer. Rejects while the service is down.
 */
export async function forPersonNow(app: InsightApp, proof: Proof): Promise<Proof | undefined> {
  const { actor, place, agent } = proof;
  const { platform } = app.sites.get(place.platform) ?? {};
  const now =
    platform === undefined ? undefined : await withTimeout(personNow(actor, place, platform), askMs, app.clock);
  if (now === "gone") return undefined;
  const viewer = { actor: now ?? actor, place };
  if (platform !== undefined && (await hasLeft(app, viewer, platform))) return undefined;
  if (!(await mayAsk(app, agent, viewer))) return undefined;
  const known = { ...proof, ...viewer };
  return { ...known, question: await questionOf(app, known) };
}

/** What was asked, or the newest wording that the person may read instead: perhaps it was forgotten since. */
export async function questionOf(app: InsightApp, proof: Proof): Promise<string> {
  const seen = await seenOf(app, await gapOfProof(app, proof), proof);
  if (seen?.askers.some((asker) => asker.question === proof.question) === true) return proof.question;
  return seen?.question ?? proof.answer.question;
}

/** The newest answer that the person may read. */
export async function answeredBefore(app: InsightApp, proof: Proof): Promise<Said | undefined> {
  const seen = await seenOf(app, await gapOfProof(app, proof), proof);
  for (const { from } of seen?.askers ?? []) {
    const turn = from === undefined ? undefined : await app.state.turns.get(from.turnId);
    if (turn?.outcome === undefined || turn.isForgotten === true) continue;
    return saidOf(turn.outcome, maxShownChars);
  }
  return undefined;
}

/** What that person may read of the gap now. */
async function seenOf({ sight }: InsightApp, gap: Gap | undefined, { actor, place }: Viewer) {
  const seen = gap === undefined ? undefined : await sight.see({ kind: "person", actor, place }, gap);
  return seen?.kind === "listed" ? seen : undefined;
}

async function originOf(
  app: InsightApp,
  { answer: { origin, atMs }, place }: AnswerAdded,
): Promise<{ gap?: Gap | undefined; turn?: Turn | undefined }> {
  const { gaps } = app;
  switch (origin.kind) {
    case "gap":
      return { gap: await gaps.get(place, origin.gapId) };
    case "turn": {
      const turn = await app.state.turns.get(origin.turnId);
      return { turn, gap: turn === undefined ? undefined : await gaps.ofTurn(turn) };
    }
    case "message": {
      const turn = await turnIn(app, origin.place, atMs);
      return { turn, gap: turn === undefined ? undefined : await gaps.ofTurn(turn) };
    }
    default:
      return origin satisfies never;
  }
}

/** The newest question in that thread which has a gap, else the newest one. */
async function turnIn({ state, gaps }: InsightApp, thread: Place, until: number): Promise<Turn | undefined> {
  const found: Turn[] = [];
  for await (const turn of state.turns.ofConversation(thread)) {
    if (turn.createdAtMs <= until && turn.agent !== undefined && turn.isForgotten !== true) found.push(turn);
    if (found.length >= maxLookedTurns) break;
  }
  const newestFirst = found.sort((one, other) => other.createdAtMs - one.createdAtMs);
  for (const turn of newestFirst) if ((await gaps.ofTurn(turn)) !== undefined) return turn;
  return newestFirst[0];
}

async function agentHere({ reach }: InsightApp, { actor, place }: AnswerAdded): Promise<Named | undefined> {
  const resolved = await reach.resolve(actor, place).catch(() => undefined);
  return resolved?.kind === "bound" ? { project: resolved.binding.project, name: resolved.binding.agent } : undefined;
}

/** What the agent answers is shown to that person, so they must be able to ask it there themselves. */
async function mayAsk({ reach }: InsightApp, agent: Named, { actor, place }: Viewer): Promise<boolean> {
  return (await reach.mayAgent(actor, "ask", place, agent, { isKnown: true })).allowed;
}

async function hasLeft({ clock }: InsightApp, { actor, place }: Viewer, platform: ChatPlatform): Promise<boolean> {
  if ((await withTimeout(Promise.resolve(platform.isMember?.(actor, place)), askMs, clock)) !== false) return false;
  const visibility = await withTimeout(Promise.resolve(platform.visibility?.(place)), askMs, clock);
  return visibility !== "public" && visibility !== "direct";
}
