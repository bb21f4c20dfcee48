/** Holds the newest view of a living Turn and draws it through its Reply writer. */

import type { ChatPlatform } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ReplyWriter } from "../../ports/delivery.ts";
import type { Turn, TurnView } from "../../ports/model/turn.ts";
import { present } from "../../ports/tools/present.ts";
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
      agent: of.agent?.name ?? of.requestedAgent ?? "",
      ...present({ askedBy: showsQuestion ? of.actor.name : undefined }),
    }),
    state: "running",
    isResumed,
  });
  let view = fresh(turn, turn.state !== "queued");
  const show = (next: TurnView) => {
    view = next;
    writer.show(turnDocument(view, clock.now()));
  };
  // If the end is already shown or about to be, don't draw progress.
  if (turn.outcome === undefined) show(view);
  return { view: () => view, show, reset: (of) => show(fresh(of, false)) };
}
