/** Requests to cowork-server beside asking: whether a run is under way, cancelling, reading, deleting. */

import { ParleyError } from "../../../core/errors.ts";
import type { Agent, CancelOutcome } from "../../../core/ports/agent-service.ts";
import { isObject } from "../../../core/tools/parse-json.ts";
import type { Http, HttpRequest } from "../../http/request.ts";

export type InFlight = {
  readonly isRunning: boolean;
  /** Events of the newest run can still be read. */
  readonly hasEvents: boolean;
};

export type Health = {
  readonly version: string;
  /** Why it can't answer; undefined if it can. */
  readonly problem?: string;
  readonly agent: string;
  readonly model: string;
};

const maxNameChars = 200;
/** Before keys are taken out of it. */
const maxProblemChars = 20_000;

export function createCalls(http: Http, statusMs: number) {
  async function found(request: HttpRequest): Promise<unknown> {
    try {
      return (await http.json(request)) ?? {};
    } catch (thrown) {
      if (thrown instanceof ParleyError && thrown.code === "resource_not_found") return undefined;
      throw thrown;
    }
  }

  return {
    /** Whether it still has the conversation. An unknown id would begin one, silently. */
    knows: async (conversation: string, signal?: AbortSignal): Promise<boolean> => {
      const path = `/conversations/${encodeURIComponent(conversation)}`;
      return (await found({ method: "GET", path, subject: "run", signal })) !== undefined;
    },
    inFlight: async (conversation: string, signal?: AbortSignal): Promise<InFlight> => {
      const path = `/responses/in-flight?conversation_id=${encodeURIComponent(conversation)}`;
      const state = await found({ method: "GET", path, subject: "run", signal });
      if (!isObject(state)) return { isRunning: false, hasEvents: false };
      return { isRunning: state["in_flight"] === true, hasEvents: state["has_buffer"] === true };
    },
    cancel: async (conversation: string, signal?: AbortSignal): Promise<CancelOutcome> => {
      const json = { conversation_id: conversation };
      const path = "/responses/cancel";
      const outcome = await found({ method: "POST", path, subject: "run", json, signal, limitMs: statusMs });
      if (!isObject(outcome)) return "unknown";
      // null: it was stopped. The stream closes without an event.
      return outcome["cancelled"] === false ? "over" : "cancelled";
    },
    deleteConversation: async (conversation: string): Promise<void> => {
      const path = `/conversations/${encodeURIComponent(conversation)}`;
      await found({ method: "DELETE", path, subject: "run" });
    },
    // Without the trailing slash it redirects to whatever the Host header says.
    projects: async (): Promise<readonly string[]> => {
      const listed = await http.json({ method: "GET", path: "/projects/", subject: "project" });
      if (!Array.isArray(listed)) {
        throw new ParleyError("service_not_understood", { cause: new Error("The list of projects isn't one.") });
      }
      const names = listed.map((project) => (isObject(project) ? textOf(project["name"]) : ""));
      return names.filter((name) => name !== "");
    },
    health: async (signal?: AbortSignal): Promise<Health> => {
      const health = await http.json({ method: "GET", path: "/health/", subject: "status", limitMs: statusMs, signal });
      if (!isObject(health)) {
        throw new ParleyError("service_not_understood", {
          cause: new Error("The health of cowork-server isn't JSON."),
        });
      }
      const read = {
        version: textOf(health["server_version"]) || textOf(health["anton_version"]),
        agent: textOf(health["mode"]) || "cowork",
        model: textOf(health["model"]),
      };
      return health["config_ready"] === false
        ? { ...read, problem: textOf(health["config_error"], maxProblemChars) }
        : read;
    },
  };
}

/** The server has one agent for everything; a request can't choose a model. */
export function agentOf(project: string, { agent, model }: Health): Agent {
  const named = model === "" ? {} : { model: { name: model, hasKey: false } };
  return { name: agent, project, ...named, tables: [], knowledgeBases: [] };
}

function textOf(value: unknown, maxChars = maxNameChars): string {
  return typeof value === "string" ? value.slice(0, maxChars) : "";
}
