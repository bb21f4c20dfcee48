/** Handles Approve and Deny. A press can come twice, late, from another instance, or from someone who may not decide. */

import { refusalDocument, refusalError } from "../../access/refusal.ts";
import { ParleyError } from "../../core/errors.ts";
import type { ApprovalDecision } from "../../core/model/approval.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { ChatPlatform, Inbound } from "../../core/ports/chat-platform.ts";
import { approvalInputDocument } from "../../presentation/drawing.ts";
import { approvalSentences } from "../../presentation/sentences.ts";

import type { IntakeApp } from "../intake/app.ts";
import { currentAsker, turnHere } from "../turn/pressed.ts";
import { currentApproval } from "./approval.ts";
import type { Decided } from "./decisions.ts";

const says = {
  notAsker: (name: string) => ({
    what: `Only ${name}, who asked the question, can approve or deny this.`,
    hint: "Ask them to decide.",
  }),
  alreadyDecided: (isApproved: boolean, name: string | undefined) => ({
    what: `This was already ${isApproved ? "approved" : "denied"}${name === undefined ? "" : ` by ${name}`}.`,
    hint: "Nothing more is needed.",
  }),
};

type Press = Extract<Inbound, { kind: "action" }>;

const ours: readonly string[] = ["approve", "deny", "approval-input"];

/** Throws unless that person may decide about the agent's calls there, now. */
async function mayDecide(app: IntakeApp, turn: Turn, inbound: Press, platform: ChatPlatform): Promise<void> {
  const { approvers } = app.settings;
  if (approvers === "asker" && inbound.actor.id !== turn.actor.id) {
    await auditRefusal(app, turn, inbound);
    throw new ParleyError("not_allowed", says.notAsker(turn.actor.name));
  }
  await check(app, turn, inbound, platform, approvers === "manage" ? "manage" : "ask");
}

async function check(
  app: IntakeApp,
  turn: Turn,
  inbound: Press,
  platform: ChatPlatform,
  action: "manage" | "ask",
): Promise<void> {
  const { reach, people } = app;
  const { roles } = app.settings;
  const who = await currentAsker(turn, inbound, platform, people);
  const { agent } = turn;
  const alone = reach.may(who.actor, action, who.place);
  const isChecked = !alone.allowed || agent === undefined;
  const verdict = isChecked ? alone : await reach.mayAgent(who.actor, action, who.place, agent, { isKnown: true });
  if (verdict.allowed) return;
  await auditRefusal(app, turn, inbound);
  if (verdict.why !== "role") throw refusalError(who.actor, verdict, agent?.name);
  throw new Refused(await refusalDocument(inbound, verdict, roles.managers, people));
}

async function auditRefusal(app: IntakeApp, turn: Turn, inbound: Press): Promise<void> {
  const { approvers } = app.settings;
  const role = approvers === "manage" ? "manage" : "ask";
  const about = { agent: turn.agent?.name, ref: turn.ref };
  await app.audit.record(inbound, { role, action: inbound.action, about, outcome: "refused" });
}

async function decide(app: IntakeApp, turn: Turn, key: string, inbound: Press): Promise<void> {
  const { decisions, clock } = app;
  const { id, name } = inbound.actor;
  const isApproved = inbound.action === "approve";
  const decision: ApprovalDecision = { isApproved, how: "person", by: { id, name }, atMs: clock.now() };
  const decided = await decisions.decide(turn.id, key, decision);
  const refusal = refusalOf(decided, decision);
  if (refusal !== undefined) throw refusal;
}

async function showWhole(
  app: IntakeApp,
  turn: Turn,
  key: string,
  inbound: Press,
  platform: ChatPlatform,
): Promise<void> {
  const { commandLimit } = app;
  const tooMany = await commandLimit.refuse(inbound.actor, inbound.place);
  if (tooMany !== undefined) throw tooMany;
  await check(app, turn, inbound, platform, "ask");
  const request = currentApproval(turn)?.requests.find((one) => one.key === key);
  if (request === undefined) throw new ParleyError("approval_over");
  await inbound.reply.send(approvalInputDocument(turn.agent?.name ?? "", request), "private");
}

export function isApprovalPress(action: string): boolean {
  return ours.includes(action);
}

/** A decision is stored before it is acknowledged. Throws ParleyError, which is shown privately. */
export async function pressApproval(app: IntakeApp, inbound: Press, platform: ChatPlatform): Promise<void> {
  const { turns } = app.state;
  const [id = "", key = ""] = inbound.value.split(" ");
  const isReading = inbound.action === "approval-input";
  if (isReading) await inbound.ack({ kind: "defer-private" });
  try {
    const turn = await turnHere(turns, id, inbound);
    if (isReading) return await showWhole(app, turn, key, inbound, platform);
    await mayDecide(app, turn, inbound, platform);
    await decide(app, turn, key, inbound);
    await inbound.ack({ kind: "none" });
  } catch (failure) {
    if (!isReading) await inbound.ack({ kind: "defer-private" });
    if (!(failure instanceof Refused)) throw failure;
    await inbound.reply.send(failure.document, "private");
  }
}

/** Says whom to ask instead. */
class Refused extends Error {
  readonly document: Awaited<ReturnType<typeof refusalDocument>>;

  constructor(document: Awaited<ReturnType<typeof refusalDocument>>) {
    super("not allowed");
    this.document = document;
  }
}

/** Undefined if the decision counts, also when the same person presses the same button twice. */
function refusalOf(decided: Decided, wanted: ApprovalDecision): ParleyError | undefined {
  switch (decided.kind) {
    case "stored":
      return undefined;
    case "over":
      return new ParleyError("approval_over");
    case "before": {
      const { isApproved, how, by } = decided.decision;
      if (how !== "person") return new ParleyError("approval_over", approvalSentences.expired);
      if (by?.id === wanted.by?.id && isApproved === wanted.isApproved) return undefined;
      return new ParleyError("approval_over", says.alreadyDecided(isApproved, by?.name));
    }
    default:
      return decided satisfies never;
  }
}
