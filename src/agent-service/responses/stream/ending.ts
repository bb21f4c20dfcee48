/** Ends a run at its terminal event: the last word about the answer, what the run waits for, and why it failed. */

import { ParleyError } from "../../../core/errors.ts";
import type { AgentEvent } from "../../../core/model/agent-event.ts";
import type { Source } from "../../../core/model/turn.ts";
import { isObject } from "../../../core/tools/parse-json.ts";
import { openAiFailure, toolWaitsForUs } from "../../http/openai-problem.ts";
import { readFailedAnswer, withoutRepeats } from "./cowork-failure.ts";
import { partText, type Spot } from "./messages.ts";

export type RunSoFar = {
  /** The answer that the events so far make; undefined while that differs from what is known. */
  readonly shownText: () => string | undefined;
  readonly final: () => { readonly text: string; readonly sources: readonly Source[] };
  /** Everything the agent said, in order. */
  readonly texts: () => readonly string[];
  /** Calls that nobody answered. */
  readonly waiting: () => readonly string[];
};

export type Ending = {
  /** A standard server's completed or incomplete response. */
  readonly complete: (response: Spot, isIncomplete: boolean) => void;
  /** cowork-server's. `held`: text that was not shown yet. */
  readonly completeCowork: (response: Spot, held: string) => void;
  readonly fail: (event: Spot, isCowork: boolean) => void;
  readonly cancelled: () => void;
};

export function createEnding(
  emit: (event: AgentEvent) => void,
  run: RunSoFar,
  secrets: readonly string[] | undefined,
): Ending {
  const fail = (error: ParleyError) => emit({ type: "failed", error });

  /** The whole answer, if it isn't what was streamed. */
  function answerOnce(text: string): void {
    if (run.shownText() !== text) emit({ type: "answer", text });
  }

  return {
    complete: (response, isIncomplete) => {
      const waiting = run.waiting();
      if (waiting.length > 0) {
        fail(toolWaitsForUs(waiting, secrets));
        return;
      }
      const cut = isIncomplete ? cutOf(response) : undefined;
      const { text, sources } = run.final();
      if (cut === undefined && sources.length === 0 && run.shownText() === text) return;
      emit({ type: "answer" as const, text, cut, sources: sources.length > 0 ? sources : undefined });
    },
    completeCowork: (response, held) => {
      const texts = run.texts();
      const streamed = texts.join("") + held;
      const whole = wholeText(response);
      const last = (texts.findLast((text) => text !== "") ?? "") + held;
      // `completed` holds everything said in the run; the answer is what followed the last tool.
      const text = whole.startsWith(streamed) ? last + whole.slice(streamed.length) : whole || last;
      const failure = readFailedAnswer(text);
      answerOnce(failure === undefined ? text : failure.said);
      if (failure !== undefined) fail(openAiFailure(failureOf(failure.reason), secrets));
    },
    fail: (event, isCowork) => {
      // Its retries repeat what was said before.
      if (isCowork) answerOnce(withoutRepeats(run.texts().at(-1) ?? ""));
      const { response } = event;
      const said = isObject(response) ? response["error"] : event;
      fail(openAiFailure(said ?? "The response failed.", secrets));
    },
    cancelled: () => fail(new ParleyError("run_failed", { cause: new Error("Cancelled at the service.") })),
  };
}

/** With a code, as its failed responses have one. */
function failureOf(reason: string): Spot {
  return { code: /model provider/i.test(reason) ? "provider_error" : "anton_error", message: reason };
}

function cutOf(response: Spot): "length" | "filter" {
  const details = response["incomplete_details"];
  return isObject(details) && details["reason"] === "content_filter" ? "filter" : "length";
}

function wholeText({ output }: Spot): string {
  const items = Array.isArray(output) ? output.filter(isObject) : [];
  const parts = items.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isObject) : []));
  return parts.map((part) => partText(part) ?? "").join("");
}
