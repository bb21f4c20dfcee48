/**
 * Translates agents and knowledge bases between the port and the store. Names follow the strictest rules of all agent
 * services, so that anything created here can be created there.
 */
import { z } from "zod";
import { ParleyError } from "../../../core/errors.ts";
import type { Agent, AgentDraft, KnowledgeBase } from "../../../core/ports/agent-service.ts";
import type { Fields, Stored } from "./resource-store.ts";

/** The knowledge base that holds Parley's own manual. */
export const docsBaseName = "docs";

const text = z.string().optional().catch(undefined);
const names = z.array(z.string()).catch([]);

const agentRecord = z.object({
  data: z.object({ knowledge_bases: names, tables: names }).catch({ knowledge_bases: [], tables: [] }),
  model: z.object({ provider: text, model_name: text, api_key: text }).optional().catch(undefined),
  prompt_template: text,
});

/** No model of an agent's own runs here, so only the existence of its key matters. */
const hiddenKey = "******";

export function agentOf(project: string, { name, createdAt, updatedAt, fields }: Stored): Agent {
  const { data, model, prompt_template: promptTemplate } = agentRecord.parse(fields);
  return {
    name,
    project,
    createdAt,
    updatedAt,
    model: model && {
      provider: model.provider || undefined,
      name: model.model_name || undefined,
      hasKey: model.api_key !== undefined,
    },
    tables: data.tables,
    knowledgeBases: data.knowledge_bases,
    promptTemplate: promptTemplate || undefined,
  };
}

/** What is given replaces what was there; the rest stays. */
export function agentFields(project: string, before: Fields, draft: Partial<AgentDraft>): Fields {
  const { data, model, prompt_template } = agentRecord.parse(before);
  const { provider, name, apiKey } = draft.model ?? {};
  const bases = draft.knowledgeBases?.map((base) => (base.includes(".") ? base : `${project}.${base}`));
  return {
    data: { knowledge_bases: bases ?? data.knowledge_bases, tables: draft.tables ?? data.tables },
    model:
      draft.model === undefined
        ? model
        : {
            provider: provider ?? model?.provider,
            model_name: name ?? model?.model_name,
            api_key: apiKey ? hiddenKey : model?.api_key,
          },
    prompt_template: draft.promptTemplate ?? prompt_template,
  };
}

export function baseOf(project: string, { name, createdAt }: Stored): KnowledgeBase {
  return { name, project, createdAt };
}

/** What a model writes with: the agent's own model, and its instructions. */
export function agentModel({ fields }: Stored): { readonly model?: string; readonly instructions: string } {
  const { model, prompt_template: instructions = "" } = agentRecord.parse(fields);
  return { model: model?.model_name?.trim() || undefined, instructions };
}

/** Any letters except capitals, digits, spaces and a few marks. A slash wouldn't fit into a URL. */
export function checkName(name: string): void {
  const isName =
    name.length <= 300 && name === name.toLowerCase() && /\p{L}/u.test(name) && /^[\p{L}\p{N}\p{M} _.-]+$/u.test(name);
  if (!isName) throw new ParleyError("name_not_allowed");
}

/** "*" has Parley's own manual only where there is nothing else. */
function ofTeam(all: readonly Stored[]): readonly Stored[] {
  const others = all.filter(({ name }) => name !== docsBaseName);
  return others.length > 0 ? others : all;
}

/** An agent's knowledge bases, and the names of those that don't exist. `project.*` selects all of the project. */
export function boundBases({ fields }: Stored, all: readonly Stored[]) {
  const bound = new Map<string, Stored>();
  const missing: string[] = [];
  for (const entry of agentRecord.parse(fields).data.knowledge_bases) {
    // There is only one project. Its name (AGENT_PROJECT) may have changed since the agent was created.
    const name = entry.slice(entry.indexOf(".") + 1);
    const found = name === "*" ? ofTeam(all) : all.filter((base) => base.name === name);
    for (const base of found) bound.set(base.name, base);
    if (found.length === 0 && name !== "*") missing.push(name);
  }
  return { bases: [...bound.values()], missing };
}
