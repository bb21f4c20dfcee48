/** Helpers for the results that commands return. */

import { createHash } from "node:crypto";
import type { CommandResult } from "../core/commands.ts";
import type { Action, Block, Document } from "../core/document.ts";
import { logFailure, toParleyError } from "../core/errors.ts";
import type { Log } from "../core/ports/log.ts";
import { errorDocument, type ReaderOffer } from "../presentation/drawing.ts";

export function privately(document: Document): CommandResult {
  return { kind: "document", document };
}

/** Also for everyone, where nothing can be private: nothing personal, and nothing that the channel can't see. */
export function openly(document: Document): CommandResult {
  return privately({ ...document, isForEveryone: true });
}

/** The result, and below it what is left to decide. */
export function withOffer(result: CommandResult, offer: ReaderOffer | undefined): CommandResult {
  if (offer === undefined) return result;
  switch (result.kind) {
    case "document": {
      const { document } = result;
      const blocks = [...document.blocks, ...offer.sentences.map((text): Block => ({ kind: "text", text }))];
      const { action, actions: more = [] } = offer;
      const actions = [...document.actions, ...(action === undefined ? [] : [action]), ...more];
      return { kind: "document", document: { ...document, blocks, actions } };
    }
    case "working":
      return { ...result, result: result.result.then((last) => withOffer(last, offer)) };
    case "nothing":
      return result;
    default:
      return result satisfies never;
  }
}

/** A button that opens a command's form: "agent edit sales". */
export function formButton(label: string, command: string, style: Action["style"] = "primary"): Action {
  return { id: "open-form", label, value: command, style };
}

/** Shows `document` while `work` runs. Errors are shown, never thrown. */
export function working(document: Document, log: Log, work: () => Promise<CommandResult>): CommandResult {
  const guarded = async (): Promise<CommandResult> => {
    try {
      return await work();
    } catch (failure) {
      const error = toParleyError(failure);
      logFailure(log, error, {}, "A command failed while it was working");
      return privately(errorDocument(error));
    }
  };
  return { kind: "working", document, result: guarded() };
}

/** `what`: the operation; `content`: the submitted values, kept as a digest because they may contain a key. */
export type Once = (what: string, content: unknown, begin: () => CommandResult) => CommandResult;

/** Deduplicates double presses of a form with the same content: the second press gets the first one's result. */
export function createOnce(): Once {
  const running = new Map<string, CommandResult>();
  return (what, content, begin) => {
    const key = `${what} ${createHash("sha256").update(JSON.stringify(content)).digest("base64url")}`;
    const earlier = running.get(key);
    if (earlier !== undefined) return earlier;
    const result = begin();
    if (result.kind !== "working") return result;
    running.set(key, result);
    void result.result.finally(() => running.delete(key));
    return result;
  };
}
