/** Tells those who asked that there is a better answer: each once, where they asked, if they may still ask there. */

import type { App } from "../../app.ts";
import type { Gaps } from "../../core/content/gaps.ts";
import type { Asker, Gap } from "../../core/model/insight.ts";
import { conversationKey, type Place, personKey, workspaceKey } from "../../core/model/place.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { toldDocument } from "../../presentation/drawing.ts";
import { authorNow } from "../review/author.ts";
import type { Said, Trial } from "./trial.ts";

/** Later nobody waits for it, and the note that it was posted is no longer kept. */
const maxAgeMs = 30 * 86_400_000;
const askMs = 3_000;

/** "unknown": nobody can tell now whether they may still ask. */
type Decision = { readonly kind: "tell"; readonly place: Place } | { readonly kind: "skip" | "unknown" };

export type Telling = ReturnType<typeof createTelling>;

export function createTelling(
  app: App,
  {
    gaps,
  }: {
    readonly gaps: Pick<Gaps, "get" | "change">;
  },
) {
  const { sites, notices, reach, clock, log } = app;
  const { turns } = app.state;
  const isPage = ({ platform }: Pick<Trial, "platform">) => sites.get(platform)?.platform.isOwnPage === true;

  /** Where people don't sign in, each conversation is someone else's. */
  function personOf(asker: Asker): string {
    return isPage(asker.place) ? conversationKey(asker.place) : asker.actor.id;
  }

  function isAuthor(asker: Asker, { actor, answer }: Trial): boolean {
    if (isPage(asker.place)) return false;
    return asker.actor.id === actor.id || personKey(asker.place, asker.actor) === answer.by.key;
  }

  /** Each person's newest question, of those who would be told as far as the gap tells. */
  function askersOf(trial: Trial, gap: Gap): readonly Asker[] {
    const newest = new Map<string, Asker>();
    for (const asker of gap.askers.toSorted((one, other) => other.atMs - one.atMs)) {
      if (asker.actor.id === "" || newest.has(personOf(asker))) continue;
      newest.set(personOf(asker), asker);
    }
    return [...newest.values()].filter(
      (asker) =>
        asker.tell !== false &&
        asker.toldAtMs === undefined &&
        clock.now() - asker.atMs <= maxAgeMs &&
        workspaceKey(asker.place) === workspaceKey(trial) &&
        !isAuthor(asker, trial),
    );
  }

  async function decide(asker: Asker, { agent }: Trial): Promise<Decision> {
    const turn = await turns.get(asker.turnId);
    if (turn === undefined || turn.isForgotten === true) return { kind: "skip" };
    const platform = sites.get(turn.conversation.platform)?.platform;
    if (platform === undefined) return { kind: "skip" };
    const { platform: name, workspace, channel } = turn.conversation;
    // Later than the question, people may have left or lost a role.
    const found = await withTimeout(authorNow(turn.actor, turn.askedIn, platform), askMs, clock);
    if (found === undefined) return { kind: "unknown" };
    if (found === "gone" || (found.isExternal && !turn.actor.isExternal)) return { kind: "skip" };
    const inChannel = platform.isMember?.(found, { platform: name, workspace, channel });
    if (inChannel !== undefined && (await withTimeout(inChannel, askMs, clock)) === false) return { kind: "skip" };
    const verdict = await reach.mayAgent(found, "ask", turn.askedIn, agent, { isKnown: true });
    if (!verdict.allowed) return { kind: verdict.why === "unknown" ? "unknown" : "skip" };
    if (verdict.isPrivate && !reach.isDirect(turn.reply.place)) return { kind: "skip" };
    return { kind: "tell", place: turn.reply.place };
  }

  /** What fails can be tried again. */
  async function decideSafely(asker: Asker, trial: Trial): Promise<Decision> {
    try {
      return await decide(asker, trial);
    } catch (err) {
      log.info({ err, turnId: asker.turnId }, "Whether an asker may still ask there could not be found out");
      return { kind: "unknown" };
    }
  }

  return {
    /** How many are told, or would be, as far as it is known without asking anyone. `left`: how many are left to tell. */
    count: async (trial: Trial): Promise<{ readonly all: number; readonly left: number }> => {
      const gap = trial.gapId === undefined ? undefined : await gaps.get(trial, trial.gapId);
      if (gap === undefined) return { all: 0, left: 0 };
      const resultAtMs = trial.result?.atMs ?? Number.POSITIVE_INFINITY;
      const told = gap.askers.filter(({ toldAtMs }) => toldAtMs !== undefined && toldAtMs >= resultAtMs).length;
      const left = askersOf(trial, gap).length;
      return { all: left + told, left };
    },

    /**
     * Can be repeated: nobody is told twice. Returns whether something is left that can be decided later. Rejects while
     * storage is unreachable.
     */
    tell: async (trial: Trial, note: Said, signal: AbortSignal): Promise<"all" | "some-left"> => {
      const gap = trial.gapId === undefined ? undefined : await gaps.get(trial, trial.gapId);
      if (gap === undefined) return "all";
      const told = new Set<string>();
      let isLeft = false;
      for (const asker of askersOf(trial, gap)) {
        signal.throwIfAborted();
        const decision = await decideSafely(asker, trial);
        if (decision.kind === "unknown") isLeft = true;
        if (decision.kind !== "tell") continue;
        await notices.post({
          key: `told/${trial.answer.id}/${asker.turnId}`,
          place: decision.place,
          document: toldDocument(isPage(trial) ? undefined : asker.actor, note, clock.now()),
        });
        told.add(asker.turnId);
      }
      const atMs = clock.now();
      if (told.size > 0) {
        await gaps.change(gap, (newest) => ({
          ...newest,
          askers: newest.askers.map((asker) => (told.has(asker.turnId) ? { ...asker, toldAtMs: atMs } : asker)),
        }));
      }
      return isLeft ? "some-left" : "all";
    },
  };
}
