/**
 * Keeps what was entered in a form whose agent couldn't be created, so that the form can be reopened. In memory only,
 * and never with the key: after a restart, or on another instance, the form opens empty.
 */

import { newId } from "../../ports/tools/ids.ts";
import { keepNewest } from "../../ports/tools/newest.ts";
import type { AgentFields } from "./agent-form.ts";

export type FormDrafts = {
  /** Returns an id that fits into a button's value and can't be an agent's name. */
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
      keepNewest(drafts, maxDrafts);
      return id;
    },
    get: (id) => drafts.get(id),
  };
}
