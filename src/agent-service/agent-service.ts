/** The client of the agent service, whichever dialect it speaks. */
import type { AgentService } from "../ports/agent-service.ts";
import type { DialectOptions } from "./dialect.ts";
import { createMindsdbService } from "./mindsdb/client.ts";

export { clearLeftUploads } from "./mindsdb/resources/upload.ts";
export { createServiceWithKnowledge, type Knowledge } from "./with-knowledge/service-with-knowledge.ts";

export type AgentServiceOptions = Omit<DialectOptions, "server">;

export function createAgentService(options: AgentServiceOptions): AgentService {
  return createMindsdbService(options);
}
