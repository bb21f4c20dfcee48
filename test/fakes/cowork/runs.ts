/** Runs of the scripted cowork-server: they keep their events, and continue when nobody reads them. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Emission, Json, Script } from "./script.ts";

export type Run = {
  readonly events: readonly Json[];
  readonly isRunning: () => boolean;
  /** What the agent has said so far. */
  readonly text: () => string;
  /** Stops it. Its streams close without an event. False if it was over. */
  readonly cancel: () => boolean;
  /** Calls back for every event from that one on; `end` when no more come. Returns what stops it. */
  readonly follow: (from: number, write: (event: Json) => void, end: () => void) => () => void;
};

let runs = 0;

export function startRun(
  script: Script,
  options: { readonly conversation: string; readonly wordMs: number; readonly onEnd: (text: string) => void },
): Run {
  runs += 1;
  const id = `resp-${runs.toString().padStart(12, "0")}`;
  const message = `msg-${id.slice(5)}`;
  const events: Json[] = [];
  const followers = new Set<{ readonly write: (event: Json) => void; readonly end: () => void }>();
  let isRunning = true;
  let text = "";

  function emit(event: Json): void {
    events.push(event);
    for (const { write } of followers) write(event);
  }

  function numbered(type: string, rest: Json): Json {
    return { type, sequence_number: events.length + 1, ...rest, at_ms: Date.now() };
  }

  function stop(): void {
    if (!isRunning) return;
    isRunning = false;
    options.onEnd(text);
    for (const { end } of followers) end();
    followers.clear();
  }

  function say(emission: Emission) {
    if (typeof emission !== "string") return emit(numbered("response.in_progress", emission));
    text += emission;
    emit(numbered("response.output_text.delta", { item_id: message, delta: emission }));
  }

  function finish(): void {
    if (script.ends === "failed") {
      const error = "The model provider is experiencing an incident and didn't recover in time.";
      // Without a place in the stream, and without `response`.
      emit({ type: "response.failed", code: "provider_overloaded", error, reconnectable: false });
    } else {
      const content = [{ type: "output_text", text }];
      const output = [{ type: "message", id: message, status: "completed", role: "assistant", content }];
      emit(numbered("response.completed", { response: { id, object: "response", status: "completed", output } }));
    }
    stop();
  }

  async function work(): Promise<void> {
    for (const emission of script.emissions) {
      if (options.wordMs > 0) await sleep(options.wordMs);
      if (!isRunning) return;
      say(emission);
    }
    if (isRunning && script.ends !== "hangs") finish();
  }

  const created = { id, object: "response", status: "created", error: null, model: null, output: [] };
  emit(numbered("response.created", { response: created, conversation_id: options.conversation, harness: "anton" }));
  void work();

  return {
    events,
    isRunning: () => isRunning,
    text: () => text,
    cancel: () => {
      const was = isRunning;
      stop();
      return was;
    },
    follow: (from, write, end) => {
      events.slice(from).forEach(write);
      if (!isRunning) {
        end();
        return () => {};
      }
      const follower = { write, end };
      followers.add(follower);
      return () => followers.delete(follower);
    },
  };
}
