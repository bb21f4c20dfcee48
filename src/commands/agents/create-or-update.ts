/**
 * Makes or changes an agent, and does not believe an error before it has looked: the service may have done what was
 * asked and lost its answer, so what stands there afterwards is compared with what was asked for.
 */

import type { Agent, AgentDraft, AgentService } from "../../ports/agent-service.ts";
import { type ErrorCode, ParleyError, toParleyError } from "../../ports/errors.ts";
import type { AgentFields } from "./agent-form.ts";

export type WriteResult =
  | { readonly kind: "saved"; readonly agent: Agent }
  /** It stood there already and is what was asked for: a second press, or an answer that was lost. */
  | { readonly kind: "already-there"; readonly agent: Agent }
  /** The name belongs to something else. */
  | { readonly kind: "taken" }
  /** `isUnsure`: the service did not say, and could not be asked afterwards. */
  | { readonly kind: "failed"; readonly error: ParleyError; readonly isUnsure: boolean };

type Service = Pick<AgentService, "createAgent" | "updateAgent" | "getAgent">;

/** After these the work may have been done all the same. */
const lostAnswers: readonly ErrorCode[] = [
  "service_unreachable",
  "service_busy",
  "service_not_understood",
  "stream_cut",
];

export function draftOf(fields: AgentFields, name: string): AgentDraft {
  const { provider, model, key, knowledgeBases, tables, instructions } = fields;
  const modelDraft = {
    ...(provider ? { provider } : {}),
    ...(model ? { name: model } : {}),
    ...(key ? { apiKey: key } : {}),
  };
  return {
    name,
    ...(Object.keys(modelDraft).length === 0 ? {} : { model: modelDraft }),
    ...(knowledgeBases === undefined || knowledgeBases.length === 0 ? {} : { knowledgeBases }),
    ...(tables === undefined || tables.length === 0 ? {} : { tables }),
    ...(instructions ? { promptTemplate: instructions } : {}),
  };
}

/** Never throws. */
export async function createAgent(service: Service, project: string, draft: AgentDraft): Promise<WriteResult> {
  try {
    return { kind: "saved", agent: await service.createAgent(project, draft) };
  } catch (failure) {
    const error = toParleyError(failure);
    const isTaken = error.code === "name_taken";
    if (!isTaken && !lostAnswers.includes(error.code)) return { kind: "failed", error, isUnsure: false };
    const existing = await look(service, project, draft.name);
    if (existing.kind === "there") {
      if (isAsAsked(existing.agent, draft, project)) return { kind: "already-there", agent: existing.agent };
      return { kind: "taken" };
    }
    return { kind: "failed", error, isUnsure: !isTaken && existing.kind === "unknown" };
  }
}

/** Never throws. "already-there" when its answer was lost and the agent is as asked; "taken" when the new name is. */
export async function updateAgent(
  service: Service,
  project: string,
  name: string,
  changes: Partial<AgentDraft>,
): Promise<WriteResult> {
  try {
    return { kind: "saved", agent: await service.updateAgent(project, name, changes) };
  } catch (failure) {
    const error = toParleyError(failure);
    if (error.code === "name_taken") return { kind: "taken" };
    if (!lostAnswers.includes(error.code)) return { kind: "failed", error, isUnsure: false };
    const existing = await look(service, project, changes.name ?? name);
    if (existing.kind === "there" && isAsAsked(existing.agent, changes, project)) {
      return { kind: "already-there", agent: existing.agent };
    }
    return { kind: "failed", error, isUnsure: existing.kind === "unknown" };
  }
}

type Looked =
  | { readonly kind: "there"; readonly agent: Agent }
  | { readonly kind: "absent" }
  | { readonly kind: "unknown" };

async function look(service: Service, project: string, name: string): Promise<Looked> {
  try {
    return { kind: "there", agent: await service.getAgent(project, name) };
  } catch (failure) {
    const isAbsent = failure instanceof ParleyError && failure.code === "agent_not_found";
    return { kind: isAbsent ? "absent" : "unknown" };
  }
}

/** Everything that was asked for stands there. A key can only be compared by whether there is one. */
function isAsAsked(agent: Agent, asked: Partial<AgentDraft>, project: string): boolean {
  const { model, knowledgeBases, tables, promptTemplate } = asked;
  const qualified = (names: readonly string[]) =>
    names.map((name) => (name.includes(".") ? name : `${project}.${name}`));
  return (
    (model?.provider === undefined || model.provider === agent.model?.provider) &&
    (model?.name === undefined || model.name === agent.model?.name) &&
    (model?.apiKey === undefined || agent.model?.hasKey === true) &&
    (knowledgeBases === undefined || isSame(qualified(knowledgeBases), qualified(agent.knowledgeBases))) &&
    (tables === undefined || isSame(tables, agent.tables)) &&
    (promptTemplate === undefined || promptTemplate.trim() === (agent.promptTemplate ?? "").trim())
  );
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return [...new Set(a)].sort().join("\n") === [...new Set(b)].sort().join("\n");
}
