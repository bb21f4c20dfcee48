/** Documents of the states people see, for golden payloads and for anyone who wants to look at them. */

import type { Document, Form } from "../../../src/core/document.ts";
import type { Job } from "../../../src/core/model/job.ts";
import type { Step, TurnView } from "../../../src/core/model/turn.ts";
import { jobDocument } from "../../../src/presentation/drawing/job-document.ts";
import { stepsDocument } from "../../../src/presentation/drawing/turn/steps-document.ts";
import { turnDocument } from "../../../src/presentation/drawing/turn/turn-document.ts";
import { alice } from "../../doubles/people.ts";

const startedAtMs = 1_800_000_000_000;

const steps: readonly Step[] = [
  {
    tool: "sql",
    input: "SHOW KNOWLEDGE_BASES",
    state: "done",
    outcome: { kind: "names", names: ["docs", "pricing", "changelog"] },
    observation: "docs\npricing\nchangelog",
    startedAtMs,
    endedAtMs: startedAtMs + 2_000,
  },
  {
    tool: "sql",
    input: "SELECT chunk_content FROM pricing WHERE content = 'SSO plan' LIMIT 5",
    state: "done",
    reasoning: "The question is about plans.",
    outcome: { kind: "passages", count: 5, bestRelevance: 0.82 },
    observation: "SSO is included in Business and Enterprise & <above>.",
    startedAtMs: startedAtMs + 2_000,
    endedAtMs: startedAtMs + 7_000,
  },
  {
    tool: "sql",
    input: "SELECT chunk_content FROM changelog WHERE content = 'SSO released'",
    state: "running",
    startedAtMs: startedAtMs + 7_000,
  },
];

const base: TurnView = {
  turnId: "turn1",
  ref: "k3f9",
  state: "running",
  agent: "product_guide",
  question: "Which plan includes SSO, and since when?",
  steps,
  tables: [],
  sources: [],
  isPartial: false,
  isResumed: false,
  startedAtMs,
};

const finished: TurnView = {
  ...base,
  state: "answered",
  steps: steps.map((step) => ({ ...step, state: "done" })),
  answer: [
    "Refunds reach the customer within **14 days** of the return being scanned [1]. Two exceptions:",
    "",
    "- gift cards are credited *at once* [2]",
    "- bank transfers outside the EU take up to 21 days [1]",
    "",
    "| method | days |",
    "|---|---:|",
    "| card | 14 |",
    "| transfer | 21 |",
    "",
  ].join("\n"),
  sources: [
    { title: "Refund policy", url: "https://example.com/refunds?a=1&b=2", relevance: 0.9 },
    { title: "Gift cards", url: "https://example.com/gifts" },
  ],
  endedAtMs: startedAtMs + 12_000,
};

const job: Job = {
  version: 1,
  id: "job1",
  ref: "j0b1",
  eventKey: "slack/T/C/1",
  askedIn: { platform: "slack", workspace: "T", channel: "C" },
  actor: { ...alice, id: "U0ALICE", workspace: "T" },
  project: "mindsdb",
  knowledgeBase: "docs",
  way: "parley",
  options: {},
  items: [
    {
      label: "https://example.com/start",
      kind: "url",
      state: "done",
      title: "Getting started",
      url: "https://example.com/start",
      pages: 12,
    },
    {
      label: "https://example.com/faq",
      kind: "url",
      state: "done",
      title: "FAQ",
      url: "https://example.com/faq",
      pages: 1,
    },
    {
      label: "https://example.com/old",
      kind: "url",
      state: "failed",
      url: "https://example.com/old",
      reason: "the page is gone (404)",
    },
  ],
  state: "done",
  reply: { place: { platform: "slack", workspace: "T", channel: "C" }, parts: [] },
  createdAtMs: startedAtMs,
  endedAtMs: startedAtMs + 48_000,
  fence: 1,
};

const paragraphs = Array.from({ length: 200 }, (_, index) => `Sentence ${index} of a long answer that goes on and on.`);
const query = Array.from({ length: 100 }, (_, index) => `SELECT ${index};`);

export const documents: Readonly<Record<string, Document>> = {
  running: turnDocument(base, startedAtMs + 18_000),
  waiting: turnDocument(
    { ...base, state: "queued", steps: [], placeInLine: { kind: "service", position: 3 } },
    startedAtMs,
  ),
  finished: turnDocument(finished, startedAtMs),
  failed: turnDocument(
    {
      ...base,
      state: "failed",
      agent: "support_agent",
      steps: steps.slice(0, 2),
      error: {
        code: "model_unavailable",
        what: "The model behind the agent didn't answer.",
        hint: "Try again, or tell your Parley admin.",
      },
      endedAtMs: startedAtMs + 41_000,
    },
    startedAtMs,
  ),
  stopped: turnDocument({ ...base, state: "stopped", endedAtMs: startedAtMs + 9_000 }, startedAtMs, {
    stoppedBy: { name: "Bob" },
  }),
  table: turnDocument(
    {
      ...finished,
      answer: "",
      answerTable: {
        columns: ["plan", "price"],
        rows: [
          ["Team", "12"],
          ["Business <b>", ""],
        ],
        omittedRows: 3,
      },
    },
    startedAtMs,
  ),
  long: turnDocument(
    {
      ...finished,
      answer: ["# Everything", "", paragraphs.join(" "), "", "```sql", ...query, "```"].join("\n"),
    },
    startedAtMs,
  ),
  job: jobDocument(job, startedAtMs + 48_000),
  steps: stepsDocument(finished),
};

export const form: Form = {
  id: "agent create",
  title: "Create an agent",
  submitLabel: "Create",
  context: "channel",
  fields: [
    {
      name: "name",
      label: "Name",
      hint: "Lower-case letters, digits and underscores",
      isRequired: true,
      type: "text",
      maxChars: 60,
    },
    {
      name: "provider",
      label: "Provider",
      isRequired: false,
      type: "select",
      choices: [{ value: "openai", label: "OpenAI" }],
    },
    { name: "key", label: "API key", isRequired: false, type: "secret" },
    {
      name: "knowledge",
      label: "Knowledge bases",
      isRequired: false,
      type: "multiselect",
      choices: [],
      completes: "knowledge-base",
      allowsFree: false,
      initial: ["docs"],
    },
    { name: "tables", label: "Tables", isRequired: false, type: "multiselect", choices: [], allowsFree: true },
    { name: "instructions", label: "Instructions", isRequired: false, type: "multiline", initial: "Be brief." },
  ],
};
