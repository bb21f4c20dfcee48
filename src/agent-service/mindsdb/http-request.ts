/** Types of a request to the agent service and of the connection's settings. */
import type { Clock } from "../../ports/clock.ts";
import type { ErrorCode } from "../../ports/errors.ts";
import type { Subject } from "./problem.ts";
import type { Multipart } from "./resources/upload.ts";

export type ProxySettings = { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string };

export type HttpOptions = {
  readonly baseUrl: string;
  readonly token?: string;
  readonly user?: string;
  readonly password?: string;
  readonly connectMs: number;
  readonly requestMs: number;
  readonly clock: Clock;
  readonly proxy?: ProxySettings;
};

export type HttpRequest = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly subject: Subject;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** API keys in the body; errors must not repeat them. */
  readonly secrets?: readonly string[];
  readonly multipart?: Multipart;
  readonly accept?: string;
  /** Limit of the whole exchange; `requestMs` when absent. */
  readonly limitMs?: number;
  /** Error code when the limit is reached; service_busy when absent. */
  readonly onLimit?: ErrorCode;
  readonly signal?: AbortSignal | undefined;
};
