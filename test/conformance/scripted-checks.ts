/**
 * Checks that need the scripted model behind the service (test/fakes/model-server), because words in the question decide
 * what it does: it calls tools, cites, is cut off, fails.
 */

import { ParleyError } from "../../src/core/errors.ts";
import type { AgentEvent } from "../../src/core/model/agent-event.ts";
import { answerOf, asked, type Check, type CheckContext, expect, expectCode } from "./check.ts";

const failures = ["service_failed", "service_unreachable", "model_unavailable", "run_failed"] as const;

export const scriptedChecks: readonly Check[] = [
  {
    id: "whole-text",
    says: "sends characters of every script, and a long answer whole",
    applies: ({ scripted }) => scripted !== "agent",
    run: async ({ ask }) => {
      const unicode = answerOf(await ask(asked("unicode")));
      expect(unicode.includes("🌙, 三十 Kopien. <!here> data: x"), `the answer is ${JSON.stringify(unicode)}`);
      const long = answerOf(await ask(asked("long")));
      expect(long.split(" ").length === 400, `${long.split(" ").length} words of 400`);
    },
  },
  {
    id: "reasoning",
    says: "shows what the model thinks apart from its answer",
    run: async ({ ask }) => {
      const events = await ask(asked("think"));
      const thought = events.flatMap((event) => (event.type === "reasoning" ? [event.text] : [])).join(" ");
      expect(thought.includes("look at the handbook"), `it thought ${JSON.stringify(thought)}`);
      expect(!answerOf(events).includes("handbook"), "it is part of the answer");
    },
  },
  {
    id: "citations",
    says: "names the sources that the answer cites",
    run: async ({ ask }) => {
      const urls = sourcesOf(await ask(asked("cite"))).map(({ url }) => url);
      expect(urls.includes("https://docs.example.com/backup"), `only ${urls.join(", ")}`);
    },
  },
  {
    id: "steps",
    says: "shows the model's own tools as steps, with what they found",
    applies: ({ scripted }) => scripted === "responses",
    run: async ({ ask }) => {
      const events = await ask(asked("hosted"));
      const begun = events.filter((event) => event.type === "step-started");
      const finished = events.filter((event) => event.type === "step-finished");
      expect(begun.length >= 3, `${begun.length} steps begun`);
      expect(finished.length === begun.length, `${begun.length} steps begun, ${finished.length} finished`);
      const urls = sourcesOf(events).map(({ url }) => url);
      expect(urls.includes("https://docs.example.com/backup"), `sources: ${urls.join(", ")}`);
    },
  },
  {
    id: "agent-steps",
    says: "shows the agent's own tools as steps, with what they returned",
    applies: ({ scripted }) => scripted === "agent",
    run: async ({ ask }) => {
      const events = await ask(asked('tool scratchpad {"code": "print(42)"}'));
      expect(
        events.some(({ type }) => type === "step-started"),
        "no step begun",
      );
      const [finished] = events.filter((event) => event.type === "step-finished");
      expect(finished?.observation.includes("42") === true, `it returned ${finished?.observation.slice(0, 200)}`);
    },
  },
  {
    id: "approval",
    says: "asks for approval before a tool",
    applies: ({ scripted }) => scripted === "responses",
    run: async ({ ask }) => {
      const request = (await ask(asked("approve"))).find((event) => event.type === "approval-requested")?.request;
      expect(request?.tool.includes("delete_page") === true, `asked for ${request?.tool}`);
    },
  },
  {
    id: "tool-unserved",
    says: "fails when the model calls a tool that nobody runs",
    applies: ({ scripted }) => scripted !== "agent",
    run: ({ ask }) => expectCode(() => ask(asked("use tool")), "run_failed", "answer_unusable"),
  },
  {
    id: "cut-length",
    says: "marks an answer that the limit of length cut",
    run: (context) => expectCut(context, "cut short", "length"),
  },
  {
    id: "cut-filter",
    says: "marks an answer that a content filter cut",
    run: (context) => expectCut(context, "filter", "filter"),
  },
  {
    id: "refusal",
    says: "passes on a refusal as the answer",
    run: async ({ ask }) => {
      const answer = answerOf(await ask(asked("refuse")));
      expect(answer.includes("I cannot help"), `the answer is ${JSON.stringify(answer)}`);
    },
  },
  {
    id: "rate-limit",
    says: "says that the model is busy, and when to come again",
    run: async ({ ask }) => {
      const error = await failureOf(() => ask(asked("rate limit")));
      expect(error.code === "service_busy", `got ${error.code}`);
      expect(error.retryAfterMs !== undefined, "it doesn't say when");
    },
  },
  {
    id: "too-long",
    says: "says that the conversation is too long",
    run: ({ ask }) => expectCode(() => ask(asked("too long")), "question_too_long"),
  },
  {
    id: "fails-before",
    says: "says that the model failed before it began",
    run: ({ ask }) => expectCode(() => ask(asked("fail")), ...failures),
  },
  {
    id: "fails-inside",
    says: "says that the model failed in the middle",
    run: ({ ask }) => expectCode(() => ask(asked("fail mid")), ...failures),
  },
  {
    id: "breaks-off",
    says: "says that the model broke off in the middle",
    run: ({ ask }) => expectCode(() => ask(asked("cut mid")), "stream_cut", ...failures),
  },
];

async function expectCut({ ask }: CheckContext, words: string, cut: "length" | "filter"): Promise<void> {
  const answer = (await ask(asked(words))).findLast((event) => event.type === "answer");
  expect(answer?.text.startsWith("The backup runs") === true, `the answer is ${JSON.stringify(answer?.text)}`);
  expect(answer?.cut === cut, `it is marked as ${answer?.cut}`);
}

async function failureOf(call: () => Promise<unknown>): Promise<ParleyError> {
  const thrown = await call().then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown instanceof ParleyError, "it was accepted");
  return thrown;
}

function sourcesOf(events: readonly AgentEvent[]) {
  return events.flatMap((event) =>
    event.type === "step-finished" || event.type === "answer" ? (event.sources ?? []) : [],
  );
}
