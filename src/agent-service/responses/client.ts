/**
 * Client for servers of the Responses API: OpenAI, LiteLLM, cowork-server and others. Most keep nothing, so
 * every run brings its history; cowork-server keeps conversations.
 */
import type { AgentService } from "../../core/ports/agent-service.ts";
import type { DialectOptions } from "../dialect.ts";
import { createConnection } from "./connection.ts";
import { createCoworkService } from "./cowork/service.ts";
import { profileOf } from "./profile.ts";
import { createStandardService } from "./standard.ts";

export function createResponsesService(options: DialectOptions): AgentService {
  const profile = profileOf(options.server, options.maxRuns);
  const isCowork = profile.generation === "cowork";
  const connection = createConnection(options, isCowork);
  return isCowork ? createCoworkService(connection, profile, options.log) : createStandardService(connection, profile);
}
