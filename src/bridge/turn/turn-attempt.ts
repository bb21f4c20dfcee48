/**
 * One attempt at an answer: choose the agent, wait, ask, follow the run. While it waits it holds nothing large:
 * thousands may wait at once.
 */

import type { Site } from "../../ports/delivery.ts";
import { ParleyError, toParleyError } from "../../ports/errors.ts";
import type { Turn } from "../../ports/model/turn.ts";
import { present } from "../../ports/tools/present.ts";
import { refusalNow } from "../access/turn-access.ts";
import type { Interruption } from "../interruption.ts";
import { type Chosen, chooseAgent, markContextSent, readQuestion } from "./preparation.ts";
import { markUnderWay, markWaiting } from "./resumption.ts";
import { type RunEnd, run } from "./run.ts";
import type { TurnControl, TurnDeps } from "./turn-deps.ts";
import type { Picture } from "./turn-picture.ts";
import type { TurnRecord } from "./turn-record.ts";
import { failWith } from "./turn-view.ts";

/** A decision this recent is not repeated. After a longer wait the asker may have lost access. */
const decidedMs = 1_000;

export type AttemptEnd =
  /** `attempt`: the Turn's attempt whose text was asked. */
  (RunEnd & { readonly attempt: number; readonly firstChunkMs?: number }) | Extract<Chosen, { kind: "choose" }>;

/** What the steps of a living Turn share. */
export type TurnWork = {
  readonly record: TurnRecord;
  readonly control: TurnControl;
  readonly picture: Picture;
  readonly site: Site;
};

export async function attempt({ record, control, picture, site }: TurnWork, deps: TurnDeps): Promise<AttemptEnd> {
  const { clock, log } = deps;
  const { id: turnId, ref, conversation, actor } = record.turn();
  let number = record.turn().attempt;
  const startedAtMs = clock.now();
  let firstChunkMs: number | undefined;
  const onFailure = (error: ParleyError) => log.warn({ err: error, turnId, ref }, "A question could not be answered");

  const chosen = await chooseUnlessDown(record.turn(), deps);
  if (chosen.kind === "choose") return chosen;
  if (chosen.kind === "failed") {
    onFailure(chosen.error);
    return { kind: "concluded", view: failWith(picture.view(), chosen.error, clock.now()), attempt: number };
  }
  const { project, agent } = chosen;
  picture.show({ ...picture.view(), agent });

  async function begin(signal: AbortSignal) {
    await markUnderWay(record);
    const turn = record.isTextDropped() ? await record.refresh() : record.turn();
    if (turn === undefined) throw endedElsewhere(record);
    number = turn.attempt;
    const isLong = clock.now() - startedAtMs > decidedMs;
    const refusal = isLong ? await refusalNow(turn, { project, name: agent }, deps) : undefined;
    if (refusal !== undefined) throw refusal;
    const { context, messages } = await readQuestion(turn, site.platform, signal, deps);
    const begun = await record.move("running", {
      agent: { project, name: agent },
      context,
      startedAtMs,
      isUnderWay: true,
    });
    if (begun === "stored") {
      await markContextSent(turn, deps.conversations).catch((err: unknown) =>
        log.warn(
          { err, turnId, ref },
          "The thread's messages could not be marked as sent: the next question may send them again",
        ),
      );
    }
    picture.show({ ...picture.view(), state: "running" });
    return messages;
  }

  // Forwarded by hand: one more combined signal would take more memory than everything else a waiting question holds.
  record.onTaken(() => control.interrupt({ kind: "taken" }));
  const end = await run({
    service: deps.service,
    coordinator: deps.coordinator,
    clock,
    project,
    agent,
    begin,
    place: conversation,
    view: picture.view(),
    heartbeatMs: deps.settings.heartbeatMs,
    circuit: deps.circuit,
    isAskedAgain: number > 1,
    waitForLimit: (signal, onWait) => deps.questionLimit.wait({ actor, conversation }, signal, onWait),
    signal: control.signal(),
    onView: picture.show,
    onWaiting: () => {
      record.dropText();
      void markWaiting(record);
    },
    onStream: deps.metrics.streamsChanged,
    onFirstEvent: () => {
      firstChunkMs = clock.now() - startedAtMs;
    },
    onFailure,
  }).finally(() => record.onTaken(undefined));
  return { ...end, ...present({ attempt: number, firstChunkMs }) };
}

/** A fresh signal for showing the end. Aborts with an Interruption. */
export function endingSignal({ control, record }: TurnWork): AbortSignal {
  control.renew(true);
  record.onTaken(() => control.interrupt({ kind: "taken" }));
  return control.signal();
}

/** The Turn has ended elsewhere. */
function endedElsewhere(record: TurnRecord): ParleyError {
  record.leave();
  return new ParleyError("stopped", { cause: { kind: "taken" } satisfies Interruption });
}

/** While the service is down, don't even list its agents. */
async function chooseUnlessDown(turn: Turn, deps: TurnDeps): Promise<Chosen> {
  try {
    deps.circuit.check(turn.attempt > 1);
  } catch (failure) {
    return { kind: "failed", error: toParleyError(failure) };
  }
  const chosen = await chooseAgent(turn, deps);
  if (chosen.kind === "failed") deps.circuit.failed(chosen.error, "look-up");
  return chosen;
}
