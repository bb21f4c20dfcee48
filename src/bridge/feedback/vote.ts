/**
 * Handles 👍 and 👎 below an answer, and the form behind 👎. The vote counts without the form, and the same thumb again
 * takes it back.
 */
import type { Acknowledgement, Inbound } from "../../ports/chat-platform.ts";
import type { Voter, Voting } from "../../ports/content/voting.ts";
import { ParleyError, toParleyError } from "../../ports/errors.ts";
import type { Thumb, Turn } from "../../ports/model/turn.ts";
import { present } from "../../ports/tools/present.ts";
import { soon } from "../../ports/tools/soon.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import { voteSentences } from "../../presentation/sentences.ts";
import type { CommandLimit } from "../access/command-limit.ts";
import type { People } from "../access/people.ts";
import { refusalDocument } from "../access/refusal.ts";
import { turnHere } from "../access/turn-here.ts";
import type { BridgeDeps } from "../deps.ts";
import { claimMs } from "../intake/message-intake.ts";
import { formId, formOf, isTicked, written } from "./feedback-form.ts";
import type { ShownVotes } from "./shown-votes.ts";

type Press = Extract<Inbound, { kind: "action" }>;
type Submission = Extract<Inbound, { kind: "form" }>;

/** What a press means, once storage has answered. */
type Meant =
  | { readonly kind: "vote"; readonly turn: Turn; readonly before: Thumb | undefined }
  | { readonly kind: "repeated" }
  | { readonly kind: "refused"; readonly error: ParleyError };

const thumbs: Readonly<Record<string, Thumb>> = { "thumb-up": "up", "thumb-down": "down" };
/** Part of the 3 s in which a form must be opened. */
const decidedWithinMs = 1_000;

export function createVoting(
  deps: BridgeDeps & {
    readonly people: People;
    readonly commandLimit: CommandLimit;
    readonly shownVotes: ShownVotes;
  },
) {
  const { turns, voting, claims, commandLimit, reach, people, settings, shownVotes, clock } = deps;

  async function meaningOf(inbound: Press): Promise<Meant> {
    try {
      if (!(await claims.claim(inbound.eventKey, claimMs))) return { kind: "repeated" };
      const error = await commandLimit.refuse(inbound.actor, inbound.place);
      if (error !== undefined) return { kind: "refused", error };
      const turn = await turnHere(turns, inbound.value, inbound);
      return { kind: "vote", turn, before: await known(voting).own(turn, voterOf(inbound).id) };
    } catch (failure) {
      return { kind: "refused", error: toParleyError(failure) };
    }
  }

  async function give(turn: Turn, inbound: Press, thumb: Thumb, before: Thumb | undefined): Promise<void> {
    await known(voting).give(turn, voterOf(inbound), thumb);
    shownVotes.changed(turn.id);
    // The form that opened says that the 👎 counts.
    if (thumb === "down") return;
    const said = before === undefined ? voteSentences.saved(thumb) : voteSentences.changed(thumb);
    await inbound.reply.send(infoDocument(said), "private");
  }

  async function takeBack(turn: Turn, inbound: Press, thumb: Thumb): Promise<void> {
    await known(voting).takeBack(turn, voterOf(inbound).id);
    shownVotes.changed(turn.id);
    await inbound.reply.send(infoDocument(voteSentences.takenBack(thumb)), "private");
  }

  /** False, after a private refusal, for people who can't ask there. */
  async function maySend(inbound: Submission): Promise<boolean> {
    const verdict = reach.may(inbound.actor, "ask", inbound.place);
    if (verdict.allowed) return true;
    await inbound.reply.send(await refusalDocument(inbound, verdict, settings.roles.managers, people), "private");
    return false;
  }

  /** Only one's own question in a direct message is one's own to share. */
  function isOwnToShare(turn: Turn, inbound: Inbound): boolean {
    const isUnread = reach.isDirect(turn.askedIn) && turn.visibility !== "public";
    return turn.actor.id === inbound.actor.id && isUnread;
  }

  function acknowledgementOf(thumb: Thumb, inbound: Press, meant: Meant | undefined): Acknowledgement {
    if (meant?.kind === "repeated") return { kind: "none" };
    const isRefused = meant?.kind === "refused";
    if (thumb === "up" || isRefused || meant?.before === "down") return { kind: "defer-private" };
    const isAsker = meant?.turn.actor.id === inbound.actor.id;
    const canShare = meant !== undefined && isOwnToShare(meant.turn, inbound);
    return { kind: "form", form: formOf(inbound.value, { isAsker, canShare }) };
  }

  return {
    isOurs: (action: string) => Object.hasOwn(thumbs, action),
    isOurForm: (id: string) => id === formId,

    /** For people who can ask there. Throws ParleyError, which is shown to them privately. */
    press: async (inbound: Press): Promise<void> => {
      const thumb = thumbs[inbound.action] ?? "up";
      const deciding = meaningOf(inbound);
      // Whatever storage does, the form opens in time.
      const early = await soon(deciding, decidedWithinMs, clock);
      const acknowledgement = acknowledgementOf(thumb, inbound, early);
      await inbound.ack(acknowledgement);
      const meant = early ?? (await deciding);
      if (meant.kind === "repeated") return;
      if (meant.kind === "refused") throw meant.error;
      const { turn, before } = meant;
      // A vote whose reason is asked for stays.
      if (before === thumb && acknowledgement.kind !== "form") return takeBack(turn, inbound, thumb);
      return give(turn, inbound, thumb, before);
    },

    /** Sending it is a 👎, also if that was taken back meanwhile. */
    submit: async (inbound: Submission): Promise<void> => {
      await inbound.ack({ kind: "defer-private" });
      if (!(await claims.claim(inbound.eventKey, claimMs)) || !(await maySend(inbound))) return;
      const tooMany = await commandLimit.refuse(inbound.actor, inbound.place);
      if (tooMany !== undefined) throw tooMany;
      const turn = await turnHere(turns, inbound.context, inbound);
      const tell = isTicked(inbound.values, "tell") && turn.actor.id === inbound.actor.id;
      const isSharing = isOwnToShare(turn, inbound) && isTicked(inbound.values, "share");
      const isShared = isSharing ? (true as const) : undefined;
      const explanation = { ...written(inbound.values), tell, ...present({ isShared }) };
      await known(voting).explain(turn, voterOf(inbound), explanation);
      shownVotes.changed(turn.id);
      const said = tell ? voteSentences.savedAndTold : voteSentences.saved("down");
      await inbound.reply.send(infoDocument(said), "private");
    },
  };
}

function voterOf({ voter, actor }: Pick<Inbound, "voter" | "actor">): Voter {
  return { id: voter ?? actor.id, actor: { id: actor.id, name: actor.name } };
}

function known(voting: Voting | undefined): Voting {
  if (voting === undefined) throw new ParleyError("internal");
  return voting;
}
