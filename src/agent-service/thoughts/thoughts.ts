/**
 * The thoughts of a run: collected line by line, so that a minute of thinking isn't silent and no text is sent twice, and
 * taken out of the answer where a model writes them there. One rule for the events of every API.
 */
import { type AgentEvent, runLimits } from "../../core/model/agent-event.ts";
import { cut, redactSecrets } from "../http/texts.ts";
import { createThoughtSplitter } from "./splitter.ts";

export type Reasoning = {
  /** The line that isn't complete yet, and the item of the run that it belongs to. */
  readonly pending: string;
  readonly item: string;
  /** Items of which something was said: their whole text would repeat it. */
  readonly begun: readonly string[];
};

type Told = readonly [Reasoning, readonly AgentEvent[]];

export const noReasoning: Reasoning = { pending: "", item: "", begun: [] };

const none: readonly AgentEvent[] = [];

/** Of the newest items. The whole text of a thought follows its pieces soon. */
const maxBegun = 100;

/** The next piece of the thought of that item; another item ends the one before. */
export function addThought(before: Reasoning, item: string, piece: string): Told {
  const [{ pending, begun }, ended] = item === before.item ? [before, none] : flushThought(before);
  const lineEnd = piece.lastIndexOf("\n");
  const whole = lineEnd >= 0 ? pending + piece.slice(0, lineEnd) : pending + piece;
  const isSaid = lineEnd >= 0 || whole.length >= runLimits.status;
  const said = isSaid ? [...ended, ...thought(whole)] : ended;
  const rest = lineEnd >= 0 ? piece.slice(lineEnd + 1) : isSaid ? "" : whole;
  return [{ pending: rest, item, begun: item === before.item ? begun : withItem(begun, item) }, said];
}

/** The whole thought of an item, which counts if none of it came in pieces. */
export function finishThought(before: Reasoning, item: string, text: string): Told {
  const [flushed, said] = flushThought(before);
  if (flushed.begun.includes(item)) return [flushed, said];
  return [{ ...flushed, begun: withItem(flushed.begun, item) }, [...said, ...thought(text)]];
}

/** Something else began. */
export function flushThought(before: Reasoning): Told {
  return before.pending === "" ? [before, none] : [{ ...before, pending: "" }, thought(before.pending)];
}

/** A thought in one piece. */
export function thought(text: string): readonly AgentEvent[] {
  const words = text.trim();
  return words === "" ? none : [{ type: "reasoning", text: redactSecrets(cut(words, runLimits.status).text) }];
}

function withItem(begun: readonly string[], item: string): readonly string[] {
  return begun.includes(item) ? begun : [...begun.slice(1 - maxBegun), item];
}

/** Takes the thoughts out of a run's answer and tells them as reasoning. One for each run. */
export function createThoughtsApart(emit: (event: AgentEvent) => void): (event: AgentEvent) => void {
  let reasoning = noReasoning;
  /** Of a whole answer: what is left of it. Undefined while it comes in pieces. */
  let whole: string | undefined;
  /** Thoughts of the answer so far were told: its whole text would repeat them. */
  let isTold = false;
  let splitter = begin();

  function tell([next, said]: Told): void {
    reasoning = next;
    said.forEach(emit);
  }

  function begin() {
    return createThoughtSplitter({
      onAnswer: (text) => {
        if (whole !== undefined) {
          whole += text;
          return;
        }
        tell(flushThought(reasoning));
        emit({ type: "answer-delta", text });
      },
      onThought: (text) => {
        if (whole !== undefined && isTold) return;
        if (whole === undefined) isTold = true;
        tell(addThought(reasoning, "content", text));
      },
      onRetract: () => {
        if (whole === undefined) emit({ type: "answer", text: "" });
        else whole = "";
      },
    });
  }

  return (event) => {
    switch (event.type) {
      case "answer-delta":
        splitter.push(event.text);
        return;
      case "answer": {
        whole = "";
        splitter = begin();
        splitter.push(event.text);
        const text = whole;
        whole = undefined;
        tell(flushThought(reasoning));
        isTold = event.text !== "";
        emit({ ...event, text });
        return;
      }
      case "ended":
      case "failed":
        splitter.end();
        tell(flushThought(reasoning));
        emit(event);
        return;
      default:
        if (event.type === "step-started") tell(flushThought(reasoning));
        emit(event);
    }
  };
}

/** The answer of a text that came whole. */
export function withoutThoughts(text: string): string {
  let answer = "";
  const splitter = createThoughtSplitter({
    onAnswer: (piece) => {
      answer += piece;
    },
    onThought: () => {},
    onRetract: () => {
      answer = "";
    },
  });
  splitter.push(text);
  splitter.end();
  return answer;
}
