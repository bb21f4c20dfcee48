/** The embedded service with the knowledge bases of this folder, each of them read by an agent of its own. */

import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReadingNotes } from "../../src/knowledge/rows/reading-notes.ts";
import { readRows } from "../../src/knowledge/rows/rows.ts";
import { type LocalService, startLocalService } from "../../src/local-service/local-service.ts";
import { systemClock as clock } from "../../src/ports/tools/system-clock.ts";

export type Exchange = { readonly question: string; readonly answer: string };

export type Judged = {
  readonly service: LocalService;
  /** Asks the agent of a knowledge base; the last message is the question. */
  readonly ask: (base: string, messages: readonly Exchange[]) => Promise<string>;
  readonly close: () => Promise<void>;
};

export const project = "mindsdb";
const folder = join(import.meta.dirname, "knowledge");
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export async function startJudged(): Promise<Judged> {
  const dataDir = await mkdtemp(join(tmpdir(), "judgement-"));
  const service = await startLocalService({ clock, log: quiet, stepDelayMs: 0, dataDir });
  for (const name of readdirSync(folder)) {
    const base = nameOf(name);
    await service.createKnowledgeBase(project, { name: base });
    for (const file of readdirSync(join(folder, name)))
      await service.insert(project, base, { rows: await rowsOf(name, file) });
    await service.createAgent(project, { name: base, knowledgeBases: [base] });
  }
  return {
    service,
    ask: async (base, messages) => {
      let text = "";
      for await (const event of service.ask(project, nameOf(base), messages))
        if (event.type === "answer") text = event.text;
      return text;
    },
    close: async () => {
      await service.close();
      await rm(dataDir, { recursive: true });
    },
  };
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
