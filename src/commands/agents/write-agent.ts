/**
 * Creates or updates an agent at the service, one change at a time, and verifies lost responses. After an ambiguous
 * error it reads the agent back and compares it with what was requested, because the service may have done the work.
 * Channels, workspaces and threads follow when an agent they use is renamed or deleted.
 */
import type { Bindings, Named } from "../../core/access.ts";
import { type ErrorCode, ParleyError, toParleyError } from "../../core/errors.ts";
import type { Place } from "../../core/model/place.ts";
import type { Agent, AgentDraft, AgentService } from "../../core/ports/agent-service.ts";
import { withLane } from "../../core/tools/with-lane.ts";
import type { CommandApp } from "../app.ts";
import type { AgentFields } from "./form-drafts.ts";

export type WriteResult =
  | { readonly kind: "saved"; readonly agent: Agent }
  /** It already exists as requested: a second press, or a lost response. */
  | { readonly kind: "already-there"; readonly agent: Agent }
  /** Another agent has the name. */
  | { readonly kind: "taken" }
  /** `isUnsure`: the service didn't answer, and couldn't be asked afterwards. */
  | { readonly kind: "failed"; readonly error: ParleyError; readonly isUnsure: boolean };

type Service = Pick<AgentService, "createAgent" | "updateAgent" | "getAgent">;

/** After these errors the work may have been done anyway. */
const lostAnswers: readonly ErrorCode[] = [
  "service_unreachable",
  "service_busy",
  "service_not_understood",
  "stream_cut",
];

/** For a change that someone else makes at the same moment: the service may call a model, but not for long. */
const maxWaitMs = 90_000;

/** Reads and changes under one lease over all instances, so that of two changes at once none undoes the other. */
export async function aloneWithAgent<T>(
  { state: { coordinator }, clock }: CommandApp,
  { project, name }: Named,
  work: () => Promise<T>,
): Promise<T> {
  const tooLong = new AbortController();
  const cancel = clock.after(maxWaitMs, () => tooLong.abort(new ParleyError("state_unavailable")));
  const lease = await coordinator.lease(`agent/${project}/${name}`, { signal: tooLong.signal }).finally(cancel);
  try {
    return await work();
  } finally {
    await lease.release();
  }
}

/**
 * A knowledge base without a project is one of AGENT_PROJECT (`own`), whatever the agent's project: the form lists them
 * so, and the service would take it for one of the agent's.
 */
export function qualifiedBases(bases: readonly string[], own: string): readonly string[] {
  return bases.map((base) => (base.includes(".") ? base : `${own}.${base}`));
}

export function draftOf(fields: AgentFields, name: string, own: string): AgentDraft {
  const { provider, model, key, knowledgeBases, tables, instructions } = fields;
  return {
    name,
    model:
      provider || model || key
        ? { provider: provider || undefined, name: model || undefined, apiKey: key || undefined }
        : undefined,
    knowledgeBases: knowledgeBases?.length ? qualifiedBases(knowledgeBases, own) : undefined,
    tables: tables?.length === 0 ? undefined : tables,
    promptTemplate: instructions || undefined,
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
    if (typeof existing === "string") return { kind: "failed", error, isUnsure: !isTaken && existing === "unknown" };
    return isAsAsked(existing, draft, project) ? { kind: "already-there", agent: existing } : { kind: "taken" };
  }
}

/**
 * Never throws. "already-there" when the response was lost and the agent is as requested; "taken" when the new name is.
 */
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
    if (typeof existing !== "string" && isAsAsked(existing, changes, project)) {
      return { kind: "already-there", agent: existing };
    }
    return { kind: "failed", error, isUnsure: existing === "unknown" };
  }
}

async function look(service: Service, project: string, name: string): Promise<Agent | "absent" | "unknown"> {
  try {
    return await service.getAgent(project, name);
  } catch (failure) {
    return failure instanceof ParleyError && failure.code === "agent_not_found" ? "absent" : "unknown";
  }
}

/** Compares every requested field. Of a key, only its presence can be compared. */
function isAsAsked(agent: Agent, asked: Partial<AgentDraft>, project: string): boolean {
  const { model, knowledgeBases, tables, promptTemplate } = asked;
  const qualified = (names: readonly string[]) => qualifiedBases(names, project);
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

/** The workspace's default agent; undefined without one. */
export async function workspaceAgent(
  bindings: Pick<Bindings, "resolve">,
  { platform, workspace }: Place,
): Promise<Named | undefined> {
  // No channel has an empty name, so this resolves to the workspace's binding.
  const resolved = await bindings.resolve({ platform, workspace, channel: "" }).catch(() => undefined);
  if (resolved?.kind !== "bound" || resolved.from !== "workspace") return undefined;
  return { project: resolved.binding.project, name: resolved.binding.agent };
}

/**
 * Moves bindings and threads to the new name. Without a new name they fall back to their earlier default instead of
 * failing on every question. Threads follow in the background, each once no question is running in it.
 */
export async function replaceAgent(app: CommandApp, from: Named, to: string | undefined): Promise<void> {
  const { bindings, conversations, log } = app;
  const { project, name } = from;
  await bindings.replaceAgent(project, name, to);
  conversations
    .replaceAgent(project, name, to, (lane, work) =>
      withLane(lane, { coordinator: app.state.coordinator, clock: app.clock }, work),
    )
    .catch((failure: unknown) => log.warn({ err: failure, agent: name }, "A thread still names an agent that is gone"));
}
