/** A local service for one test. */
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { readProjectDocuments } from "../../../src/agent-service/built-in/answering/documents.ts";
import {
  type LocalService,
  type LocalServiceOptions,
  startLocalService,
} from "../../../src/agent-service/built-in/local-service.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import type { AgentService } from "../../../src/core/ports/agent-service.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { project } from "../../doubles/people.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

export const documentsFolder = join(import.meta.dirname, "documents");
export const docsBaseUrl = "http://127.0.0.1:3000/docs/";

export type Running = {
  readonly client: LocalService;
  readonly dataDir: string;
  /** Every log line, as text. */
  readonly logged: string[];
  readonly close: () => Promise<void>;
};

export async function running(options: Partial<LocalServiceOptions> = {}): Promise<Running> {
  const dataDir = options.dataDir ?? (await temporaryFolder("local-service"));
  const logged: string[] = [];
  const write = (fields: object, message: string) => {
    logged.push(`${message} ${JSON.stringify(fields, (_, value) => (value instanceof Error ? value.message : value))}`);
  };
  const log = { debug: write, info: write, warn: write, error: write };
  const client = await startLocalService({ clock: systemClock, log, stepDelayMs: 0, ...options, dataDir });
  onTestFinished(client.close);
  return { client, dataDir, logged, close: client.close };
}

/** With the documents of the folder beside this file in its knowledge base. */
export async function runningWithDocuments(options: Partial<LocalServiceOptions> = {}): Promise<Running> {
  const docs = await readProjectDocuments({ root: documentsFolder, baseUrl: docsBaseUrl });
  return running({ docs, ...options });
}

export type Answered = {
  readonly text: string;
  readonly events: readonly AgentEvent[];
  readonly urls: readonly string[];
};

/** Asks with what was asked and answered before. */
export async function ask(
  client: AgentService,
  question: string,
  before: readonly { question: string; answer: string }[] = [],
  agent = "guide",
): Promise<Answered> {
  const events: AgentEvent[] = [];
  for await (const event of client.ask(project, agent, [...before, { question, answer: "" }])) events.push(event);
  const answer = events.findLast((event) => event.type === "answer");
  const urls = events.flatMap((event) =>
    event.type === "step-finished" ? event.sources.map((source) => source.url ?? "") : [],
  );
  return { text: answer?.text ?? "", events, urls };
}
