/**
 * Shows what came of a proof: to the person who waits for it on any instance, else as a message that only they read. What
 * instances tell each other is a verb and the proof's key: "ended" is offered until "shown" comes.
 */

import type { App } from "../../app.ts";
import type { Document } from "../../core/document.ts";
import { ParleyError, toParleyError } from "../../core/errors.ts";
import { type Place, personKey } from "../../core/model/place.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { infoDocument, proofDocument } from "../../presentation/drawing.ts";
import { proofSentences } from "../../presentation/sentences.ts";
import type { InsightApp } from "../app.ts";
import { answeredBefore, forPersonNow, questionOf } from "./beginning.ts";
import { type Proof, proofKey } from "./proof.ts";
import { countAskers } from "./telling.ts";

const says = {
  /** In place of "Asking again…" when it takes longer than a private reply can be changed. */
  later: "It takes longer than usual. I'll keep trying for half an hour and send you what comes of it.",
};

/** Shown while it is asked. */
export const asking = infoDocument(proofSentences.asking, { tone: "running" });

/** Draws what came of it: the answers before and after, and how many people can be told. */
export async function drawProof(app: InsightApp, proof: Proof): Promise<Document> {
  const { id, gapId, answer, result, tell } = proof;
  if (result === undefined) return asking;
  const [before, question, { all: people }] = await Promise.all([
    answeredBefore(app, proof),
    questionOf(app, proof),
    countAskers(app, proof),
  ]);
  const { knowledgeBase, id: answerId } = answer;
  const author = answer.by.key === personKey(proof, proof.actor) ? undefined : answer.by.name;
  const about = { author, id, gapId, answerId, question, knowledgeBase, agent: proof.agent.name };
  return proofDocument({ ...about, before, result, people, tell, nowMs: app.clock.now() });
}

/** Perhaps later, for a person who has left the channel since, or lost the agent. */
export async function drawAgain(app: InsightApp, proof: Proof): Promise<Document> {
  const now = await forPersonNow(app, proof);
  if (now === undefined) throw new ParleyError("turn_gone", proofSentences.gone);
  return drawProof(app, now);
}

/** Private replies can be replaced for 15 minutes, and less when they were begun earlier. */
const watchedMs = 8 * 60_000;
/** A result may be there before the person waits for it. */
const comesMs = 2_000;
const offerEveryMs = 250;
const topic = "proofs";

type Watcher = {
  readonly end: Promise<Document>;
  readonly resolve: (document: Document) => void;
  /** It is offered more often than it can be drawn. */
  isDrawing: boolean;
};

/** `draw` draws what is stored of the proof with that key. */
export function createWatching(app: App, draw: (key: string) => Promise<Document | undefined>) {
  const { sites, notices, clock, log } = app;
  const { coordinator } = app.state;
  const watchers = new Map<string, Watcher>();
  /** Called when an instance has shown that result. */
  const offered = new Map<string, () => void>();
  // One that is lost is said again, or the person gets a message instead.
  const say = (verb: "ended" | "shown" | "slow", key: string) =>
    void coordinator.publish(topic, `${verb} ${key}`).catch(() => undefined);

  async function showHere(key: string): Promise<void> {
    const watcher = watchers.get(key);
    if (watcher === undefined || watcher.isDrawing) return;
    watcher.isDrawing = true;
    const document = await draw(key).finally(() => {
      watcher.isDrawing = false;
    });
    if (document === undefined) return;
    watcher.resolve(document);
    say("shown", key);
  }

  coordinator.subscribe(topic, (message) => {
    const [verb, key = ""] = message.split(" ");
    if (verb === "ended") showHere(key).catch((err: unknown) => log.info({ err }, "A proof could not be shown yet"));
    if (verb === "shown") offered.get(key)?.();
    if (verb === "slow") watchers.get(key)?.resolve(infoDocument(says.later));
  });

  function watch(key: string): Promise<Document> {
    const known = watchers.get(key);
    if (known !== undefined) return known.end;
    const { promise, resolve } = Promise.withResolvers<Document>();
    const cancel = clock.after(watchedMs, () => watchers.get(key)?.resolve(infoDocument(says.later)));
    const settle = (document: Document) => {
      cancel();
      watchers.delete(key);
      resolve(document);
    };
    watchers.set(key, { end: promise, resolve: settle, isDrawing: false });
    return promise;
  }

  /** Whether someone who waits for it has seen it. */
  async function isSeen(key: string): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<true>();
    let cancel = () => {};
    const offer = () => {
      say("ended", key);
      cancel = clock.after(offerEveryMs, offer);
    };
    offered.set(key, () => resolve(true));
    offer();
    const isShown = await withTimeout(promise, comesMs, clock);
    cancel();
    offered.delete(key);
    return isShown === true;
  }

  /** What was answered before may be private, so it is said nowhere else. */
  async function placeFor({ actor, place }: Proof): Promise<Place | undefined> {
    const platform = sites.get(place.platform)?.platform;
    if (platform?.isOwnPage === true || platform?.isDirect?.(place) === true) return place;
    return platform?.directPlace?.(actor, place, true);
  }

  return {
    watch,
    /** Those who wait get a message of their own later. */
    leave: (key: string) => say("slow", key),
    /** "later": the platform couldn't say where, and may soon. */
    show: async (proof: Proof): Promise<"done" | "later"> => {
      const key = proofKey(proof);
      if (await isSeen(key)) return "done";
      const document = await draw(key);
      if (document === undefined) return "done";
      const place = await placeFor(proof).catch((err: unknown) => {
        log.warn({ err, proof: proof.id }, "A person can't be reached by direct message");
        return isForGood(err) ? undefined : "later";
      });
      if (place === "later") return place;
      if (place === undefined) log.info({ proof: proof.id }, "What came of a proof was shown to nobody");
      else await notices.post({ key: `proof/${proof.id}/${proof.result?.atMs ?? 0}`, place, document });
      return "done";
    },
  };
}

const isForGood = (failure: unknown): boolean =>
  ["not_permitted", "place_gone", "thread_gone"].includes(toParleyError(failure).code);
