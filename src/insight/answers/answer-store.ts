/** Stores added answers by knowledge base, and finds one by its id alone, which is all that a button has, or by its row. */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Named } from "../../core/access.ts";
import type { AnswerStore } from "../../core/content/answering.ts";
import type { AddedAnswer } from "../../core/model/insight.ts";
import type { Collection, CollectionDefinition, CollectionFactory } from "../../core/ports/collection.ts";

type AnswerField = "id" | "base" | "title" | "url" | "atMs";

const text = z.string();

/** By knowledge base and id. */
export const answerCollection: CollectionDefinition<AddedAnswer, AnswerField> = {
  holds: "Answers that people added, and by whom",
  person: { kind: "added answers", erase: (answer, strip) => strip(answer) },
  retain: "until it is removed",
  schema: z.looseObject({ id: text, question: text, answer: text }),
  fields: {
    id: ({ id }) => id,
    base: (answer) => baseKey(baseOf(answer)),
    title: ({ row }) => hashOf(row?.title),
    url: ({ row }) => hashOf(row?.url),
    atMs: ({ atMs }) => atMs,
  },
  indexes: [
    { by: ["id"], order: "atMs" },
    { by: ["base"], order: "atMs" },
    { by: ["base", "title"], order: "atMs" },
    { by: ["base", "url"], order: "atMs" },
  ],
};

export const answersIn = ({
  collection,
}: {
  readonly collection: CollectionFactory;
}): Collection<AddedAnswer, AnswerField> => collection("answers", answerCollection);

export function createAnswerStore(state: { readonly collection: CollectionFactory }): AnswerStore {
  const records = answersIn(state);

  async function newest(where: { readonly [K in AnswerField]?: string | undefined }): Promise<AddedAnswer | undefined> {
    const { entries } = await records.query({ order: "atMs", where }, 1);
    return entries[0]?.record;
  }

  return {
    get: async (base, id) => (await records.get(keyOf(base, id)))?.record,
    byId: (id) => newest({ id }),
    ofBase: (base) =>
      Array.fromAsync(records.all({ order: "atMs", where: { base: baseKey(base) } }), ({ record }) => record),
    named: async (base, { title, url }) => {
      if (title === undefined) return undefined;
      const where = { base: baseKey(base), url: hashOf(url) };
      return newest(title === url ? where : { ...where, title: hashOf(title) });
    },
    put: (answer) => records.put(keyOf(baseOf(answer), answer.id), answer),
    delete: (base, id) => records.delete(keyOf(base, id)),
  };
}

export function baseOf({ project, knowledgeBase }: Pick<AddedAnswer, "project" | "knowledgeBase">): Named {
  return { project, name: knowledgeBase };
}

/** Titles may be long. */
function hashOf(name: string | undefined): string | undefined {
  return name === undefined ? undefined : createHash("sha256").update(name).digest("hex").slice(0, 32);
}

const baseKey = ({ project, name }: Named) => [project, name].map(encodeURIComponent).join("/");
const keyOf = (base: Named, id: string) => `${baseKey(base)}/${encodeURIComponent(id)}`;
