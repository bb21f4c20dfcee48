/**
 * Keeps what was entered in a form whose agent couldn't be saved, so that the form can be reopened. In memory only, and
 * never with the key: after a restart, or on another instance, the form opens without it.
 */
import { newId } from "../../ports/tools/ids.ts";
import { keepNewest } from "../../ports/tools/newest.ts";
import type { AgentFields } from "./agent-form.ts";

const maxDrafts = 100;
export const draftMark = "#";

export type FormDrafts = ReturnType<typeof createFormDrafts>;

export function createFormDrafts() {
  const drafts = new Map<string, AgentFields>();
  return {
    /** Returns an id that fits into a button's value and can't be an agent's name. */
    keep: (fields: AgentFields, nowMs: number) => {
      const { key: _key, ...rest } = fields;
      const id = `${draftMark}${newId(nowMs)}`;
      drafts.set(id, rest);
      keepNewest(drafts, maxDrafts);
      return id;
    },
    get: (id: string) => drafts.get(id),
  };
}
