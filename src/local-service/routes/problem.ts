/** Error responses in both shapes of the API's other servers, so that clients can treat all alike. */
import { timestamp } from "../storage/database.ts";

export type ProblemStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 500;

export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: ProblemStatus;
  readonly title: string;
  readonly detail: string;

  constructor(status: ProblemStatus, title: string, detail: string) {
    super(`${status} ${title}: ${detail}`);
    this.status = status;
    this.title = title;
    this.detail = detail;
  }
}

/** Statuses for which the API's web framework sends plain JSON with a `message`; all others are problem+json. */
const plainStatuses: ReadonlySet<number> = new Set([405, 413, 415, 500]);

export function problemResponse(problem: Problem, nowMs: number): Response {
  const { status, title, detail } = problem;
  const isPlain = plainStatuses.has(status) || title === "Bad Request";
  return new Response(
    JSON.stringify({ title, detail, ...(isPlain ? { message: detail } : { timestamp: timestamp(nowMs) }) }),
    {
      status,
      headers: { "content-type": isPlain ? "application/json" : "application/problem+json" },
    },
  );
}

export const problems = {
  unknownPath: () =>
    new Problem(404, "Not found", "The endpoint you are trying to access does not exist on the server."),
  wrongMethod: () => new Problem(405, "Method Not Allowed", "The method is not allowed for the requested URL."),
  badRequest: () =>
    new Problem(400, "Bad Request", "The browser (or proxy) sent a request that this server could not understand."),
  notJson: () =>
    new Problem(
      415,
      "Unsupported Media Type",
      "Did not attempt to load JSON data because the request Content-Type was not 'application/json'.",
    ),
  tooLarge: () =>
    new Problem(413, "Request Entity Too Large", "The data value transmitted exceeds the capacity limit."),
  unauthorised: () => new Problem(401, "Unauthorized", "Authorization is required to complete the request"),
  foreign: () => new Problem(403, "Forbidden", "This service accepts requests only from programs on the same machine."),
  missing: (parameter: string, method: string) =>
    new Problem(400, "Missing parameter", `Must provide "${parameter}" parameter in ${method} body`),
  noProject: (name: string) => new Problem(404, "Project not found", `Project with name ${name} does not exist`),
  noAgent: (name: string) => new Problem(404, "Agent not found", `Agent with name ${name} does not exist`),
  agentExists: (name: string) =>
    new Problem(409, "Agent already exists", `Agent with name ${name} already exists. Please choose a different one.`),
  noAgentToChange: () =>
    new Problem(400, "Creation is not allowed", "Creation of an agent using the PUT method is not allowed."),
  noBase: (name: string) =>
    new Problem(404, "Knowledge Base not found", `Knowledge Base with name ${name} does not exist`),
  baseExists: (name: string) =>
    new Problem(409, "Knowledge Base already exists", `Knowledge Base with name ${name} already exists`),
  modelFailed: (why: string) => new Problem(500, "Model failed", why),
  insertFailed: (why: string) =>
    new Problem(400, "Preprocessing Error", `Error during preprocessing and insertion: ${why}`),
} as const;
