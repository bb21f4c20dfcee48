/**
 * Collects what the agent says about its work, and passes it on line by line. So a minute of thinking isn't silent, and
 * no text is sent twice.
 */
import { type AgentEvent, runLimits } from "../../core/model/agent-event.ts";
import { cut } from "../http/cut.ts";
import { redactSecrets } from "../http/redaction.ts";

export type Reasoning = {
  /** The next piece of the thought of that item; another item ends the one before. */
  readonly add: (item: string, piece: string) => void;
  /** The whole thought, which counts if none of it came in pieces. */
  readonly finish: (item: string, text: string) => void;
  /** A thought in one piece. */
  readonly say: (text: string) => void;
  /** Something else began. */
  readonly flush: () => void;
};

export function createReasoning(emit: (event: AgentEvent) => void): Reasoning {
  let pending = "";
  let current = "";
  /** Items of which something was said: their whole text would repeat it. */
  const begun = new Set<string>();

  function say(text: string): void {
    const words = text.trim();
    if (words !== "") emit({ type: "reasoning", text: redactSecrets(cut(words, runLimits.status).text) });
  }

  function flush(): void {
    if (pending === "") return;
    const text = pending;
    pending = "";
    say(text);
  }

  return {
    add: (item, piece) => {
      if (item !== current) {
        flush();
        current = item;
        begun.add(item);
      }
      const lineEnd = piece.lastIndexOf("\n");
      if (lineEnd >= 0) {
        const line = pending + piece.slice(0, lineEnd);
        pending = piece.slice(lineEnd + 1);
        say(line);
      } else {
        pending += piece;
        if (pending.length >= runLimits.status) flush();
      }
    },
    finish: (item, text) => {
      flush();
      if (begun.has(item)) return;
      begun.add(item);
      say(text);
    },
    say,
    flush,
  };
}
