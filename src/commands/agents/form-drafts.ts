/**
 * What was filled into a form whose making failed, so that it can be opened again as it was. Kept in memory alone and
 * never with a key: after a restart, or on another instance, the form opens empty.
 */
import { newId } from "../../ports/tools/ids.ts";
import type { AgentFields } from "./agent-form.ts";

export type FormDrafts = {
  /** A name for the draft that fits into a button's value and is no agent's name. */
  readonly keep: (fields: AgentFields, nowMs: number) => string;
  readonly get: (id: string) => AgentFields | undefined;
};

const maxDrafts = 100;
export const draftMark = "#";

export function createFormDrafts(): FormDrafts {
  const drafts = new Map<string, AgentFields>();
  return {
    keep: (fields, nowMs) => {
      const { key: _key, ...rest } = fields;
      const id = `${draftMark}${newId(nowMs)}`;
      drafts.set(id, rest);
      const oldest = drafts.keys().next();
      if (drafts.size > maxDrafts && !oldest.done) drafts.delete(oldest.value);
      return id;
    },
    get: (id) => drafts.get(id),
  };
}
