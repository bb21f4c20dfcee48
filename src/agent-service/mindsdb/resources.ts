/**
 * Translates agents, knowledge bases and lists between the service's JSON and the port. Every response holds the model's
 * API key in clear text: here it becomes `hasKey`, and fields that aren't listed are dropped.
 */
import { z } from "zod";
import { ParleyError } from "../../core/errors.ts";
import type {
  Agent,
  AgentDraft,
  Insert,
  KnowledgeBase,
  KnowledgeBaseDraft,
  ModelDraft,
} from "../../core/ports/agent-service.ts";
import type { CrawlFilter } from "./crawl-filter.ts";

const text = z.string().nullish();
const names = z.array(z.string()).nullish().catch(undefined);
const modelObject = z.object({
  provider: text.catch(undefined),
  model_name: text.catch(undefined),
  api_key: z.unknown().optional(),
});

const agentRecord = z.object({
  name: z.string(),
  created_at: text,
  updated_at: text,
  /** A string if the agent was created with one: 25.x stores what it gets. */
  model: z.union([modelObject, z.string()]).nullish().catch(undefined),
  data: z.object({ tables: names, knowledge_bases: names }).nullish().catch(undefined),
  prompt_template: text.catch(undefined),
});

const embedding = z.object({ provider: text, model_name: text }).nullish().catch(undefined);

const knowledgeBaseRecord = z.object({
  name: z.string(),
  created_at: text,
  embedding_model: embedding,
  reranking_model: embedding,
});

const namedRecord = z.object({ name: z.string() });
const databaseRecord = z.object({ name: z.string(), type: text, engine: text });

/** Engines that only hold the vectors of knowledge bases. Agents don't query them. */
const vectorEngines = new Set(["chromadb", "duckdb_faiss", "faiss"]);

export function readAgent(project: string, body: unknown): Agent {
  return agentOf(project, parse(agentRecord, body));
}

export function readAgents(project: string, body: unknown): readonly Agent[] {
  return parse(z.array(agentRecord), body).map((record) => agentOf(project, record));
}

function agentOf(project: string, record: z.infer<typeof agentRecord>): Agent {
  return {
    name: record.name,
    project,
    createdAt: record.created_at || undefined,
    updatedAt: record.updated_at || undefined,
    model: modelOf(record.model),
    tables: record.data?.tables ?? [],
    knowledgeBases: record.data?.knowledge_bases ?? [],
    promptTemplate: record.prompt_template || undefined,
  };
}

function modelOf(model: z.infer<typeof agentRecord>["model"]): Agent["model"] {
  if (!model) return undefined;
  if (typeof model === "string") return { name: model, hasKey: false };
  const { provider, model_name: name, api_key: key } = model;
  const hasKey = typeof key === "string" && key !== "";
  return { provider: provider || undefined, name: name || undefined, hasKey };
}

export function readKnowledgeBase(project: string, body: unknown): KnowledgeBase {
  return knowledgeBaseOf(project, parse(knowledgeBaseRecord, body));
}

export function readKnowledgeBases(project: string, body: unknown): readonly KnowledgeBase[] {
  return parse(z.array(knowledgeBaseRecord), body).map((record) => knowledgeBaseOf(project, record));
}

function knowledgeBaseOf(project: string, record: z.infer<typeof knowledgeBaseRecord>): KnowledgeBase {
  return {
    name: record.name,
    project,
    createdAt: record.created_at || undefined,
    embeddingModel: record.embedding_model?.model_name || undefined,
    rerankingModel: record.reranking_model?.model_name || undefined,
  };
}

export function readNames(body: unknown): readonly string[] {
  return parse(z.array(namedRecord), body).map(({ name }) => name);
}

export function readDataSources(body: unknown): readonly string[] {
  return parse(z.array(databaseRecord), body)
    .filter(({ type, engine }) => type === "data" && !vectorEngines.has(engine ?? ""))
    .map(({ name }) => name);
}

export function readPlainAnswer(body: unknown): string {
  return parse(z.object({ message: z.object({ content: z.string().nullish() }) }), body).message.content ?? "";
}

export function agentBody(project: string, draft: Partial<AgentDraft>): Readonly<Record<string, unknown>> {
  const { name, model, tables, knowledgeBases, promptTemplate } = draft;
  const data = {
    tables,
    knowledge_bases: knowledgeBases?.map((base) => (base.includes(".") ? base : `${project}.${base}`)),
  };
  const modelBody = { provider: model?.provider, model_name: model?.name, api_key: model?.apiKey };
  return given({ name, model: unlessEmpty(modelBody), data: unlessEmpty(data), prompt_template: promptTemplate });
}

/** What is absent stays as the service has it. */
function given(body: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

function unlessEmpty(body: object): Readonly<Record<string, unknown>> | undefined {
  const known = given(body);
  return Object.keys(known).length === 0 ? undefined : known;
}

/**
 * Merges a changed model into the service's current one, including its key. Both generations replace the whole object,
 * so a change without the key would delete it. `before` is the service's own record.
 */
export function wholeModel(before: unknown, change: unknown): unknown {
  const record = z.object({ model: z.record(z.string(), z.unknown()) }).safeParse(before);
  if (!record.success || typeof change !== "object") return change;
  const { api_key: key, ...rest } = record.data.model;
  const isKey = typeof key === "string" && key !== "" && !/^\*+$/.test(key);
  return { ...rest, ...(isKey ? { api_key: key } : {}), ...change };
}

/** The API keys in a request body, so that errors can be redacted whatever the keys look like. */
export function keysIn(body: unknown): readonly string[] {
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    name === "api_key" && typeof value === "string" ? [value] : keysIn(value),
  );
}

export function knowledgeBaseBody(draft: KnowledgeBaseDraft): Readonly<Record<string, unknown>> {
  const modelBody = (model: ModelDraft | undefined) =>
    model && { provider: model.provider, model_name: model.modelName, api_key: model.apiKey };
  return {
    name: draft.name,
    embedding_model: modelBody(draft.embeddingModel),
    reranking_model: modelBody(draft.rerankingModel),
  };
}

export function insertBody(what: Insert, filters?: CrawlFilter): Readonly<Record<string, unknown>> {
  // A depth without a limit crawls one page, and a limit of 0 or less none or one. So a limit is always sent along.
  const limit = what.limit ?? (what.crawlDepth === undefined ? undefined : (what.urls?.length ?? 1));
  return {
    rows: what.rows,
    query: what.query,
    files: what.files,
    urls: what.urls,
    limit: limit === undefined ? undefined : Math.max(1, limit),
    crawl_depth: what.crawlDepth,
    filters,
  };
}

/** Throws service_not_understood. Its cause says where the body is unexpected, never what was there. */
function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const where = result.error.issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.code}`).join(", ");
  throw new ParleyError("service_not_understood", { cause: new Error(`Unexpected answer: ${where}`) });
}
