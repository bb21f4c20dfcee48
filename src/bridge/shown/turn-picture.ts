/** Opens the Reply of a living Turn, holds its newest view and draws it, unless nobody is to see it. */

import type { Approvers } from "../../core/model/approval.ts";
import type { Turn, TurnView } from "../../core/model/turn.ts";
import type { ChatPlatform } from "../../core/ports/chat-platform.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { ReplyWriter, Site } from "../../delivery/types.ts";
import { turnDocument } from "../../presentation/drawing.ts";
import { waitingView } from "../approval/approval-view.ts";
import type { TurnRecord } from "../turn/turn-record.ts";
import { initialView } from "../turn/view.ts";
import { newsOf } from "./news.ts";
import type { Tidying } from "./tidying.ts";

export type Picture = {
  readonly view: () => TurnView;
  readonly show: (view: TurnView) => void;
  /** Keeps the view without drawing it. */
  readonly keep: (view: TurnView) => void;
  /**
   * Draws the view again after `everyMs` without a change, so that the elapsed time moves, until the result is called.
   * Not more often: it would cost one more write.
   */
  readonly keepMoving: (everyMs: number) => () => void;
  /** Begins anew, after the question was edited or asked again. */
  readonly reset: (turn: Turn) => void;
};

/** `mayShow`: progress is skipped while it returns false. */
export function openReply(
  record: TurnRecord,
  site: Site,
  {
    isRecovered,
    mayShow,
    agent,
    tidying,
    approvers,
  }: {
    readonly isRecovered: boolean;
    readonly mayShow: () => boolean;
    /** Who will probably answer, if known before the first post. */
    readonly agent?: string | undefined;
    /** Removes progress that the end was posted beside. Absent: it never is. */
    readonly tidying?: Pick<Tidying, "note"> | undefined;
    readonly approvers: Approvers;
  },
  clock: Clock,
): { readonly writer: ReplyWriter; readonly picture: Picture } {
  const turn = record.turn();
  // Without a stored part: the process may have died right after its first post, or have posted an outage notice.
  // Search before posting.
  const isNotTheFirst = isRecovered || turn.state !== "queued" || turn.isRepeated === true;
  const mayHavePosted = isNotTheFirst && turn.reply.parts.length === 0;
  const parts = mayHavePosted ? [{ index: 0, state: "intended" as const }] : turn.reply.parts;
  const writer = site.delivery.open({
    replyId: turn.id,
    reply: { ...turn.reply, parts },
    save: async (reply) => {
      if (reply.superseded !== undefined) await tidying?.note(turn);
      await record.saveReply(reply);
    },
    mayHaveTwins: turn.isRepeated === true,
    mayHaveStatus: isRecovered,
    // What a dead process showed of an end that is stored already must not be shown twice.
    mayPostAnew: tidying !== undefined && turn.outcome === undefined,
    mayShow,
  });
  return { writer, picture: createPicture(turn, site.platform, writer, { agent, approvers }, clock) };
}

function createPicture(
  turn: Turn,
  platform: ChatPlatform,
  writer: Pick<ReplyWriter, "show">,
  { agent, approvers }: { readonly agent: string | undefined; readonly approvers: Approvers },
  clock: Clock,
): Picture {
  // In a thread opened for the question, the question is visible above. A Reply on its own, as in an existing thread,
  // shows the question itself.
  const { conversation, askedIn } = turn;
  const isAlone =
    platform.replyPlaces === undefined ||
    conversation.thread === askedIn.thread ||
    conversation.thread === undefined ||
    platform.replyPlaces.isInPlace?.(conversation) === true;
  const showsQuestion = turn.isPrivate === true || (turn.via !== "message" && isAlone);
  const fresh = (of: Turn, isResumed: boolean): TurnView => ({
    ...initialView({
      id: of.id,
      ref: of.ref,
      question: of.question,
      agent: of.agent?.name ?? of.requestedAgent ?? agent ?? "",
      askedBy: showsQuestion ? of.actor.name : undefined,
      repeats: of.repeats,
    }),
    state: "running",
    isResumed,
  });
  let { isQuiet } = turn;
  let view = waitingView(turn, approvers) ?? fresh(turn, turn.state !== "queued");
  const isNameless = platform.isOwnPage === true;
  const asker = turn.actor.id;
  /** The view drawn last, in this attempt. */
  let drawn: TurnView | undefined;
  let shownAtMs = clock.now();
  /** Tables of the view for which a chart was prepared last. */
  let preparedTables = 0;
  /** A table of a tool is probably the answer's: what takes long to draw is begun while the agent still writes. */
  const prepare = (next: TurnView) => {
    if (platform.prepare === undefined || isQuiet === true || next.tables.length === preparedTables) return;
    preparedTables = next.tables.length;
    const likely = turnDocument({ ...next, state: "answered" }, clock.now());
    if (!likely.blocks.some(({ kind }) => kind === "chart")) return;
    for (const payload of platform.render(likely, 1)) void platform.prepare(payload);
  };
  const show = (next: TurnView) => {
    prepare(next);
    const news = newsOf(drawn, next);
    view = next;
    drawn = next;
    shownAtMs = clock.now();
    if (isQuiet === true) return;
    const atMs = shownAtMs;
    // Drawing a long answer for each of its words would block everything else.
    if (next.isWriting !== undefined)
      writer.show((maxGrowingChars) => turnDocument(next, atMs, { maxGrowingChars, asker }), news);
    else writer.show(turnDocument(next, atMs, { isNameless, asker }), news);
  };
  // If the end is already shown or about to be, don't draw progress.
  if (turn.outcome === undefined) show(view);
  return {
    view: () => view,
    show,
    keep: (next) => {
      view = next;
    },
    keepMoving: (everyMs) => {
      let cancel = clock.after(everyMs, look);
      function look() {
        if (clock.now() - shownAtMs >= everyMs) show(view);
        cancel = clock.after(shownAtMs + everyMs - clock.now(), look);
      }
      return () => cancel();
    },
    reset: (of) => {
      isQuiet = of.isQuiet;
      drawn = undefined;
      show(fresh(of, false));
    },
  };
}
