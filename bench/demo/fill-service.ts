/** Creates the company's agents and knowledge bases in the built-in service of a folder. */
import { startBuiltInService } from "../../src/agent-service/built-in/start-service.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { Log } from "../../src/core/ports/log.ts";
import { agents, bases, project } from "./company.ts";
import { rowsOf } from "./records.ts";

export async function fillService(folder: string, clock: Clock, log: Log): Promise<void> {
  const service = await startBuiltInService({ dataDir: folder, project, clock, log });
  try {
    for (const { name } of Object.values(bases)) {
      await service.createKnowledgeBase(project, { name });
      await service.insert(project, name, { rows: rowsOf(name) });
    }
    for (const { name, bases: knowledgeBases } of agents) {
      await service.createAgent(project, { name, knowledgeBases: [...knowledgeBases] });
    }
  } finally {
    await service.close();
  }
}
