/** Documents of the states people see, for golden payloads and for anyone who wants to look at them. */
import type { Document, Form } from "../../../src/core/document.ts";
import { jobDocument } from "../../../src/presentation/drawing/job-document.ts";
import { errorDocument } from "../../../src/presentation/drawing/notice.ts";
import { stepsDocument } from "../../../src/presentation/drawing/turn/steps-document.ts";
import { turnDocument } from "../../../src/presentation/drawing/turn/turn-document.ts";
import { job, nowMs, step, view } from "../../presentation/views.ts";

const startedAtMs = nowMs - 18_000;

const steps = [
  step({ input: "SHOW KNOWLEDGE_BASES", outcome: { kind: "names", names: ["docs", "pricing", "changelog"] } }),
  step({ observation: "SSO is included in Business and Enterprise.", reasoning: "The question is about plans." }),
  step({
    input: "SELECT chunk_content FROM changelog WHERE content = 'SSO released'",
    state: "running",
    startedAtMs: nowMs - 6_000,
  }),
];

const running = view({
  agent: "product_guide",
  question: "Which plan includes SSO, and since when?",
  steps,
  startedAtMs,
});

const answer = [
  "Refunds reach the customer within **14 days** of the return being scanned [1]. Two exceptions:",
  "",
  "- gift cards are credited *at once* [2]",
  "- bank transfers outside the EU take up to 21 days [1]",
  "",
  "| method | days |",
  "|---|---:|",
  "| card | 14 |",
  "| transfer | 21 |",
].join("\n");

const finished = view({
  state: "answered",
  steps: steps.map((one) => step({ ...one, state: "done" })),
  answer,
  sources: [
    { title: "Refund policy", url: "https://example.com/refunds?a=1&b=2" },
    { title: "Gift cards", url: "https://example.com/gifts" },
  ],
  endedAtMs: nowMs,
});

const sentences = Array.from({ length: 150 }, (_, index) => `Sentence ${index} of a long answer that goes on.`);
const query = Array.from({ length: 60 }, (_, index) => `SELECT ${index};`);

export const documents: Readonly<Record<string, Document>> = {
  running: turnDocument(running, nowMs),
  waiting: turnDocument(view({ state: "queued", placeInLine: { kind: "service", position: 3 } }), nowMs),
  finished: turnDocument(finished, nowMs),
  failed: turnDocument(
    view({
      state: "failed",
      steps: steps.slice(0, 2),
      error: {
        code: "model_unavailable",
        what: "The model behind the agent didn't answer.",
        hint: "Try again, or tell your Parley admin.",
      },
      startedAtMs: nowMs - 41_000,
      endedAtMs: nowMs,
    }),
    nowMs,
  ),
  stopped: turnDocument(view({ state: "stopped", endedAtMs: nowMs }), nowMs, { stoppedBy: { name: "Bob" } }),
  long: turnDocument(
    view({ ...finished, answer: ["# Everything", "", sentences.join(" "), "", "```sql", ...query, "```"].join("\n") }),
    nowMs,
  ),
  job: jobDocument(
    job(
      [
        { state: "done", title: "Getting started", url: "https://example.com/start", pages: 12 },
        { state: "done", title: "FAQ", url: "https://example.com/faq", pages: 1 },
        { state: "failed", url: "https://example.com/old", reason: "the page is gone (404)" },
      ],
      { state: "done", endedAtMs: nowMs },
    ),
    nowMs,
  ),
  "job-failed": jobDocument(
    job(
      [
        { state: "failed", url: "https://example.com/old", reason: "the page is gone (404)" },
        { state: "failed", url: "https://example.com/older", reason: "the page is gone (404)" },
      ],
      { state: "failed", endedAtMs: nowMs },
    ),
    nowMs,
  ),
  steps: stepsDocument(finished),
  refused: errorDocument({
    what: "You can't manage agents and settings here.",
    hint: "See what you can do with /parley roles.",
  }),
};

export const form: Form = {
  id: "agent create",
  title: "New agent",
  submitLabel: "Create",
  context: "channel",
  fields: [
    {
      name: "name",
      label: "Name",
      hint: "Lower-case letters and digits",
      isRequired: true,
      type: "text",
      maxChars: 60,
    },
    { name: "provider", label: "Provider", isRequired: false, type: "text" },
    { name: "model", label: "Model", isRequired: false, type: "text" },
    { name: "key", label: "API key", isRequired: false, type: "secret" },
    {
      name: "knowledge",
      label: "Knowledge bases",
      isRequired: false,
      type: "multiselect",
      choices: [
        { value: "docs", label: "docs" },
        { value: "pricing", label: "pricing" },
      ],
      allowsFree: true,
      initial: ["docs", "crm.notes"],
    },
    { name: "tables", label: "Tables", isRequired: false, type: "multiselect", choices: [], allowsFree: true },
    { name: "instructions", label: "Instructions", isRequired: false, type: "multiline", initial: "Be brief." },
  ],
};
