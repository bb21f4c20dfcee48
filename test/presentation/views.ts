/** Turn views for the tests of drawings. */

import type { Block, Document } from "../../src/core/document.ts";
import type { Job, JobItem } from "../../src/core/model/job.ts";
import type { Step, TurnView } from "../../src/core/model/turn.ts";
import { flatBlocks } from "../../src/presentation/drawing/flat-blocks.ts";
import { inlineText } from "../../src/presentation/drawing/inline.ts";
import { admin } from "../doubles/people.ts";

export const nowMs = Date.UTC(2026, 10, 21, 5, 44);

export function view(changes: Partial<TurnView> = {}): TurnView {
  return {
    turnId: "turn1",
    ref: "k3f9",
    state: "running",
    agent: "support_agent",
    question: "How long do refunds take?",
    steps: [],
    tables: [],
    sources: [],
    isPartial: false,
    isResumed: false,
    startedAtMs: nowMs - 12_000,
    ...changes,
  };
}

export function step(changes: Partial<Step> = {}): Step {
  return {
    tool: "kb_query_tool",
    input: "SELECT * FROM pricing WHERE content = 'SSO plan' LIMIT 5;",
    state: "done",
    outcome: { kind: "passages", count: 5, bestRelevance: 0.82 },
    startedAtMs: nowMs - 10_000,
    endedAtMs: nowMs - 9_000,
    ...changes,
  };
}

export function job(items: readonly Partial<JobItem>[], changes: Partial<Job> = {}): Job {
  const place = { platform: "memory", workspace: "w", channel: "c" };
  return {
    version: 1,
    id: "job1",
    ref: "a1b2",
    eventKey: "e",
    askedIn: place,
    actor: { ...admin, workspace: "w", name: "Alice Admin" },
    project: "mindsdb",
    knowledgeBase: "docs",
    way: "parley",
    options: {},
    items: items.map((item) => ({ label: "x", kind: "url", state: "waiting", ...item })),
    state: "running",
    reply: { place, parts: [] },
    createdAtMs: nowMs - 48_000,
    fence: 1,
    ...changes,
  };
}

/** The first of that kind, as drawn or as it is where a platform can't fold. */
export function block<K extends Block["kind"]>(document: Document, kind: K): Extract<Block, { kind: K }> | undefined {
  const all: readonly Block[] = [...document.blocks, ...flatBlocks(document.blocks)];
  return all.find((candidate): candidate is Extract<Block, { kind: K }> => candidate.kind === kind);
}

/** The text of the first block of that kind. */
export function said(document: Document, kind: "headline" | "text" | "quiet"): string | undefined {
  const found = block(document, kind);
  return found === undefined ? undefined : inlineText(found.text);
}

export function buttons(document: Document): readonly string[] {
  return document.actions.map((action) => action.label);
}
