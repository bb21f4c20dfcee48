/** Turns and jobs for the contract suites: valid in every field, and equal but for what a test changes. */
import type { Job } from "../../../src/core/model/job.ts";
import type { Turn } from "../../../src/core/model/turn.ts";
import { alice } from "../../doubles/people.ts";

const place = { platform: "console", workspace: "local", channel: "general" };
const actor = { ...alice, workspace: "local", name: "Ada" };

export function sampleTurn(id: string, changes: Partial<Turn> = {}): Turn {
  return {
    version: 1,
    id,
    ref: id,
    eventKey: `event-of-${id}`,
    askedIn: place,
    conversation: { ...place, thread: "t1" },
    order: "0001",
    actor,
    question: "How do I connect Slack?",
    attachments: [],
    via: "message",
    state: "queued",
    attempt: 1,
    reply: { place, parts: [] },
    createdAtMs: 1_800_000_000_000,
    fence: 0,
    ...changes,
  };
}

export function sampleJob(id: string, changes: Partial<Job> = {}): Job {
  return {
    version: 1,
    id,
    ref: id,
    eventKey: `event-of-${id}`,
    askedIn: place,
    actor,
    project: "mindsdb",
    knowledgeBase: "docs",
    way: "parley",
    options: { limit: 5 },
    items: [{ label: "https://example.com", kind: "url", state: "waiting" }],
    state: "queued",
    reply: { place, parts: [] },
    createdAtMs: 1_800_000_000_000,
    fence: 0,
    ...changes,
  };
}
