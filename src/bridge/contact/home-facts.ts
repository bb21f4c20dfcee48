/** Gathers what Parley's own tab says about a workspace: running jobs, and the questions that failed in the last day. */
import { LRUCache } from "lru-cache";
import type { App } from "../../app.ts";
import type { Job } from "../../core/model/job.ts";
import { type Place, workspaceKey } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import { byClock } from "../../core/tools/cache-time.ts";
import { nameIn } from "../../core/tools/split-name.ts";
import type { FailureGroup } from "../../presentation/drawing.ts";

const dayMs = 86_400_000;
/** The newest questions that are searched for failures; each is read whole. */
const maxLooked = 200;
/** Several managers may open the tab at once. */
const keptMs = 10_000;
const maxWorkspaces = 100;

/** Newest first. */
export type HomeFacts = {
  /** Unfinished jobs of that workspace. */
  readonly jobs: (place: Place) => Promise<readonly Job[]>;
  readonly failed: (place: Place) => Promise<readonly Turn[]>;
};

export function createHomeFacts(app: App): HomeFacts {
  const { clock } = app;
  const { jobs, turns } = app.state;
  const kept = new LRUCache<string, readonly Turn[]>({
    max: maxWorkspaces,
    ttl: keptMs,
    ...byClock(clock),
    ignoreFetchAbort: true,
    fetchMethod: failuresIn,
  });

  async function failuresIn(workspace: string): Promise<readonly Turn[]> {
    const sinceMs = clock.now() - dayMs;
    const recent = await turns.recent(maxLooked);
    return recent.filter(
      (turn) =>
        turn.createdAtMs >= sinceMs &&
        workspaceKey(turn.conversation) === workspace &&
        (turn.state === "failed" || turn.notAnswered === "failed") &&
        turn.outcome?.error !== undefined,
    );
  }

  return {
    jobs: async (place) => {
      const found: Job[] = [];
      for await (const job of jobs.unfinished()) {
        if (workspaceKey(job.askedIn) === workspaceKey(place)) found.push(job);
      }
      return found.reverse();
    },
    failed: (place) => kept.forceFetch(workspaceKey(place)),
  };
}

/** By agent and error, the newest failure first. `failed`: newest first. */
export function groupFailures(failed: readonly Turn[], project: string): readonly FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const turn of failed) {
    const key = groupKey(turn);
    const known = groups.get(key);
    groups.set(key, known === undefined ? groupOf(turn, project) : { ...known, count: known.count + 1 });
  }
  return [...groups.values()];
}

/** What the failures of one line have in common. */
export function groupKey({ agent, outcome }: Turn): string {
  return `${agent?.project ?? ""}.${agent?.name ?? ""} ${outcome?.error?.code ?? ""}`;
}

function groupOf(turn: Turn, project: string): FailureGroup {
  const agent = turn.agent === undefined ? {} : { agent: nameIn(turn.agent, project) };
  return {
    ...agent,
    code: turn.outcome?.error?.code ?? "internal",
    count: 1,
    lastTurnId: turn.id,
    lastRef: turn.ref,
    lastAtMs: turn.endedAtMs ?? turn.createdAtMs,
  };
}
