/**
 * Finds passages by words and by meaning. Each list votes for its passages by their places in it (reciprocal rank
 * fusion), because their scores can't be compared.
 */
import type { FoundPassage } from "../answering/passage-search.ts";
import type { Search } from "../answering/question.ts";
import { withWholeTables } from "../answering/tables/whole-tables.ts";
import type { Store } from "../storage/store.ts";
import type { Embeddings } from "./embeddings.ts";

/** As in the paper by Cormack, Clarke and Büttcher (2009). */
const rankOffset = 60;
/** Of each list. */
const maxListed = 20;

export function createCombinedSearch(store: Store, embeddings: Embeddings | undefined) {
  return async (
    base: { readonly id: number },
    search: Search,
    text: string,
    limit: number,
  ): Promise<readonly FoundPassage[]> => {
    const whole = (found: readonly FoundPassage[]) => withWholeTables(store.passages, found).slice(0, limit);
    if (embeddings === undefined) return whole(await store.passages.search([base.id], search, maxListed));
    const byWords = await store.passages.search([base.id], search, maxListed);
    const near = await embeddings.nearest(base.id, text, maxListed);
    if (near.length === 0) return whole(byWords);
    const byMeaning = store.passages.byIds(near);
    const votes = new Map<string, { readonly passage: FoundPassage; votes: number }>();
    for (const list of [byWords, byMeaning]) {
      for (const [rank, passage] of list.entries()) {
        const key = `${passage.chunkIndex}/${passage.rowId}`;
        const known = votes.get(key) ?? { passage, votes: 0 };
        known.votes += 1 / (rankOffset + rank + 1);
        votes.set(key, known);
      }
    }
    return whole([...votes.values()].sort((a, b) => b.votes - a.votes).map(({ passage }) => passage));
  };
}
