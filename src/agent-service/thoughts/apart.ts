/** Takes the thoughts out of a run's answer and tells them as reasoning: one rule for the events of every dialect. */
import type { AgentEvent } from "../../core/model/agent-event.ts";
import { createReasoning } from "../openai/reasoning.ts";
import { createThoughtSplitter } from "./splitter.ts";

/** One for each run. */
export function createThoughtsApart(emit: (event: AgentEvent) => void): (event: AgentEvent) => void {
  const reasoning = createReasoning(emit);
  /** Of a whole answer: what is left of it. Undefined while it comes in pieces. */
  let whole: string | undefined;
  /** Thoughts of the answer so far were told: its whole text would repeat them. */
  let isTold = false;
  let splitter = begin();

  function begin() {
    return createThoughtSplitter({
      onAnswer: (text) => {
        if (whole !== undefined) {
          whole += text;
          return;
        }
        reasoning.flush();
        emit({ type: "answer-delta", text });
      },
      onThought: (text) => {
        if (whole !== undefined && isTold) return;
        if (whole === undefined) isTold = true;
        reasoning.add("content", text);
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
        reasoning.flush();
        isTold = event.text !== "";
        emit({ ...event, text });
        return;
      }
      case "ended":
      case "failed":
        splitter.end();
        reasoning.flush();
        emit(event);
        return;
      default:
        if (event.type === "step-started") reasoning.flush();
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
