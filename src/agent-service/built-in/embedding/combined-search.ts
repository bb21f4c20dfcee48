/**
 * Finds passages by words and by meaning. Each list votes for its passages by their places in it (reciprocal rank
 * fusion), because their scores can't be compared. A rerank model then orders the best of them.
 */
import type { Clock } from "../../../core/ports/clock.ts";
import type { Log } from "../../../core/ports/log.ts";
import type { FoundPassage } from "../answering/passage-search.ts";
import type { Search } from "../answering/question.ts";
import { withWholeTables } from "../answering/tables/whole-tables.ts";
import type { Store } from "../storage/store.ts";
import type { Embeddings } from "./embeddings.ts";
import { createFloors } from "./floors.ts";
import type { Reranking } from "./reranking.ts";

/** One way to ask; the question itself comes first. */
export type Wording = { readonly search: Search; readonly text: string };

export type Hits = {
  /** Best first. */
  readonly passages: readonly FoundPassage[];
  /** Those whose score says that they answer. Undefined: no score can say so. */
  readonly matching?: readonly FoundPassage[];
};

type Scored = { readonly passage: FoundPassage; readonly score: number | undefined };

type CombinedOptions = {
  readonly store: Store;
  readonly embeddings: Embeddings | undefined;
  readonly reranking: Reranking | undefined;
  readonly clock: Clock;
  readonly log: Log;
};

/** As in the paper by Cormack, Clarke and Büttcher (2009). */
const rankOffset = 60;
/** Of each list. */
const maxListed = 20;

export function createCombinedSearch({ store, embeddings, reranking, clock, log }: CombinedOptions) {
  const measured = { version: store.embeddings.version, clock, log };
  const meaningFloors = createFloors({
    ...measured,
    best: async (base, question) => (await embeddings?.nearest(base, question, 1))?.[0]?.share,
  });
  const rerankFloors = createFloors({
    ...measured,
    best: async (base, question) => {
      const near = (await embeddings?.nearest(base, question, maxListed)) ?? [];
      const ids = near.length > 0 ? near.map(({ id }) => id) : store.embeddings.some(base, maxListed);
      const scores = await reranking?.rate(question, store.passages.byIds(ids));
      const given = (scores ?? []).filter((score) => score !== undefined);
      return given.length === 0 ? undefined : Math.max(...given);
    },
  });

  async function find(base: { readonly id: number }, wordings: readonly Wording[], limit: number): Promise<Hits> {
    const votes = new Map<string, { readonly passage: FoundPassage; votes: number }>();
    const shares = new Map<string, number>();
    for (const { search, text } of wordings) {
      // However few words they have: who reads them tells whether they answer.
      const byWords = (await store.passages.rank([base.id], search)).found.slice(0, maxListed);
      const near = (await embeddings?.nearest(base.id, text, maxListed)) ?? [];
      const byMeaning = near.flatMap(({ id, share }) =>
        store.passages.byIds([id]).map((passage) => {
          shares.set(keyOf(passage), Math.max(share, shares.get(keyOf(passage)) ?? -1));
          return passage;
        }),
      );
      for (const list of [byWords, byMeaning]) {
        for (const [rank, passage] of list.entries()) {
          const known = votes.get(keyOf(passage)) ?? { passage, votes: 0 };
          known.votes += 1 / (rankOffset + rank + 1);
          votes.set(keyOf(passage), known);
        }
      }
    }
    const fused = [...votes.values()].sort((a, b) => b.votes - a.votes).map(({ passage }) => passage);
    const whole = withWholeTables(store.passages, fused).slice(0, maxListed);
    const scores = await reranking?.rate(wordings[0]?.text ?? "", whole);
    if (scores !== undefined) {
      const scored = whole.map((passage, at): Scored => ({ passage, score: scores[at] }));
      // A passage without a score keeps its place below the others.
      scored.sort((a, b) => compared(b.score) - compared(a.score));
      return hitsOf(scored.slice(0, limit), rerankFloors.of(base.id));
    }
    const floor = embeddings === undefined ? undefined : meaningFloors.of(base.id);
    return hitsOf(
      whole.slice(0, limit).map((passage) => ({ passage, score: shares.get(keyOf(passage)) })),
      shares.size === 0 ? undefined : floor,
    );
  }

  return {
    find,
    /** From which score on a passage answers. Undefined: not known yet. */
    floor: (base: number): number | undefined =>
      reranking === undefined ? meaningFloors.known(base) : rerankFloors.known(base),
    measured: async (): Promise<void> => {
      await Promise.all([meaningFloors.measured(), rerankFloors.measured()]);
    },
  };
}

function hitsOf(scored: readonly Scored[], floor: number | undefined): Hits {
  const passages = scored.map(({ passage }) => passage);
  if (floor === undefined) return { passages };
  const isAbove = ({ score }: Scored) => score !== undefined && score >= floor;
  return { passages, matching: scored.filter(isAbove).map(({ passage }) => passage) };
}

/** Lowest without a score; two of them are equal. */
function compared(score: number | undefined): number {
  return score ?? -Number.MAX_VALUE;
}

function keyOf({ chunkIndex, rowId }: FoundPassage): string {
  return `${chunkIndex}/${rowId}`;
}
