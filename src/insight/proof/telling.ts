/** Tells those who asked that there is a better answer: each once, where they asked, if they may still ask there. */

import type { Asker, Gap } from "../../core/model/insight.ts";
import { conversationKey, type Place, personKey, workspaceKey } from "../../core/model/place.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { toldDocument } from "../../presentation/drawing.ts";
import type { InsightApp } from "../app.ts";
import { personNow } from "../person-now.ts";
import type { Proof, Said } from "./proof.ts";

/** Later nobody waits for it, and the note that it was posted is no longer kept. */
const maxAgeMs = 30 * 86_400_000;
const askMs = 3_000;

/** "unknown": nobody can tell now whether they may still ask. */
type Decision = { readonly kind: "tell"; readonly place: Place } | { readonly kind: "skip" | "unknown" };

/** How many are told, or would be, as far as it is known without asking anyone. `left`: how many are left to tell. */
export async function countAskers(
  app: InsightApp,
  proof: Proof,
): Promise<{ readonly all: number; readonly left: number }> {
  const gap = await gapOfProof(app, proof);
  if (gap === undefined) return { all: 0, left: 0 };
  const resultAtMs = proof.result?.atMs ?? Number.POSITIVE_INFINITY;
  const told = gap.askers.filter(({ toldAtMs }) => toldAtMs !== undefined && toldAtMs >= resultAtMs).length;
  const left = askersOf(app, proof, gap).length;
  return { all: left + told, left };
}

/**
 * Can be repeated: nobody is told twice. Returns whether something is left that can be decided later. Rejects while
 * storage is unreachable.
 */
export async function tellAskers(
  app: InsightApp,
  proof: Proof,
  note: Said,
  signal: AbortSignal,
): Promise<"all" | "some-left"> {
  const { gaps, notices, clock } = app;
  const gap = await gapOfProof(app, proof);
  if (gap === undefined) return "all";
  const told = new Set<string>();
  let isLeft = false;
  for (const asker of askersOf(app, proof, gap)) {
    signal.throwIfAborted();
    const decision = await decideSafely(app, asker, proof);
    if (decision.kind === "unknown") isLeft = true;
    if (decision.kind !== "tell") continue;
    await notices.post({
      key: `told/${proof.answer.id}/${asker.turnId}`,
      place: decision.place,
      document: toldDocument(isPage(app, proof) ? undefined : asker.actor, note, clock.now()),
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
}

export async function gapOfProof({ gaps }: InsightApp, proof: Proof): Promise<Gap | undefined> {
  return proof.gapId === undefined ? undefined : gaps.get(proof, proof.gapId);
}

const isPage = ({ sites }: InsightApp, { platform }: Pick<Proof, "platform">) =>
  sites.get(platform)?.platform.isOwnPage === true;

/** Where people don't sign in, each conversation is someone else's. */
function personOf(app: InsightApp, asker: Asker): string {
  return isPage(app, asker.place) ? conversationKey(asker.place) : asker.actor.id;
}

function isAuthor(app: InsightApp, asker: Asker, { actor, answer }: Proof): boolean {
  if (isPage(app, asker.place)) return false;
  return asker.actor.id === actor.id || personKey(asker.place, asker.actor) === answer.by.key;
}

/** Each person's newest question, of those who would be told as far as the gap tells. */
function askersOf(app: InsightApp, proof: Proof, gap: Gap): readonly Asker[] {
  const newest = new Map<string, Asker>();
  for (const asker of gap.askers.toSorted((one, other) => other.atMs - one.atMs)) {
    const person = personOf(app, asker);
    if (asker.actor.id !== "" && !newest.has(person)) newest.set(person, asker);
  }
  return [...newest.values()].filter(
    (asker) =>
      asker.tell !== false &&
      asker.toldAtMs === undefined &&
      app.clock.now() - asker.atMs <= maxAgeMs &&
      workspaceKey(asker.place) === workspaceKey(proof) &&
      !isAuthor(app, asker, proof),
  );
}

async function decide(app: InsightApp, asker: Asker, { agent }: Proof): Promise<Decision> {
  const { sites, reach, clock } = app;
  const turn = await app.state.turns.get(asker.turnId);
  if (turn === undefined || turn.isForgotten === true) return { kind: "skip" };
  const platform = sites.get(turn.conversation.platform)?.platform;
  if (platform === undefined) return { kind: "skip" };
  const { platform: name, workspace, channel } = turn.conversation;
  // Later than the question, people may have left or lost a role.
  const found = await withTimeout(personNow(turn.actor, turn.askedIn, platform), askMs, clock);
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
async function decideSafely(app: InsightApp, asker: Asker, proof: Proof): Promise<Decision> {
  try {
    return await decide(app, asker, proof);
  } catch (err) {
    app.log.info({ err, turnId: asker.turnId }, "Whether an asker may still ask there could not be found out");
    return { kind: "unknown" };
  }
}
