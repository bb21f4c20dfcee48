/** Stores added answers by knowledge base, and finds one by its id alone, which is all that a button has. */
import type { Named } from "../../ports/access.ts";
import type { AnswerStore } from "../../ports/content/answering.ts";
import type { AddedAnswer } from "../../ports/model/insight.ts";
import type { KeyValueFactory } from "../../ports/state.ts";

/** Every write can be done again: the record before the index, and reading tolerates an index without a record. */
export function createAnswerStore(keyValue: KeyValueFactory): AnswerStore {
  const records = keyValue<AddedAnswer>("answers");
  const bases = keyValue<Named>("answer-bases");
  const get: AnswerStore["get"] = (base, id) => records.get(keyOf(base, id));
  return {
    get,
    byId: async (id) => {
      const base = await bases.get(encodeURIComponent(id));
      return base === undefined ? undefined : get(base, id);
    },
    ofBase: async (base) => {
      const found: AddedAnswer[] = [];
      for await (const [, answer] of records.entries(keyOf(base, ""))) found.push(answer);
      return found;
    },
    put: async (answer) => {
      const base = baseOf(answer);
      await records.set(keyOf(base, answer.id), answer);
      await bases.set(encodeURIComponent(answer.id), base);
    },
    delete: async (base, id) => {
      await records.delete(keyOf(base, id));
      const indexed = await bases.get(encodeURIComponent(id));
      if (indexed?.project === base.project && indexed.name === base.name) await bases.delete(encodeURIComponent(id));
    },
  };
}

export function baseOf({ project, knowledgeBase }: Pick<AddedAnswer, "project" | "knowledgeBase">): Named {
  return { project, name: knowledgeBase };
}

function keyOf({ project, name }: Named, id: string): string {
  return [project, name, id].map(encodeURIComponent).join("/");
}
