/** Servers of each kind, as far as they tell what they are: some answer as recorded. */
import type { ServerResponse } from "node:http";
import { type Answer, json } from "../real-server.ts";

type Route = (response: ServerResponse, asked: Parameters<Answer>[0]) => void;
export type Routes = Readonly<Record<string, Route>>;

/** Anything else is answered as FastAPI does. */
export function routed(routes: Routes): Answer {
  return (asked, response) => {
    const route = routes[`${asked.method} ${asked.path}`];
    if (route === undefined) json(response, 404, { detail: "Not Found" });
    else route(response, asked);
  };
}

export const gives =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Route =>
  (response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    json(response, status, body);
  };

export const models = gives(200, { object: "list", data: [{ id: "support", object: "model" }] });
/** What servers say of a body that isn't JSON. */
export const unreadable = gives(400, { error: { message: "Invalid JSON payload", type: "invalid_request_error" } });

export const mindsdb = {
  "GET /api/status": gives(200, { mindsdb_version: "25.9.1.2", environment: "local", auth: {} }),
  "GET /api/projects/": gives(200, [{ name: "mindsdb" }]),
};
export const bareMindsdb = { "GET /api/projects/": gives(200, [{ name: "mindsdb" }]) };
export const cowork = {
  "GET /api/v1/health/": gives(200, {
    status: "ok",
    anton_available: true,
    server_version: null,
    anton_version: "2.26.8.2.1",
    config_ready: true,
    config_error: null,
  }),
};
export const litellm = {
  "GET /v1/models": models,
  "GET /health/liveliness": gives(200, "I'm alive!"),
  "GET /v1/responses/none": gives(400, { error: {} }, { "x-litellm-version": "1.106.2" }),
  "POST /v1/responses": unreadable,
  "POST /v1/chat/completions": unreadable,
};
export const responsesOnly = { "POST /v1/responses": unreadable };
export const chatAlone = { "GET /v1/models": models, "POST /v1/chat/completions": unreadable };
