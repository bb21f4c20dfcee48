/** Types of a request to the agent service and of the connection's settings. */

import type { ErrorCode, ParleyError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Deadline } from "./deadline.ts";

export type ProxySettings = { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string };

/** A body that is sent as a multipart form. */
export type Multipart = {
  readonly contentType: string;
  readonly lengthBytes: number;
  /** A new iterable for each attempt. */
  readonly body: () => AsyncIterable<Uint8Array>;
};

/**
 * What the request was about: the same status means different things for different calls. "run": a run or a conversation
 * that the service keeps.
 */
export type Subject = "status" | "login" | "project" | "agent" | "run" | "knowledge-base" | "insert" | "file" | "sql";

export type HttpRequest = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly subject: Subject;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is, under the type of JSON. */
  readonly text?: string;
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

/** A response with any status but 2xx. */
export type Refusal = {
  readonly status: number;
  readonly body: string;
  readonly header: (name: string) => string | undefined;
  readonly subject: Subject;
  /** Must not appear in the error. */
  readonly secrets: readonly string[];
};

/** A response with any status. */
export type Looked = {
  readonly status: number;
  readonly body: string;
  readonly header: (name: string) => string | undefined;
};

/** Sends without a token and returns any status. */
export type Exchange = (
  request: HttpRequest,
  deadline: Deadline,
) => Promise<{ readonly status: number; readonly body: string }>;

export type Login = {
  readonly token: () => string | undefined;
  readonly canRenew: () => boolean;
  /** Returns a token other than `used`. Throws not_authorised when the service refuses. */
  readonly renew: (used: string | undefined) => Promise<string>;
  /** Every secret that must not appear in an error's cause. */
  readonly secrets: () => readonly string[];
};

export type HttpOptions = {
  readonly baseUrl: string;
  readonly connectMs: number;
  readonly requestMs: number;
  readonly clock: Clock;
  readonly proxy?: ProxySettings;
  /** How the dialect says what went wrong. */
  readonly errorOf: (refusal: Refusal) => ParleyError;
  readonly login: (exchange: Exchange) => Login;
};
