/** What a stream of the scripted model server consists of: events, pauses, and ways to break off. */
import { piecesOf, type Script } from "./script.ts";

export type Json = Readonly<Record<string, unknown>>;

export type Emission =
  /** `event` is the line before `data`, where the server sends one. */
  | { readonly data: Json; readonly event?: string }
  | { readonly done: true }
  /** Waits for `gapMs` since the last wait, on a steady beat. */
  | { readonly gapMs: number }
  /** Says nothing more until the client leaves. */
  | { readonly hangs: true }
  /** Closes the connection as if all had been said. */
  | { readonly cut: true };

export const done: Emission = { done: true };

/** After this many words the faults inside a stream come. */
const wordsBeforeFault = 3;

/** The text of a script in pieces, each after its pause; ends early where the fault comes. */
export function* pacedPieces(script: Script, text: string): Generator<Emission | { readonly piece: string }, boolean> {
  for (const [index, piece] of piecesOf(text).entries()) {
    if (index === wordsBeforeFault && script.fault !== "") return true;
    if (script.gapMs > 0) yield { gapMs: script.gapMs };
    yield { piece };
  }
  return false;
}

export function wireText(emission: Emission): string {
  if ("done" in emission) return "data: [DONE]\n\n";
  if (!("data" in emission)) return "";
  const event = emission.event === undefined ? "" : `event: ${emission.event}\n`;
  return `${event}data: ${JSON.stringify(emission.data)}\n\n`;
}
