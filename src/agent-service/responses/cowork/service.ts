/** cowork-server as an agent service: one agent, projects, and conversations that it keeps. */

import { ParleyError } from "../../../core/errors.ts";
import type { AgentService, ServiceProfile } from "../../../core/ports/agent-service.ts";
import type { Log } from "../../../core/ports/log.ts";
import { redactInternals, redactSecrets } from "../../http/redaction.ts";
import { createModels } from "../../openai/models.ts";
import type { Connection } from "../connection.ts";
import { agentOf, createCalls } from "./calls.ts";
import { createCoworkRuns } from "./runs.ts";

const maxLoggedChars = 200;

export function createCoworkService(connection: Connection, profile: ServiceProfile, log: Log): AgentService {
  const { http, limits, secrets, decoder, stream } = connection;
  const calls = createCalls(http, limits.statusMs);
  const ask = createCoworkRuns({ calls, log, stream, decoder });
  let problemLogged = "";
  let agentName: string | undefined;

  /** A request can't name an agent: the server would answer as whichever it has. */
  async function checkAgent(name: string, signal?: AbortSignal): Promise<void> {
    if (name === agentName) return;
    agentName = (await calls.health(signal)).agent;
    if (name !== agentName) throw new ParleyError("agent_not_found");
  }

  /** Without a model it answers every question with a failure. */
  function logProblem(problem: string | undefined): void {
    if (problem !== undefined && problem !== problemLogged) {
      log.warn(
        { said: redactInternals(redactSecrets(problem, secrets)).slice(0, maxLoggedChars) },
        "The agent service is not configured yet",
      );
    }
    problemLogged = problem ?? "";
  }

  return {
    ...createModels(http.json),
    profile: async () => profile,
    status: async (signal) => {
      const { problem, version } = await calls.health(signal);
      logProblem(problem);
      return version === "" ? profile : { ...profile, version };
    },
    listProjects: calls.projects,
    listAgents: async (project) => [agentOf(project, await calls.health())],
    getAgent: async (project, name) => {
      const agent = agentOf(project, await calls.health());
      if (agent.name !== name) throw new ParleyError("agent_not_found");
      return agent;
    },
    ask: async function* (project, agent, messages, asked) {
      await checkAgent(agent, asked?.signal);
      yield* ask(project, messages, asked);
    },
    /** The text of a streamed run, in a conversation of its own. */
    askPlain: async (project, agent, messages, asked) => {
      await checkAgent(agent, asked?.signal);
      let text = "";
      let conversation: string | undefined;
      try {
        for await (const event of ask(project, messages, { signal: asked?.signal })) {
          if (event.type === "answer-delta") text += event.text;
          else if (event.type === "answer") text = event.text;
          else if (event.type === "failed") throw event.error;
          else if (event.type === "thread") conversation = event.thread["conversation"];
        }
        return text;
      } finally {
        if (conversation !== undefined) calls.deleteConversation(conversation).catch(() => {});
      }
    },
    cancel: async (run, signal) => {
      const { conversation } = run;
      return conversation === undefined ? "unknown" : calls.cancel(conversation, signal);
    },
    forgetThread: async ({ conversation }) => {
      if (conversation !== undefined) await calls.deleteConversation(conversation);
    },
    close: http.close,
  };
}
