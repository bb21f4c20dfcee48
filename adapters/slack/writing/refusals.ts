/**
 * Remembers for a day what a workspace refuses, on all instances: kinds of blocks, the status line, agent sessions.
 * Only a try shows it, and what is refused today may be accepted tomorrow.
 */

import { webApi } from "@slack/bolt";
import { LRUCache } from "lru-cache";
import { withTimeout } from "../../../src/core/tools/timeout.ts";
import type { SlackParts } from "../parts.ts";
import { slackCode } from "./api-errors.ts";

export type Refusals = ReturnType<typeof createRefusals>;

export const rememberedMs = 86_400_000;
/** How old what other instances know may be. */
const readEveryMs = 60_000;
/** No answer waits longer for the store. */
const patienceMs = 250;
const maxWorkspaces = 1_000;

type Known = {
  /** In ms since the epoch, by what is refused. */
  readonly untilMs: Map<string, number>;
  readAtMs: number;
  /** The store has answered for the first time, or takes too long. */
  ready: Promise<void>;
};

/** Codes for: no such method, no scope for it, or not in this workspace (docs.slack.dev, 2026-11-22). */
const codes = new Set([
  "feature_disabled",
  "not_allowed_token_type",
  "not_allowed",
  "not_authorized",
  "no_permission",
  "missing_scope",
  "access_denied",
  "method_deprecated",
  "deprecated_endpoint",
  "unknown_method",
  "invalid_status",
  "invalid_arguments",
]);

/** The workspace, the app or the API has no such method. */
export function isRefusedMethod(thrown: unknown): boolean {
  if (thrown instanceof webApi.WebAPIHTTPError) return thrown.statusCode === 404;
  return codes.has(slackCode(thrown) ?? "");
}

export function createRefusals({ keyValue, clock, log }: SlackParts) {
  const workspaces = new LRUCache<string, Known>({ max: maxWorkspaces });
  const prefixOf = (workspace: string) => `${workspace}/refused/`;

  async function read(workspace: string, known: Known): Promise<void> {
    known.readAtMs = clock.now();
    const prefix = prefixOf(workspace);
    for await (const [key, until] of keyValue.entries(prefix)) {
      const what = key.slice(prefix.length);
      known.untilMs.set(what, Math.max(Number(until) || 0, known.untilMs.get(what) ?? 0));
    }
  }

  function current(workspace: string): Known {
    const known = workspaces.get(workspace);
    if (known !== undefined) {
      if (clock.now() - known.readAtMs >= readEveryMs) void read(workspace, known).catch(() => undefined);
      return known;
    }
    const fresh: Known = { untilMs: new Map(), readAtMs: clock.now(), ready: Promise.resolve() };
    workspaces.set(workspace, fresh);
    fresh.ready = withTimeout(read(workspace, fresh), patienceMs, clock);
    return fresh;
  }

  return {
    /** Never rejects; waits for the store only the first time. */
    of: async (workspace: string): Promise<ReadonlySet<string>> => {
      const { untilMs, ready } = current(workspace);
      await ready;
      const nowMs = clock.now();
      for (const [what, atMs] of untilMs) if (atMs <= nowMs) untilMs.delete(what);
      return new Set(untilMs.keys());
    },
    remember: (workspace: string, what: string, code: string): void => {
      const until = clock.now() + rememberedMs;
      const known = current(workspace);
      const isNew = !known.untilMs.has(what);
      known.untilMs.set(what, until);
      if (isNew)
        log.warn({ workspace, what, code }, "This Slack workspace refuses something; not used there for a day");
      void keyValue.set(prefixOf(workspace) + what, String(until), rememberedMs).catch(() => undefined);
    },
  };
}
