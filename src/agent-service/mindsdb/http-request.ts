/**
 * One request to the agent service, and the settings of the connection it goes over.
 */
import type { Clock } from "../../ports/clock.ts";
import type { ErrorCode } from "../../ports/errors.ts";
import type { Subject } from "./problem.ts";
import type { Multipart } from "./resources/upload.ts";

export type ProxySettings = { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string };

export type LoginOptions = {
  readonly token?: string;
  readonly user?: string;
  readonly password?: string;
};

export type HttpOptions = LoginOptions & {
  readonly baseUrl: string;
  readonly userAgent: string;
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
  /** Keys in it, which no error may repeat. */
  readonly secrets?: readonly string[];
  readonly multipart?: Multipart;
  readonly accept?: string;
  /** Of the whole exchange; the request limit when absent. */
  readonly limitMs?: number;
  /** What a limit that ran out means. */
  readonly onLimit?: ErrorCode;
  readonly signal?: AbortSignal | undefined;
};
