/**
 * Built-in agent service, so that Parley works without any account: agents and knowledge bases in one file, over
 * full-text search. Without a model it quotes.
 */
import { join } from "node:path";
import { settingsSchema } from "../../config/settings.ts";
import { type ErrorCode, ParleyError } from "../../core/errors.ts";
import type { AgentService, FileUpload } from "../../core/ports/agent-service.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import { makeFolder } from "../../core/tools/make-folder.ts";
import { documentsOf } from "../listed-documents.ts";
import { type ProjectDocument, updateDocuments } from "./answering/documents.ts";
import { covers } from "./answering/finding.ts";
import { readWordsToFind } from "./answering/question.ts";
import { documentOf, sourceOf } from "./answering/steps.ts";
import { createCalls } from "./calls.ts";
import { createCombinedSearch } from "./embedding/combined-search.ts";
import type { Embedder, Reranker } from "./embedding/embedder.ts";
import { startEmbeddings } from "./embedding/embeddings.ts";
import { createReranking } from "./embedding/reranking.ts";
import type { LanguageModel } from "./model/language-model.ts";
import { createModelHealth } from "./model/model-health.ts";
import { localProfile } from "./profile.ts";
import { createRuns } from "./runs.ts";
import { databaseName } from "./storage/database.ts";
import { insertContent, type ReadPages } from "./storage/insert.ts";
import { agentFields, agentOf, baseOf, boundBases, checkName } from "./storage/records.ts";
import type { Stored } from "./storage/resource-store.ts";
import { openStore, type Store } from "./storage/store.ts";
import { readUploadedFile } from "./storage/uploaded-file.ts";

export type LocalServiceOptions = {
  /** Folder of local-service.db; created if needed. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Parley's own documents (readProjectDocuments), for the knowledge base `docs` and the agent `guide`. */
  readonly docs?: readonly ProjectDocument[];
  /** Reads web pages for `urls`; without it `urls` are refused. */
  readonly readPages?: ReadPages;
  /** Writes the answers from the passages found; without it they are quoted. */
  readonly model?: LanguageModel;
  /** Finds passages by meaning too; without it by words alone. */
  readonly embedder?: Embedder;
  /** Orders the passages found, and says which ones answer. */
  readonly reranker?: Reranker;
  /** Its only project. Default: as in the settings. */
  readonly project?: string;
  /** AGENT_MAX_RUNS. */
  readonly maxRuns?: number;
  /** Limit of one insert. Default: as in the settings. */
  readonly insertMs?: number;
  /** Pause before each event of an answer. Default 350. */
  readonly stepDelayMs?: number;
};

/** `close` ends all runs and inserts, and closes the database. */
export type LocalService = AgentService & {
  /** What admins should know, one sentence each. */
  readonly notices: () => readonly string[];
  /** As `covers`, of knowledge bases by their names; those that don't exist are left out. */
  readonly coversIn: (
    project: string,
    knowledgeBases: readonly string[],
    asked: { readonly question: string; readonly lastSources?: readonly string[] },
    signal?: AbortSignal,
  ) => Promise<boolean>;
};

const defaults = settingsSchema.parse({});
const maxFileBytes = 64 * 1024 * 1024;

/** Throws state_unavailable if the database can't be used. */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const { clock, log, model, embedder, reranker, readPages } = options;
  const { project = defaults.project, insertMs = defaults.serviceLimits.insertMs } = options;
  await makeFolder(options.dataDir);
  const opened = openStore(join(options.dataDir, databaseName), clock.now);
  try {
    if (await updateDocuments(opened, project, options.docs ?? [])) {
      log.debug({ documents: options.docs?.length }, "The built-in service has updated its documents");
    }
  } catch (thrown) {
    opened.close();
    throw thrown;
  }
  const closing = new AbortController();
  const ofVectors = { store: opened.embeddings, clock, log, signal: closing.signal };
  const embeddings = embedder && startEmbeddings({ embedder, ...ofVectors });
  const insertPassages: Store["passages"]["insert"] = async (...given) => {
    await opened.passages.insert(...given);
    embeddings?.added();
  };
  const store: Store = { ...opened, passages: { ...opened.passages, insert: insertPassages } };
  const { agents, bases, files, passages } = store;
  const { call, inProject } = createCalls({ project, closing: closing.signal, log });
  const health = createModelHealth(clock, "The language model");
  const rerankHealth = createModelHealth(clock, "The rerank model");
  const ofReranking = { health: rerankHealth, clock, log, signal: closing.signal };
  const reranking = reranker && createReranking({ reranker, ...ofReranking });
  const { find, floor, measured } = createCombinedSearch({ store, embeddings, reranking, clock, log });
  const failing = () => [health.failing(), rerankHealth.failing()].filter((one) => one !== undefined).join(" ");
  const runs = createRuns({ ...options, project, health, store, find, closing: closing.signal });
  const profile = () => call(() => localProfile(model !== undefined, options.maxRuns, failing() || undefined));

  const baseNamed = (name: string): Stored => found(bases.get(name), "knowledge_base_not_found");

  const insert: AgentService["insert"] = async (where, name, what, given) => {
    const late = new AbortController();
    const inTime = clock.after(insertMs, () => late.abort(new ParleyError("service_busy")));
    try {
      const signals = given === undefined ? [late.signal] : [late.signal, given];
      await inProject(
        where,
        (signal) => insertContent({ store, readPages, signal }, baseNamed(name), what),
        AbortSignal.any(signals),
      );
    } catch (thrown) {
      throw late.signal.aborted ? late.signal.reason : thrown;
    } finally {
      inTime();
    }
  };

  return {
    profile,
    status: profile,
    listProjects: () => call(() => [project]),
    listDataSources: () => call(() => []),

    listAgents: (where) => inProject(where, () => agents.list().map((agent) => agentOf(project, agent))),
    getAgent: (where, name) => inProject(where, () => agentOf(project, found(agents.get(name), "agent_not_found"))),
    createAgent: (where, draft) =>
      inProject(where, () => {
        checkName(draft.name);
        return agentOf(project, found(agents.create(draft.name, agentFields(project, {}, draft)), "name_taken"));
      }),
    updateAgent: (where, name, changes) =>
      inProject(where, () => {
        const agent = found(agents.get(name), "agent_not_found");
        const { name: newName = name } = changes;
        checkName(newName);
        const changed = agents.update(agent.id, newName, agentFields(project, agent.fields, changes));
        return agentOf(project, found(changed, "name_taken"));
      }),
    deleteAgent: (where, name) =>
      inProject(where, () => {
        const agent = agents.get(name);
        if (agent !== undefined) agents.remove(agent.id);
      }),

    listKnowledgeBases: (where) => inProject(where, () => bases.list().map((base) => baseOf(project, base))),
    getKnowledgeBase: (where, name) => inProject(where, () => baseOf(project, baseNamed(name))),
    // Models for embedding and reranking are the same for all knowledge bases.
    createKnowledgeBase: (where, { name }) =>
      inProject(where, () => {
        checkName(name);
        return baseOf(project, found(bases.create(name, {}), "name_taken"));
      }),
    deleteKnowledgeBase: (where, name) =>
      inProject(where, () => {
        const base = bases.get(name);
        if (base === undefined) return;
        return passages.deleteAll(base.id, () => bases.remove(base.id));
      }),
    insert,
    deleteRows: (where, name, rowIds) => inProject(where, () => passages.deleteRows(baseNamed(name).id, rowIds)),

    uploadFile: (name, file, signal) =>
      call(async () => {
        const rows = readUploadedFile(name.toLowerCase(), file.fileName, await bytesOf(file));
        if (!files.create(rows)) throw new ParleyError("name_taken");
      }, signal),
    listFiles: () => call(() => files.names()),
    deleteFile: (name) => call(() => files.remove(name.toLowerCase())),

    search: (where, name, words, limit, signal) =>
      inProject(
        where,
        async () => {
          const asked = readWordsToFind(words);
          const hits = await passages.search([baseNamed(name).id], asked, atLeastOne(limit));
          return hits.map((passage) => ({ content: passage.content, source: sourceOf(passage) }));
        },
        signal,
      ),
    readRows: (where, name, rowIds, limit, signal) =>
      inProject(
        where,
        () => passages.list(baseNamed(name).id, atLeastOne(limit), rowIds).map(({ content }) => content),
        signal,
      ),
    listDocuments: (where, name, limit, signal) =>
      inProject(where, () => documentsOf(passages.list(baseNamed(name).id, atLeastOne(limit)).map(documentOf)), signal),

    ...runs,
    covers: (where, name, asked, signal) =>
      inProject(
        where,
        () => covers(passages, boundBases(found(agents.get(name), "agent_not_found"), bases.list()).bases, asked),
        signal,
      ),
    coversIn: (where, names, asked, signal) =>
      inProject(
        where,
        () =>
          covers(
            passages,
            names.flatMap((name) => bases.get(name) ?? []),
            asked,
          ),
        signal,
      ),
    notices: () => [
      ...[embeddings?.notice()].filter((notice) => notice !== undefined),
      ...bases.list().flatMap(({ id, name }) => {
        const from = floor(id);
        return from === undefined ? [] : [`${name}: passages match from ${from.toFixed(2)}.`];
      }),
    ],
    close: async () => {
      closing.abort(new Error("The built-in service is closing."));
      await embeddings?.ended;
      await measured();
      store.close();
    },
  };
}

function found<T>(value: T | undefined, otherwise: ErrorCode): T {
  if (value === undefined) throw new ParleyError(otherwise);
  return value;
}

function atLeastOne(limit: number): number {
  return Math.max(1, Math.trunc(limit));
}

async function bytesOf({ content }: FileUpload): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of content) {
    size += part.length;
    if (size > maxFileBytes) throw new ParleyError("file_refused", { hint: "Use a file of at most 64 MB." });
    parts.push(part);
  }
  return Buffer.concat(parts);
}
