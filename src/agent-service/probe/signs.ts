/** What in a response tells which server sent it. Pure; nothing is believed that any web server might answer. */
import { isObject, parseJson } from "../../core/tools/parse-json.ts";
import type { Looked } from "../http/request.ts";

/** `/api/status` of mindsdb. Its version, undefined if it is something else. */
export function mindsdbVersion({ status, body }: Looked): string | undefined {
  const answer = status === 200 ? parseJson(body) : undefined;
  return isObject(answer) && typeof answer["mindsdb_version"] === "string"
    ? versionOf(answer["mindsdb_version"])
    : undefined;
}

/** The list of projects, for a service that has mindsdb's API but not its undocumented `/api/status`. */
export function isProjectList({ status, body }: Looked): boolean {
  const answer = status === 200 ? parseJson(body) : undefined;
  return Array.isArray(answer) && answer.length > 0 && answer.every((one) => isObject(one) && isText(one["name"]));
}

/** `/api/v1/health/` of cowork-server. */
export function coworkVersion({ status, body }: Looked): string | undefined {
  const answer = status === 200 ? parseJson(body) : undefined;
  if (!isObject(answer) || !("anton_available" in answer || "config_ready" in answer)) return undefined;
  return versionOf(answer["server_version"] ?? answer["anton_version"]);
}

export function isModelList({ status, body }: Looked): boolean {
  const answer = status === 200 ? parseJson(body) : undefined;
  return isObject(answer) && Array.isArray(answer["data"]);
}

export function isAliveLitellm({ status, body }: Looked): boolean {
  return status === 200 && parseJson(body) === "I'm alive!";
}

export function litellmVersion({ header }: Looked): string {
  return versionOf(header("x-litellm-version"));
}

export function isOpenAi({ header }: Looked): boolean {
  return header("openai-version") !== undefined;
}

/** Asks for a key or refuses the one that was sent. LiteLLM without a database answers a wrong one with 400. */
export function wantsLogin({ status, body }: Looked): boolean {
  if (status === 401 || status === 403) return true;
  const answer = status === 400 ? parseJson(body) : undefined;
  const error = isObject(answer) ? answer["error"] : undefined;
  return isObject(error) && error["type"] === "no_db_connection";
}

const absent: ReadonlySet<number> = new Set([401, 403, 404, 405, 501]);

/** Whether the answer to a body that can't be read comes from something that reads bodies there. */
export function isRoute({ status, body }: Looked): boolean {
  return status >= 400 && !absent.has(status) && isObject(parseJson(body));
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

/** Shown and logged, so nothing but what versions are made of. */
function versionOf(value: unknown): string {
  return typeof value === "string" && /^[\w.+-]{1,40}$/.test(value) ? value : "";
}
