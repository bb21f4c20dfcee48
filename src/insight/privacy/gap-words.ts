/** Removes a question of a gap from proofs and checks, which repeat it, once nobody in the gap asks it any longer. */
import type { Gap } from "../../core/model/insight.ts";
import type { Job } from "../../core/model/job.ts";
import { workspaceKey } from "../../core/model/place.ts";
import type { State } from "../../core/ports/state.ts";
import { questionText } from "../../presentation/drawing.ts";
import { gapsIn } from "../gaps/gap-store.ts";
import { proofsIn } from "../proof/proof.ts";

export function createGapWords({ collection }: Pick<State, "collection">) {
  const gaps = gapsIn({ collection });

  async function questionsOf(scope: Pick<Gap, "platform" | "workspace">, gapId: string): Promise<readonly string[]> {
    const gap = await gaps.get(`${workspaceKey(scope)}/${gapId}`);
    return gap?.record.askers.map(({ question }) => question) ?? [];
  }

  return {
    /** Proofs ask in the words of the added answer then. Idempotent. */
    eraseFromProofs: async (): Promise<void> => {
      const proofs = proofsIn({ collection });
      for await (const { id, record: proof } of proofs.entries()) {
        const { gapId, question, answer } = proof;
        if (gapId === undefined || question === answer.question) continue;
        if ((await questionsOf(proof, gapId)).includes(question)) continue;
        await proofs.update(id, ({ record }) => ({ ...record, question: record.answer.question }));
      }
    },

    /** Items of a check without the title that nobody's question has any longer. The same list if none changes. */
    itemsOf: async ({ askedIn, items }: Job): Promise<Job["items"]> => {
      if (!items.some(({ kind, title }) => kind === "check" && title !== undefined)) return items;
      return Promise.all(
        items.map(async (item) => {
          const { title, ...rest } = item;
          if (item.kind !== "check" || title === undefined) return item;
          const asked = await questionsOf(askedIn, item.label);
          return asked.some((question) => questionText(question) === title) ? item : rest;
        }),
      );
    },
  };
}
