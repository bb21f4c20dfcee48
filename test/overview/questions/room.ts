/** A question log over a real store, with platforms that a test describes. */

import type { Lists } from "../../../src/core/access.ts";
import type { Gap } from "../../../src/core/model/insight.ts";
import type { Visibility } from "../../../src/core/model/place.ts";
import type { Turn, TurnView } from "../../../src/core/model/turn.ts";
import type { ChatPlatform } from "../../../src/core/ports/chat-platform.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { createLogProjection, questionLogIn } from "../../../src/insight/derived/question-log.ts";
import type { OverviewApp } from "../../../src/overview/app.ts";
import { pagesOf } from "../../../src/overview/pages.ts";
import { openState } from "../../../src/state/open-state.ts";
import { sampleTurn } from "../../contracts/storage/sample-records.ts";
import { appOf } from "../../doubles/app.ts";
import { overviewAppOf } from "../../doubles/overview-app.ts";
import { alice } from "../../doubles/people.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

export const monday = Date.parse("2027-01-11T10:00:00Z");
export const support = { project: "mindsdb", name: "support" };
export const slack = { platform: "slack", workspace: "T1", channel: "C1" };

export function viewOf(changes: Partial<TurnView> = {}): TurnView {
  const base = { turnId: "t", ref: "t", agent: "support", question: "?", steps: [], tables: [], isPartial: false };
  const sources = [{ title: "Handbook" }];
  return { ...base, isResumed: false, state: "answered", answer: "Yes.", sources, grade: "sure", ...changes };
}

export function turnOf(id: string, changes: Partial<Turn> = {}): Turn {
  return sampleTurn(id, {
    ref: id.slice(-4),
    state: "answered",
    agent: support,
    askedIn: slack,
    conversation: { ...slack, thread: "100.1" },
    visibility: "public",
    actor: alice,
    question: `The question ${id}?`,
    outcome: viewOf(),
    createdAtMs: monday,
    endedAtMs: monday + 6_000,
    ...changes,
  });
}

type Changes = {
  readonly agents?: Lists["agents"];
  readonly logPrivate?: boolean;
  readonly permalink?: ChatPlatform["permalink"];
  readonly places?: Partial<OverviewApp["places"]>;
};

export async function openRoom(changes: Changes = {}) {
  const state = await openState({
    ...{ dataDir: await temporaryFolder("questions"), clock: systemClock, log: silentLog },
  });
  const now = new Map<string, Visibility>([["C1", "public"]]);
  const names = new Map<string, { readonly name?: string; readonly isGone?: true }>([["C1", { name: "front-desk" }]]);
  const gaps = new Map<string, Gap>();
  const agents = changes.agents ?? (async () => [{ ...support, hasKnowledge: true } as never]);
  const platform: Partial<ChatPlatform> = {
    visibility: async ({ channel }) => now.get(channel),
    permalink: changes.permalink ?? (async ({ messageId }) => `https://chat.example/${messageId}`),
  };
  const base = appOf({
    ...{ ...state, clock: systemClock },
    settings: { logPrivate: changes.logPrivate ?? false },
    reach: { lists: () => ({ agents }) as Lists },
    siteOf: () => ({ platform }),
  });
  const insight: { readonly [K in keyof OverviewApp["insight"]]?: Partial<OverviewApp["insight"][K]> } = {
    gaps: {
      ofTurn: async ({ id }) => gaps.get(id),
      byKey: async (key) => [...gaps.values()].find(({ id }) => key.endsWith(`/${id}`)),
    },
    sight: { see: async () => ({ kind: "listed", question: "?", askers: [] }) as never },
    voting: { counts: async () => ({ up: 0, down: 0 }), down: async () => 1 },
  };
  const app = overviewAppOf(base, {
    places: changes.places ?? {
      kindOf: ({ platform }) => (platform === "gone" ? "unknown" : "shared"),
      all: async () => [slack],
      nameOf: async ({ channel }) => names.get(channel) ?? {},
    },
    insight: insight as never,
  });
  const projection = createLogProjection(questionLogIn(state));

  return {
    ...{ state, app, pages: pagesOf(app), now, names, gaps },
    /** As if Parley had answered them. */
    store: async (...turns: readonly Turn[]) => {
      for (const turn of turns) {
        const { event } = { event: await state.turns.create(turn) };
        if (!event.created) throw new Error(`${turn.id} exists.`);
      }
      const ended = turns.filter((turn) => ["answered", "failed", "stopped"].includes(turn.state));
      const projected = ended.map((turn) => ({ turn, votes: { up: 0, down: 0 } }));
      await projection.derive(0, projected, [], { isCurrent: () => true, fence: 1 });
    },
    close: () => state.close(),
  };
}
