/** What a run asks approval for: collected from its events, as a record, and as views of its Turn. */

import { createHash } from "node:crypto";
import type { AgentEvent, RunHandle, ServiceThread } from "../../core/model/agent-event.ts";
import {
  type Approval,
  type ApprovalRequest,
  type ApprovalResponse,
  type Approvers,
  type PendingRequest,
  type ShownDecision,
  undecided,
} from "../../core/model/approval.ts";
import type { Turn, TurnView } from "../../core/model/turn.ts";
import { approvalMinutes, readableInput } from "../../presentation/drawing.ts";

/** In one run, and in one answer. Nobody reads more, and an agent that is denied may ask for the same again. */
const maxRequests = 10;
const maxRounds = 10;
const maxNameChars = 200;
const keyChars = 16;
/** Of the arguments, laid out over lines. */
const maxInputChars = 12_000;
const maxStatusChars = 2_000;
/** Beyond this nothing is collected: the answer ends as soon as there is more than people are asked. */
const maxCollected = 50;

export type Asks = {
  readonly requests: readonly ApprovalRequest[];
  readonly run?: RunHandle;
  readonly thread?: ServiceThread;
};

export function createAsks() {
  /** By id: a service may repeat a request at its end. */
  const requests = new Map<string, ApprovalRequest>();
  let run: RunHandle | undefined;
  let thread: ServiceThread | undefined;
  return {
    note: (event: AgentEvent): void => {
      if (event.type === "run") run = event.run;
      if (event.type === "thread") thread = event.thread;
      if (event.type === "approval-requested" && requests.size < maxCollected) {
        requests.set(event.request.id, event.request);
      }
    },
    isAny: () => requests.size > 0,
    found: (): Asks => ({ requests: [...requests.values()], run, thread }),
  };
}

/** The approval that counts: an edit and a Try again make an earlier one void. */
export function currentApproval({ approval, attempt }: Pick<Turn, "approval" | "attempt">): Approval | undefined {
  return approval?.attempt === attempt ? approval : undefined;
}

/** Undefined if the agent asked too often, or for too much at once. */
export function createApproval(turn: Turn, { requests, run, thread }: Asks, nowMs: number): Approval | undefined {
  const round = (currentApproval(turn)?.round ?? 0) + 1;
  if (round > maxRounds || requests.length > maxRequests) return undefined;
  const { id, attempt } = turn;
  const about = `${id}/${attempt}/${round}/${nowMs}`;
  return {
    attempt,
    round,
    requests: requests.map((request, index) => pending(request, `${about}/${index}`)),
    askedAtMs: nowMs,
    expiresAtMs: nowMs + approvalMinutes * 60_000,
    run,
    thread,
  };
}

function pending({ id, tool, server, input, inputOmittedChars }: ApprovalRequest, about: string): PendingRequest {
  const all = JSON.stringify([about, id, tool, server, input, inputOmittedChars]);
  const key = createHash("sha256").update(all).digest("hex").slice(0, keyChars);
  const names = { tool: tool.slice(0, maxNameChars), server: server?.slice(0, maxNameChars) };
  // Only people read it from here on: the service has its own, and is told the request's id.
  const readable = readableInput(input);
  const kept = readable.slice(0, maxInputChars).toWellFormed();
  const omitted = readable.length - kept.length + (inputOmittedChars ?? 0);
  return { id, ...names, input: kept, inputOmittedChars: omitted === 0 ? undefined : omitted, key };
}

/** The view to store while people decide. What the agent has said so far is its status: the answer is yet to come. */
export function viewSoFar(view: TurnView): TurnView {
  const { answer, answerOmittedChars: _cut, isWriting: _grew, placeInLine: _line, asksFor: _asked, ...rest } = view;
  const status = answer === undefined || answer.trim() === "" ? view.status : answer.slice(0, maxStatusChars);
  return { ...rest, state: "running" as const, status };
}

/** Undefined unless people are to decide about something. */
export function waitingView(turn: Turn, approvers: Approvers): TurnView | undefined {
  const approval = currentApproval(turn);
  const request = approval && undecided(approval);
  if (approval === undefined || request === undefined || turn.soFar === undefined) return undefined;
  if (turn.state !== "waiting" || turn.outcome !== undefined) return undefined;
  const { id, name } = turn.actor;
  const [number, count] = [approval.requests.indexOf(request) + 1, approval.requests.length];
  return {
    ...turn.soFar,
    state: "waiting",
    asksFor: { request, number, count, approvers, asker: { id, name } },
    decisions: [...(turn.soFar.decisions ?? []), ...shownDecisions(approval)],
  };
}

/** After all decisions. The time that people took doesn't count as time that the agent took. */
export function continuedView(soFar: TurnView, approval: Approval, nowMs: number): TurnView {
  const { startedAtMs, status: _said, ...rest } = soFar;
  return {
    ...rest,
    state: "running" as const,
    decisions: [...(soFar.decisions ?? []), ...shownDecisions(approval)],
    startedAtMs: startedAtMs === undefined ? undefined : startedAtMs + nowMs - approval.askedAtMs,
  };
}

function shownDecisions({ requests }: Approval): readonly ShownDecision[] {
  return requests.flatMap(({ decision, tool, server }) =>
    decision === undefined
      ? []
      : [{ isApproved: decision.isApproved, how: decision.how, by: decision.by, tool, server }],
  );
}

/** Only what a person approved is approved. */
export function responsesTo({ requests }: Approval): readonly ApprovalResponse[] {
  return requests.map(({ id, decision }) => ({
    requestId: id,
    isApproved: decision?.isApproved === true && decision.how === "person",
  }));
}

export function isAnyApproved(approval: Approval): boolean {
  return responsesTo(approval).some(({ isApproved }) => isApproved);
}
