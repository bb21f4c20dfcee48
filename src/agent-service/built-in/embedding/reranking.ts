/** Scores passages with a rerank model. Whatever fails, they are ranked without it, and managers see why. */
import type { Clock } from "../../../core/ports/clock.ts";
import type { Log } from "../../../core/ports/log.ts";
import type { FoundPassage } from "../answering/passage-search.ts";
import type { ModelHealth } from "../model/model-health.ts";
import type { Reranker } from "./embedder.ts";

export type Reranking = ReturnType<typeof createReranking>;

type RerankingOptions = {
  readonly reranker: Reranker;
  readonly health: ModelHealth;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
};

/** A question waits this long for its scores. */
const rateMs = 3_000;
/** No question waits for a model that has just failed. */
const pauseMs = 30_000;
const maxTextChars = 4_000;
const maxQuestionChars = 2_000;

export function createReranking({ reranker, health, clock, log, signal }: RerankingOptions) {
  let pausedUntilMs = Number.NEGATIVE_INFINITY;

  return {
    /** A score for each passage, as far as the model gave one. Undefined: it failed. */
    rate: async (
      question: string,
      passages: readonly FoundPassage[],
    ): Promise<readonly (number | undefined)[] | undefined> => {
      if (passages.length === 0 || clock.now() < pausedUntilMs) return undefined;
      const texts = passages.map(({ title, content }) =>
        `${title}\n${content}`.trim().slice(0, maxTextChars).toWellFormed(),
      );
      const late = AbortSignal.any([signal, AbortSignal.timeout(rateMs)]);
      try {
        const scores = await reranker.rate(question.slice(-maxQuestionChars).toWellFormed(), texts, late);
        health.answered();
        return scores;
      } catch (thrown) {
        if (signal.aborted) return undefined;
        pausedUntilMs = clock.now() + pauseMs;
        log.warn({ err: thrown }, "The rerank model failed; passages are ranked without it");
        health.failed(thrown instanceof Error ? thrown : new Error("it failed"));
        return undefined;
      }
    },
  };
}
