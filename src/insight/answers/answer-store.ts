/** Stores added answers by knowledge base, and finds one by its id alone, which is all that a button has. */
import { createHash } from "node:crypto";
import type { Named } from "../../core/access.ts";
import type { AnswerStore } from "../../core/content/answering.ts";
import type { AddedAnswer } from "../../core/model/insight.ts";
import type { KeyValueFactory } from "../../core/ports/state.ts";

/** Every write can be done again, and reading tolerates an index whose record is gone or says something else. */
export function createAnswerStore(keyValue: KeyValueFactory): AnswerStore {
  const records = keyValue<AddedAnswer>("answers");
  const bases = keyValue<Named>("answer-bases");
  const ids = keyValue<{ readonly id: string }>("answer-names");
  const get: AnswerStore["get"] = (base, id) => records.get(keyOf(base, id));

  /** Unless another answer has that name by now. */
  async function unname(base: Named, name: string, id: string): Promise<void> {
    const key = nameKey(base, name);
    if ((await ids.get(key))?.id === id) await ids.delete(key);
  }

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
    named: async (base, { title, url }) => {
      const isUntitled = title === url;
      const name = isUntitled ? url : title;
      const indexed = name === undefined ? undefined : await ids.get(nameKey(base, name));
      const answer = indexed === undefined ? undefined : await get(base, indexed.id);
      if (answer?.row === undefined) return undefined;
      // The index may be older than the answer.
      const isSame = isUntitled
        ? answer.row.url === url
        : answer.row.title === title && (url === undefined || answer.row.url === url);
      return isSame ? answer : undefined;
    },
    put: async (answer) => {
      const base = baseOf(answer);
      const { id } = answer;
      const names = namesOf(answer);
      const before = namesOf(await get(base, id));
      for (const name of names) await ids.set(nameKey(base, name), { id });
      await records.set(keyOf(base, id), answer);
      await bases.set(encodeURIComponent(id), base);
      const stale = before.filter((name) => !names.includes(name));
      for (const name of stale) await unname(base, name, id);
    },
    delete: async (base, id) => {
      for (const name of namesOf(await get(base, id))) await unname(base, name, id);
      await records.delete(keyOf(base, id));
      const indexed = await bases.get(encodeURIComponent(id));
      if (indexed?.project === base.project && indexed.name === base.name) await bases.delete(encodeURIComponent(id));
    },
  };
}

export function baseOf({ project, knowledgeBase }: Pick<AddedAnswer, "project" | "knowledgeBase">): Named {
  return { project, name: knowledgeBase };
}

function namesOf(answer: AddedAnswer | undefined): readonly string[] {
  return [answer?.row?.title, answer?.row?.url].filter((name) => name !== undefined);
}

/** Titles may be long, and hold what people asked. */
function nameKey(base: Named, name: string): string {
  return keyOf(base, createHash("sha256").update(name).digest("hex").slice(0, 32));
}

function keyOf({ project, name }: Named, id: string): string {
  return [project, name, id].map(encodeURIComponent).join("/");
}
