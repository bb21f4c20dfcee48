/**
 * The life of one Turn in this process: its place in the lane, its run, its end. Every step is stored before the next
 * one begins, so that any instance can go on after this one died: asked again if there was no answer yet,
 * delivered again if there was. The end is shown before it is recorded as shown, never the other way round.
 */
import type { Log } from "../operations/log.ts";
import { chooseAgentDocument } from "../presentation/choose-agent-document.ts";
import type { Circuit } from "./circuit.ts";
import { ParleyError, toParleyError } from "./errors.ts";
import { type HeldLane, holdLane, laneOf, takeItsLane, takeLane } from "./lane.ts";
import type { Pace } from "./pace.ts";
import type { AgentService } from "./ports/agent-service.ts";
import type { ChatPlatform } from "./ports/chat-platform.ts";
import type { Clock } from "./ports/clock.ts";
import type { Delivery, ReplyWriter } from "./ports/delivery.ts";
import type { BridgeMetrics } from "./ports/metrics.ts";
import { type Coordinator, type Lease, type TurnStore, unfinishedTurnStates } from "./ports/state.ts";
import { type PreparationDeps, type Prepared, passContext, prepareTurn } from "./preparation.ts";
import { run } from "./run.ts";
import { removeToldToWait } from "./told-to-wait.ts";
import { endTurn, outcomeOf } from "./turn-end.ts";
import { createPicture, type Picture } from "./turn-picture.ts";
import { hasPlace } from "./turn-place.ts";
import { createRecord, type TurnRecord } from "./turn-record.ts";
import { failWith, stopView } from "./turn-view.ts";
import type { Turn, TurnView } from "./words.ts";

/** A platform and what writes to it. */
export type Site = { readonly platform: ChatPlatform; readonly delivery: Delivery };

export type TurnDeps = PreparationDeps & {
  readonly service: AgentService;
  readonly turns: TurnStore;
  readonly coordinator: Coordinator;
  readonly sites: ReadonlyMap<string, Site>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: BridgeMetrics;
  readonly circuit: Circuit;
  readonly pace: Pace;
};

/** How the process speaks to a living Turn. `signal` is a fresh one after each restart. */
export type TurnControl = {
  readonly signal: () => AbortSignal;
  readonly renew: () => void;
  /** Told when it holds its lane, for counting and for draining. */
  readonly onRunning: () => void;
};

/**
 * `isTakenUp`: it was found in the store, and may be living on another instance. Nothing of it is shown before its lane
 * is free, that is, before whoever held it has ended or died.
 */
export async function liveTurn(
  turnId: string,
  isTakenUp: boolean,
  control: TurnControl,
  deps: TurnDeps,
): Promise<void> {
  const { turns, coordinator, clock } = deps;
  const known = await turns.get(turnId);
  if (known === undefined || !unfinishedTurnStates.includes(known.state)) return;
  const site = deps.sites.get(known.conversation.platform);
  if (site === undefined) return;
  let lease: Lease | undefined;
  let held: HeldLane | undefined;
  let writer: ReplyWriter | undefined;
  let ended: Turn | undefined;
  try {
    let turn = known;
    if (isTakenUp) {
      const taken = await takeItsLane(known, control, deps);
      if (taken === undefined) return;
      ({ lease, turn } = taken);
    }
    const record = createRecord(turn, deps);
    if (lease !== undefined) {
      held = holdLane(lease, record, deps);
      // From here on whoever had it before, and may still believe to have it, is refused.
      if ((await record.move(turn.state, {})) === "refused") return;
    }
    if (!(await hasPlace(record, site, deps))) return;
    writer = openReply(record, isTakenUp, site, () => held?.mayShow() ?? true);
    const picture = createPicture(record.turn(), site.platform, writer, clock);
    if (held === undefined || laneOf(record.turn()) !== laneOf(turn)) {
      await held?.release();
      lease = await takeLane(record.turn(), control, picture, deps);
      if (lease === undefined) return;
      held = holdLane(lease, record, deps);
    }
    control.onRunning();
    await underLane(record, control, picture, writer, site, deps);
    if (!unfinishedTurnStates.includes(record.turn().state)) ended = record.turn();
  } catch (failure) {
    // What is stored stays unfinished, so it is taken up again; the reason must be in the log.
    deps.log.error({ err: failure, turnId, ref: known.ref }, "A question could not be carried to its end");
    await coordinator.lanes.remove(laneOf(known), turnId).catch(() => undefined);
  } finally {
    await writer?.close();
    await (held ?? lease)?.release();
  }
  const isElsewhereToo = deps.settings.isShared && site.platform.everyInstanceHears === true;
  if (ended === undefined || !isElsewhereToo) return;
  await removeToldToWait(ended, site.platform, clock).catch((failure: unknown) =>
    deps.log.info({ err: failure, turnId }, "Whether somebody was told to wait could not be seen"),
  );
}

async function underLane(
  record: TurnRecord,
  control: TurnControl,
  picture: Picture,
  writer: ReplyWriter,
  site: Site,
  deps: TurnDeps,
): Promise<void> {
  const { clock } = deps;
  for (;;) {
    const turn = await record.refresh();
    if (turn === undefined) return;
    const startedAtMs = clock.now();
    let firstChunkMs: number | undefined;
    let prepared: Prepared | undefined;
    let view: TurnView;
    const onFailure = (error: ParleyError) =>
      deps.log.warn({ err: error, turnId: turn.id, ref: turn.ref }, "A question could not be answered");
    const onUnpassed = (err: unknown) =>
      deps.log.warn({ err, turnId: turn.id, ref: turn.ref }, "The next question may be told what this one was told");
    if (turn.outcome !== undefined) {
      view = turn.outcome;
    } else if (turn.stopRequestedBy !== undefined) {
      view = stopView(picture.view(), clock.now());
    } else {
      prepared = await prepareIfReachable(turn, site, deps);
      if (prepared.kind === "choose") {
        await offerAgents(record, prepared.agents, picture, writer, deps);
        return;
      }
      if (prepared.kind === "failed") {
        onFailure(prepared.error);
        view = failWith(picture.view(), prepared.error, clock.now());
      } else {
        const { project, agent, context, messages } = prepared;
        picture.show({ ...picture.view(), agent });
        const end = await run({
          ...{ service: deps.service, coordinator: deps.coordinator, clock, project, agent, messages },
          place: turn.conversation,
          view: picture.view(),
          heartbeatMs: deps.settings.heartbeatMs,
          circuit: deps.circuit,
          isAskedAgain: turn.attempt > 1,
          waitForPace: (signal, onWait) => deps.pace.wait(turn, signal, onWait),
          signal: AbortSignal.any([control.signal(), record.taken]),
          onView: picture.show,
          onPermit: async () => {
            const begun = await record.move("running", { agent: { project, name: agent }, context, startedAtMs });
            if (begun === "stored") await passContext(turn, deps.conversations).catch(onUnpassed);
            picture.show({ ...picture.view(), state: "running" });
          },
          onStream: deps.metrics.streamsChanged,
          onFirstEvent: () => {
            firstChunkMs = clock.now() - startedAtMs;
          },
          onFailure,
        });
        const newest = await record.refresh(1_500).catch(() => undefined);
        const isStale = newest !== undefined && newest.attempt !== turn.attempt;
        if (end.kind === "concluded" && !isStale) {
          view = end.view;
        } else if (end.kind === "concluded" || end.by.kind === "restart") {
          // The question's words were changed meanwhile.
          control.renew();
          picture.reset(record.turn());
          continue;
        } else if (end.by.kind === "taken") {
          return;
        } else if (end.by.kind === "drain") {
          await record.move("interrupted", {});
          deps.metrics.turnEnded("interrupted", { totalMs: clock.now() - startedAtMs });
          return;
        } else {
          view = stopView(end.view, clock.now());
        }
      }
    }
    await endTurn(record, view, prepared?.kind === "ready" ? prepared.question : undefined, writer, site, deps);
    deps.metrics.turnEnded(outcomeOf(view), {
      ...(firstChunkMs === undefined ? {} : { firstChunkMs }),
      totalMs: clock.now() - startedAtMs,
    });
    return;
  }
}

/** Of a service that is not there nothing is asked, not even which agents it has. */
async function prepareIfReachable(turn: Turn, site: Site, deps: TurnDeps): Promise<Prepared> {
  try {
    deps.circuit.check(turn.attempt > 1);
  } catch (failure) {
    return { kind: "failed", error: toParleyError(failure) };
  }
  const prepared = await prepareTurn(turn, site.platform, deps);
  if (prepared.kind === "failed") deps.circuit.failed(prepared.error, "look-up");
  return prepared;
}

/** Of several agents the asker chooses; the button asks this Turn again, in the same Reply. */
async function offerAgents(
  record: TurnRecord,
  agents: readonly string[],
  picture: Picture,
  writer: ReplyWriter,
  deps: TurnDeps,
): Promise<void> {
  const turn = record.turn();
  await writer.finish(chooseAgentDocument(turn.id, agents));
  const view = failWith(picture.view(), new ParleyError("agent_choice"), deps.clock.now());
  await record.move("failed", { outcome: view, endedAtMs: deps.clock.now() });
}

function openReply(record: TurnRecord, isTakenUp: boolean, site: Site, mayShow: () => boolean): ReplyWriter {
  const turn = record.turn();
  // Without a stored part: the process may have died right after its first post, or have told the person to wait while
  // nothing could be stored. Look before posting.
  const isNotTheFirst = isTakenUp || turn.state !== "queued" || turn.isRepeated === true;
  const mayHavePosted = isNotTheFirst && turn.reply.parts.length === 0;
  const parts = mayHavePosted ? [{ index: 0, state: "intended" as const }] : turn.reply.parts;
  return site.delivery.open({
    replyId: turn.id,
    reply: { ...turn.reply, parts },
    save: record.saveReply,
    mayHaveTwins: turn.isRepeated === true,
    mayShow,
  });
}
