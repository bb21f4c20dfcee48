/**
 * Keeps what was entered in a form whose agent couldn't be saved, so that the form can be reopened. In memory only, and
 * never with the key: after a restart, or on another instance, the form opens without it.
 */
import { LRUCache } from "lru-cache";
import { newId } from "../../core/tools/ids.ts";

/**
 * The submitted fields. A field is absent when the platform didn't return it; empty text and empty lists mean "none".
 */
export type AgentFields = {
  readonly name?: string;
  /** Only of a new agent. */
  readonly project?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly key?: string;
  readonly knowledgeBases?: readonly string[];
  readonly tables?: readonly string[];
  readonly instructions?: string;
};

const maxDrafts = 100;
export const draftMark = "#";

export type FormDrafts = ReturnType<typeof createFormDrafts>;

export function createFormDrafts() {
  const drafts = new LRUCache<string, AgentFields>({ max: maxDrafts });
  return {
    /** Returns an id that fits into a button's value and can't be an agent's name. */
    keep: (fields: AgentFields, nowMs: number) => {
      const { key: _key, ...rest } = fields;
      const id = `${draftMark}${newId(nowMs)}`;
      drafts.set(id, rest);
      return id;
    },
    get: (id: string) => drafts.get(id),
  };
}
