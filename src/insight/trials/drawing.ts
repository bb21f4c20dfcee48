/** Draws what came of a proof: the answers before and after, and how many people can be told. */

import type { Document } from "../../core/document.ts";
import { ParleyError } from "../../core/errors.ts";
import { personKey } from "../../core/model/place.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { infoDocument, proofDocument } from "../../presentation/drawing.ts";
import { proofSentences as says } from "../../presentation/sentences.ts";
import type { Beginning } from "./beginning.ts";
import type { Telling } from "./telling.ts";
import type { Trial } from "./trial.ts";

/** Shown while it is asked. */
export const asking = infoDocument(says.asking, { tone: "running" });

export function createDrawing(deps: {
  readonly beginning: Pick<Beginning, "before" | "question" | "forPersonNow">;
  readonly telling: Pick<Telling, "count">;
  readonly clock: Pick<Clock, "now">;
}) {
  const { beginning, telling, clock } = deps;

  async function draw(trial: Trial): Promise<Document> {
    const { id, gapId, answer, result, tell } = trial;
    if (result === undefined) return asking;
    const [before, question, { all: people }] = await Promise.all([
      beginning.before(trial),
      beginning.question(trial),
      telling.count(trial),
    ]);
    const { knowledgeBase, id: answerId } = answer;
    const author = answer.by.key === personKey(trial, trial.actor) ? undefined : answer.by.name;
    const about = { author, id, gapId, answerId, question, knowledgeBase, agent: trial.agent.name, nowMs: clock.now() };
    return proofDocument({ ...about, before, result, people, tell });
  }

  return {
    draw,
    /** Perhaps later, for a person who has left the channel since, or lost the agent. */
    redraw: async (trial: Trial): Promise<Document> => {
      const now = await beginning.forPersonNow(trial);
      if (now === undefined) throw new ParleyError("turn_gone", says.gone);
      return draw(now);
    },
  };
}
