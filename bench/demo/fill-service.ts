/** Creates the company's agents and knowledge bases in the built-in service of a folder. */
import { createAgentService } from "../../src/agent-service/agent-service.ts";
import { startBuiltInService } from "../../src/built-in-service.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Log } from "../../src/ports/log.ts";
import { agents, bases, project } from "./company.ts";
import { documentsOf } from "./records.ts";

export async function fillService(folder: string, untilMs: number, clock: Clock, log: Log): Promise<void> {
  const readPages = async function* () {};
  const service = await startBuiltInService({ dataDir: folder, project, readPages, clock, log });
  const client = createAgentService({ kind: "mindsdb", baseUrl: service.url, token: service.token, clock, log });
  try {
    for (const { name } of Object.values(bases)) {
      await client.createKnowledgeBase(project, { name });
      const rows = documentsOf(untilMs).flatMap(({ document, row }) => (document.knowledgeBase === name ? [row] : []));
      await client.insert(project, name, { rows });
    }
    for (const { name, bases: knowledgeBases } of agents) {
      await client.createAgent(project, { name, knowledgeBases: [...knowledgeBases] });
    }
  } finally {
    await client.close();
    await service.close();
  }
}
