/** What the built-in service needs of a language model: it writes a reply in pieces, or fails for a known reason. */
import type { Tokens } from "../../../core/model/tokens.ts";
import type { Picture } from "../../../core/ports/agent-service.ts";

export type ModelMessage = {
  readonly role: "user" | "assistant";
  readonly text: string;
  /** Of the question. */
  readonly pictures?: readonly Picture[];
};

export type ModelRequest = {
  /** The agent's own model. The default writes where this is absent, or the endpoint doesn't list it. */
  readonly model?: string;
  readonly instructions: string;
  /** Oldest first; the last one is the user's. */
  readonly messages: readonly ModelMessage[];
  readonly signal: AbortSignal;
};

export type ModelPiece =
  /** The model is busy and is asked again after `forMs`. Absent: it is asked again now. */
  | { readonly type: "waiting"; readonly forMs?: number }
  /** The next piece of the reply. */
  | { readonly type: "text"; readonly text: string }
  /** The whole reply, in the place of all pieces before it. `cut`: why the model ended it early. */
  | { readonly type: "whole"; readonly text: string; readonly cut?: "length" | "filter" }
  /** It takes no pictures, or refused these, and was asked without them. */
  | { readonly type: "pictures-refused"; readonly of: "any" | "these" }
  /** What it read and wrote. */
  | { readonly type: "usage"; readonly tokens: Tokens };

export type LanguageModel = {
  /** For people; the status of the service names it. */
  readonly name: string;
  /** Throws ModelFailure, or the signal's reason. */
  readonly write: (request: ModelRequest) => AsyncIterable<ModelPiece>;
  /** Limit for all replies to one question, so that a client still gets what was found. */
  readonly limitMs: number;
};

export type FailureReason =
  /** Not reached, or it reports a failure of its own. */
  | "down"
  | "busy"
  /** The key, the model's name or the request was refused. */
  | "refused"
  | "too-long"
  | "slow"
  /** The connection ended in the middle of the reply. */
  | "cut"
  | "filtered"
  /** It called a tool, and has none. */
  | "missing-tool"
  | "too-large"
  | "empty"
  | "searching"
  /** Anything that is no reply. */
  | "unusable";

export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
  readonly reason: FailureReason;
  /** How long it stays busy, if it says so. */
  readonly retryAfterMs: number | undefined;

  constructor(reason: FailureReason, cause?: unknown, retryAfterMs?: number) {
    super(`The language model failed: ${reason}`, { cause });
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}
