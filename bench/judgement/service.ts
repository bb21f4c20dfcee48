/** The embedded service with the knowledge bases of this folder, each of them read by an agent of its own. */

import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  type LocalService,
  type LocalServiceOptions,
  startLocalService,
} from "../../src/agent-service/built-in/local-service.ts";
import { connectModel } from "../../src/agent-service/built-in/model/local-model.ts";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { createReadingNotes } from "../../src/knowledge/rows/reading-notes.ts";
import { readRows } from "../../src/knowledge/rows/rows.ts";
import { startEndpoints } from "./endpoints.ts";

export type Exchange = { readonly question: string; readonly answer: string };

/** `grade`: the service's own. */
export type Answered = { readonly text: string; readonly grade: string | undefined };

export type Judged = {
  readonly service: LocalService;
  /** Asks the agent of a knowledge base; the last message is the question. */
  readonly ask: (base: string, messages: readonly Exchange[]) => Promise<Answered>;
  readonly close: () => Promise<void>;
};

export type Models = Pick<LocalServiceOptions, "model" | "embedder" | "reranker">;

export const project = "mindsdb";
const folder = join(import.meta.dirname, "knowledge");
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const limits = { silenceMs: 60_000, runMs: 120_000 };

/** With the scripted language, embedding and rerank models, or with those given. */
export async function startJudged(given: boolean | Models = false): Promise<Judged> {
  const dataDir = await mkdtemp(join(tmpdir(), "judgement-"));
  const endpoints = given === true ? await startEndpoints() : undefined;
  const connected =
    endpoints && connectModel(configOf(endpoints.url, { embeddingModel: "scripted", rerankModel: "scripted" }), clock);
  const scripted = connected && { ...connected, endpoint: undefined, close: undefined };
  const models = typeof given === "boolean" ? scripted : given;
  const local = await startLocalService({ clock, log: quiet, stepDelayMs: 0, dataDir, ...models });
  for (const name of readdirSync(folder)) {
    const base = nameOf(name);
    await local.createKnowledgeBase(project, { name: base });
    for (const file of readdirSync(join(folder, name)))
      await local.insert(project, base, { rows: await rowsOf(name, file) });
    await local.createAgent(project, { name: base, knowledgeBases: [base] });
  }
  const ask: Judged["ask"] = async (base, messages) => {
    let answered: Answered = { text: "", grade: undefined };
    for await (const event of local.ask(project, nameOf(base), messages))
      if (event.type === "answer") answered = { text: event.text, grade: event.grade };
    return answered;
  };
  if (models?.embedder !== undefined) await ready(local, ask);
  return {
    service: local,
    ask,
    close: async () => {
      await local.close();
      await connected?.close();
      await endpoints?.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

export function configOf(
  url: string,
  models: { readonly embeddingModel: string; readonly rerankModel?: string },
): Parameters<typeof connectModel>[0] {
  const localModel = { url, name: "scripted", ...models };
  return { localModel, serviceLimits: limits, proxy: undefined } as unknown as Parameters<typeof connectModel>[0];
}

/** All passages have an embedding, and all knowledge bases know from which score on a passage answers. */
async function ready(local: LocalService, ask: Judged["ask"]): Promise<void> {
  const isEmbedded = () => !local.notices().some((notice) => notice.includes("have an embedding"));
  const areMeasured = () => local.notices().length >= readdirSync(folder).length;
  while (!isEmbedded()) await pause(50);
  for (const name of readdirSync(folder)) await ask(name, [{ question: "Which rules are there?", answer: "" }]);
  while (!areMeasured()) await pause(50);
}

/** As Parley adds an attached file. */
async function rowsOf(base: string, file: string) {
  const content = readFileSync(join(folder, base, file));
  const format = file.endsWith(".csv") ? "csv" : "text";
  const source = async function* () {
    yield content;
  };
  const rows = readRows(source, { format, title: file, textId: file }, createReadingNotes());
  return Array.fromAsync(rows);
}

/** Names of the service are words. */
export function nameOf(base: string): string {
  return base.replaceAll("-", "_");
}
