/**
 * What a living Turn shows: the newest view, drawn through its Reply writer.
 */

import type { ChatPlatform } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ReplyWriter } from "../../ports/delivery.ts";
import type { Turn, TurnView } from "../../ports/model/turn.ts";
import { turnDocument } from "../../presentation/drawing.ts";
import { initialView } from "./turn-view.ts";

export type Picture = {
  readonly view: () => TurnView;
  readonly show: (view: TurnView) => void;
  readonly reset: (turn: Turn) => void;
};

export function createPicture(
  turn: Turn,
  platform: ChatPlatform,
  writer: Pick<ReplyWriter, "show">,
  clock: Clock,
): Picture {
  // Where a thread was opened for it, the question stands above; a Reply that is all there is of it, as in a thread that
  // was there before, shows it itself.
  const { conversation, askedIn } = turn;
  const isAlone =
    platform.prepare === undefined ||
    conversation.thread === askedIn.thread ||
    conversation.thread === undefined ||
    platform.isInPlace?.(conversation) === true;
  const showsQuestion = turn.isPrivate === true || (turn.via !== "message" && isAlone);
  const fresh = (of: Turn, isResumed: boolean): TurnView => ({
    ...initialView({
      id: of.id,
      ref: of.ref,
      question: of.question,
      agent: of.agent?.name ?? of.requestedAgent ?? "",
      ...(showsQuestion ? { askedBy: of.actor.name } : {}),
    }),
    state: "running",
    isResumed,
  });
  let view = fresh(turn, turn.state !== "queued");
  const show = (next: TurnView) => {
    view = next;
    writer.show(turnDocument(view, clock.now()));
  };
  // Its end stands or is about to: it is not asked again.
  if (turn.outcome === undefined) show(view);
  return { view: () => view, show, reset: (of) => show(fresh(of, false)) };
}
