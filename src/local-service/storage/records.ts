/**
 * Translates agents and knowledge bases between the API's JSON and the store. Names follow the strictest rules of the
 * API's servers, so that anything created here can be created there.
 */
import { z } from "zod";
import { Problem, problems } from "../routes/problem.ts";
import type { Fields, Stored } from "./resource-store.ts";

/** Fields of an agent that are stored. */
const agentKeys = ["data", "model", "prompt_template", "params"] as const;

const fields = z.record(z.string(), z.unknown());

export function agentRecord(agent: Stored): Fields {
  return {
    id: agent.id,
    name: agent.name,
    project_id: 1,
    created_at: agent.createdAt,
    updated_at: agent.updatedAt,
    ...agent.fields,
  };
}

export function baseRecord(base: Stored): Fields {
  return {
    id: base.id,
    name: base.name,
    project_id: 1,
    vector_database: "local",
    vector_database_table: "passages",
    created_at: base.createdAt,
    updated_at: base.updatedAt,
    query_id: null,
    embedding_model: {},
    reranking_model: {},
    metadata_columns: null,
    content_columns: null,
    id_column: null,
    params: {},
  };
}

/** The object inside the body's envelope. Throws a Problem if it is missing. */
export function envelope(body: unknown, name: "agent" | "knowledge_base", method: string): Fields {
  const outer = fields.safeParse(body);
  const inner = fields.safeParse(outer.success ? outer.data[name] : undefined);
  if (!outer.success) throw problems.badRequest();
  if (!inner.success) throw problems.missing(name, method);
  return inner.data;
}

export function agentFields(given: Fields): Fields {
  const kept = Object.fromEntries(agentKeys.filter((key) => given[key] !== undefined).map((key) => [key, given[key]]));
  const data = given["data"];
  if (data !== undefined && !fields.safeParse(data).success) {
    throw new Problem(400, "Wrong type", 'The "data" field of an agent must be an object');
  }
  const model = fields.safeParse(given["model"]);
  return model.success ? { ...kept, model: withoutKey(model.data) } : kept;
}

/** Replaces the API key by stars: no model runs here, so only its existence matters. */
function withoutKey(model: Fields): Fields {
  return model["api_key"] === undefined || model["api_key"] === "" ? model : { ...model, api_key: "******" };
}

/** What a model writes with: the agent's own model, and its instructions. */
export function agentModel(agent: Stored): { readonly model?: string; readonly instructions: string } {
  const model = fields.safeParse(agent.fields["model"]);
  const name = model.success ? (model.data["model_name"] ?? model.data["name"]) : undefined;
  const prompt = agent.fields["prompt_template"];
  const instructions = typeof prompt === "string" ? prompt : "";
  return typeof name === "string" && name.trim() !== "" ? { model: name.trim(), instructions } : { instructions };
}

/** Merges objects key by key, as the API's other servers do. */
export function mergedFields(before: Fields, changes: Fields): Fields {
  const merged: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(changes)) {
    const old = fields.safeParse(before[key]);
    const next = fields.safeParse(value);
    merged[key] = key !== "data" && old.success && next.success ? { ...old.data, ...next.data } : value;
  }
  return merged;
}

export function agentName(given: Fields): string {
  const name = given["name"];
  if (name === undefined) throw new Problem(400, "Missing field", 'Missing "name" field for agent');
  if (typeof name !== "string" || !isName(name)) throw new Problem(400, "Wrong name", wrongName(name));
  return name;
}

export function baseName(given: Fields): string {
  const name = given["name"];
  if (name === undefined) throw new Problem(400, "Missing parameter", 'Must provide "name" field in "knowledge_base"');
  if (typeof name !== "string" || !isName(name)) {
    throw new Problem(400, "Invalid preprocessing configuration", wrongName(name));
  }
  return name;
}

function wrongName(name: unknown): string {
  return `The name must be in lower case: ${String(name).slice(0, 100)}`;
}

/** Any letters except capitals, digits, spaces and a few marks. A slash wouldn't fit into a URL. */
function isName(name: string): boolean {
  return (
    name.length <= 300 && name === name.toLowerCase() && /\p{L}/u.test(name) && /^[\p{L}\p{N}\p{M} _.-]+$/u.test(name)
  );
}

const messagesBody = z.object({
  messages: z.array(z.object({ question: z.string().nullish(), answer: z.string().nullish() })),
});

export function messagesOf(body: unknown): readonly { readonly question: string; readonly answer: string }[] {
  const parsed = messagesBody.safeParse(body);
  if (!parsed.success) throw problems.missing("messages", "POST");
  return parsed.data.messages.map(({ question, answer }) => ({ question: question ?? "", answer: answer ?? "" }));
}

/** An agent's knowledge bases, and the names of those that don't exist. `project.*` selects all of the project. */
export function boundBases(agent: Stored, all: readonly Stored[]) {
  const data = z.object({ knowledge_bases: z.array(z.string()) }).safeParse(agent.fields["data"]);
  const bound = new Map<string, Stored>();
  const missing: string[] = [];
  for (const entry of data.success ? data.data.knowledge_bases : []) {
    // There is only one project. Its name (AGENT_PROJECT) may have changed since the agent was created.
    const name = entry.slice(entry.indexOf(".") + 1);
    const found = name === "*" ? all : all.filter((base) => base.name === name);
    for (const base of found) bound.set(base.name, base);
    if (found.length === 0 && name !== "*") missing.push(name);
  }
  return { bases: [...bound.values()], missing };
}
