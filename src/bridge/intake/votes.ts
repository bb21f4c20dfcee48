/**
 * Handles 👍 and 👎 below an answer, and the form behind 👎. The vote counts without the form, and the same thumb again
 * takes it back.
 */

import { refusalDocument } from "../../access/refusal.ts";
import type { Voter, Voting } from "../../core/content/voting.ts";
import type { Form, FormField, FormValues } from "../../core/document.ts";
import { ParleyError, toParleyError } from "../../core/errors.ts";
import type { FeedbackReason } from "../../core/model/insight.ts";
import type { Thumb, Turn } from "../../core/model/turn.ts";
import type { Acknowledgement, Inbound } from "../../core/ports/chat-platform.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { cleanText, infoDocument } from "../../presentation/drawing.ts";
import { pictures, shorten } from "../../presentation/sentences.ts";
import { sendAway, sentAway } from "../overheard/send-away.ts";
import { turnHere } from "../turn/pressed.ts";
import { claimMs, type IntakeApp, type Of, type Press } from "./app.ts";

const says = {
  saved: (thumb: Thumb): string => `Your ${pictures[thumb]} is saved.`,
  changed: (thumb: Thumb): string => `Your vote is now ${pictures[thumb]}.`,
  takenBack: (thumb: Thumb): string => `Your ${pictures[thumb]} is taken back.`,
};

type Submission = Of<"form">;

/** What became of a press, once storage has answered. */
type Outcome =
  | { readonly kind: "voted"; readonly turn: Turn; readonly before: Thumb | undefined; readonly isTakenBack: boolean }
  /** A 👎 below an answer that nobody asked for: it goes. */
  | { readonly kind: "sent-away" }
  | { readonly kind: "repeated" }
  | { readonly kind: "refused"; readonly error: ParleyError };

const thumbs: Readonly<Record<string, Thumb>> = { "thumb-up": "up", "thumb-down": "down" };
/** A press or a form is acknowledged once its vote is stored, but no later than this: 3 s is the platforms' limit. */
const storedWithinMs = 1_000;

/** Stores the vote. `isFormOpen`: a vote whose reason is asked for stays. */
async function vote(app: IntakeApp, inbound: Press, thumb: Thumb, isFormOpen: () => boolean): Promise<Outcome> {
  const { voting, commandLimit, shownEnd } = app;
  const { turns, claims } = app.state;
  try {
    if (!(await claims.claim(inbound.eventKey, claimMs))) return { kind: "repeated" };
    const error = await commandLimit.refuse(inbound.actor, inbound.place);
    if (error !== undefined) return { kind: "refused", error };
    const turn = await turnHere(turns, inbound.value, inbound);
    const voter = voterOf(inbound);
    const before = await known(voting).own(turn, voter.id);
    const isTakenBack = before === thumb && inbound.keepsPressed !== true && !isFormOpen();
    if (isTakenBack) await known(voting).takeBack(turn, voter.id);
    else if (before !== thumb) await known(voting).give(turn, voter, thumb);
    if (thumb === "down" && !isTakenBack && (await sendAway(app, turn))) return { kind: "sent-away" };
    shownEnd.changed(turn.id);
    return { kind: "voted", turn, before, isTakenBack };
  } catch (failure) {
    return { kind: "refused", error: toParleyError(failure) };
  }
}

/** Nothing for 👎: the form that opened says that it counts. */
function saidOf(thumb: Thumb, { before, isTakenBack }: Extract<Outcome, { kind: "voted" }>): string | undefined {
  if (isTakenBack) return says.takenBack(thumb);
  if (thumb === "down") return undefined;
  return before === undefined || before === thumb ? says.saved(thumb) : says.changed(thumb);
}

/** Only one's own question in a direct message is one's own to share. */
function isOwnToShare(app: IntakeApp, turn: Turn, inbound: Inbound): boolean {
  const { reach } = app;
  const isUnread = reach.isDirect(turn.askedIn) && turn.visibility !== "public";
  return turn.actor.id === inbound.actor.id && isUnread;
}

function acknowledgementOf(app: IntakeApp, thumb: Thumb, inbound: Press, early: Outcome | undefined): Acknowledgement {
  if (early?.kind === "repeated") return { kind: "none" };
  if (early?.kind === "sent-away") return { kind: "defer-private" };
  const isTakenBack = early?.kind === "voted" && early.isTakenBack;
  if (thumb === "up" || early?.kind === "refused" || isTakenBack) return { kind: "defer-private" };
  const isAsker = early?.turn.actor.id === inbound.actor.id;
  const canShare = early !== undefined && isOwnToShare(app, early.turn, inbound);
  return { kind: "form", form: formOf(inbound.value, { isAsker, canShare }) };
}

/** Stores what the form says, for people who can ask there. Undefined for a repeated event. */
async function explain(app: IntakeApp, inbound: Submission): Promise<{ readonly isTold: boolean } | undefined> {
  const { voting, commandLimit, shownEnd } = app;
  const { turns, claims } = app.state;
  if (!(await claims.claim(inbound.eventKey, claimMs))) return undefined;
  const tooMany = await commandLimit.refuse(inbound.actor, inbound.place);
  if (tooMany !== undefined) throw tooMany;
  const turn = await turnHere(turns, inbound.context, inbound);
  const tell = isTicked(inbound.values, "tell") && turn.actor.id === inbound.actor.id;
  const isSharing = isOwnToShare(app, turn, inbound) && isTicked(inbound.values, "share");
  const isShared = isSharing ? (true as const) : undefined;
  const explanation = { ...written(inbound.values), tell, isShared };
  await known(voting).explain(turn, voterOf(inbound), explanation);
  shownEnd.changed(turn.id);
  return { isTold: tell };
}

export function isVoteForm(id: string): boolean {
  return id === formId;
}

/** For people who can ask there. Throws ParleyError, which is shown to them privately. */
export async function pressVote(app: IntakeApp, inbound: Press): Promise<void> {
  const { clock } = app;
  const thumb = thumbs[inbound.action] ?? "up";
  let isFormOpen = false;
  const voted = vote(app, inbound, thumb, () => isFormOpen);
  // Whatever storage does, the form opens in time.
  const acknowledgement = acknowledgementOf(app, thumb, inbound, await withTimeout(voted, storedWithinMs, clock));
  isFormOpen = acknowledgement.kind === "form";
  await inbound.ack(acknowledgement);
  const outcome = await voted;
  if (outcome.kind === "refused") throw outcome.error;
  if (outcome.kind === "sent-away") return inbound.reply.send(sentAway, "private");
  const said = outcome.kind === "voted" ? saidOf(thumb, outcome) : undefined;
  if (said !== undefined) await inbound.reply.send(infoDocument(said), "private");
}

/** Sending it is a 👎, also if that was taken back meanwhile. */
export async function submitVote(app: IntakeApp, inbound: Submission): Promise<void> {
  const { reach, people, settings, clock } = app;
  const verdict = reach.may(inbound.actor, "ask", inbound.place);
  const explained = verdict.allowed ? explain(app, inbound) : undefined;
  if (explained !== undefined) await withTimeout(explained, storedWithinMs, clock);
  await inbound.ack({ kind: "defer-private" });
  if (!verdict.allowed) {
    await inbound.reply.send(await refusalDocument(inbound, verdict, settings.roles.managers, people), "private");
    return;
  }
  const stored = await explained;
  if (stored === undefined) return;
  const said = stored.isTold ? "Your 👎 is saved. I'll tell you when it's fixed." : says.saved("down");
  await inbound.reply.send(infoDocument(said), "private");
}

function voterOf({ voter, actor }: Pick<Inbound, "voter" | "actor">): Voter {
  return { id: voter ?? actor.id, actor: { id: actor.id, name: actor.name } };
}

function known(voting: Voting | undefined): Voting {
  if (voting === undefined) throw new ParleyError("internal");
  return voting;
}

const feedbackReasons: readonly FeedbackReason[] = ["wrong", "incomplete", "outdated", "not-what-i-asked"];

const feedbackForm = {
  title: "What was wrong?",
  submitLabel: "Send",
  reason: { label: "Reason" },
  reasons: {
    wrong: "Wrong",
    incomplete: "Incomplete",
    outdated: "Outdated",
    "not-what-i-asked": "Not what I asked",
  } satisfies Readonly<Record<FeedbackReason, string>>,
  comment: { label: "Comment", hint: "People who add answers can read it." },
  tell: { label: "Follow-up", choice: "Tell me when it's fixed" },
  share: {
    label: "Your question",
    choice: "Share this question with the team",
    hint: "Otherwise only you see what you asked here.",
  },
} as const;

const formId = "feedback";
const maxCommentChars = 1_000;
const ticked = "yes";

/** Who didn't ask has no thread in which they could be told. Only the question of a direct message can be shared. */
function formOf(
  context: string,
  { isAsker, canShare }: { readonly isAsker: boolean; readonly canShare: boolean },
): Form {
  const { title, submitLabel, reasons, reason, comment, tell, share } = feedbackForm;
  const choices = feedbackReasons.map((value) => ({ value, label: reasons[value] }));
  const asked: FormField[] = [
    { name: "reason", type: "select", ...reason, isRequired: false, showsAll: true, choices },
    { name: "comment", type: "multiline", ...comment, isRequired: false, maxChars: maxCommentChars },
  ];
  const own = [...(isAsker ? [tick("tell", tell, true)] : []), ...(canShare ? [tick("share", share, false)] : [])];
  return { id: formId, title, submitLabel, context, fields: [...asked, ...own] };
}

type TickWords = { readonly label: string; readonly choice: string; readonly hint?: string };

function tick(name: string, { label, choice, hint }: TickWords, isOn: boolean): FormField {
  return {
    name,
    type: "multiselect",
    label,
    isRequired: false,
    allowsFree: false,
    showsAll: true,
    hint,
    choices: [{ value: ticked, label: choice }],
    initial: isOn ? [ticked] : [],
  };
}

function isTicked(values: FormValues, name: string): boolean {
  const value = values[name];
  return value === ticked || (Array.isArray(value) && value.includes(ticked));
}

/** Values are untrusted: a form can be sent with anything in it. */
function written({ reason, comment }: FormValues) {
  const text = typeof comment === "string" ? shorten(cleanText(comment).trim(), maxCommentChars) : "";
  return {
    reason: feedbackReasons.find((known) => known === reason),
    comment: text === "" ? undefined : text,
  };
}
