/** The port to reviews of added answers: their authors are asked, after a long time, whether they still hold. */
import type { AddedAnswer } from "../model/insight.ts";
import type { Actor, Place } from "../model/place.ts";

/** When an answer is asked about, and whom to ask. Stored with the answer's workspace and id. */
export type Review = {
  readonly version: 1;
  readonly answerId: string;
  /** The author as they were known when they added it. */
  readonly author: Actor;
  /** Where it was added: where they are asked if they can't be reached alone. */
  readonly place: Place;
  /** When its author, or someone who manages, last said that it holds. */
  readonly heldAtMs?: number;
  /** The due time for which the author was asked. */
  readonly askedForMs?: number;
};

export type Reviews = {
  /** It holds: returns when its author is asked next, or undefined if never. Rejects with state_unavailable. */
  readonly holds: (answer: AddedAnswer) => Promise<number | undefined>;
  /** Answers whose authors had left when they were to be asked, the latest first; `count` counts all. */
  readonly unowned: (
    place: Pick<Place, "platform" | "workspace">,
    atMost: number,
  ) => Promise<{ readonly count: number; readonly answers: readonly AddedAnswer[] }>;
};
