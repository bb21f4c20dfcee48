/** The port to notices: messages that a fact causes once, such as a welcome card or "Your answer is ready". */
import type { Document } from "./document.ts";
import type { Place } from "./model/place.ts";

export type Notice = {
  /** Names the fact and is equal on every instance: "ready/01jx…/1". A second notice with it is not posted. */
  readonly key: string;
  readonly place: Place;
  readonly document: Document;
};

export type Notices = {
  /**
   * Resolves once the notice is stored; it is posted in the background, spaced per workspace, by this process or, after
   * a crash, by another one. False if there was one with that key. Rejects with state_unavailable.
   */
  readonly post: (notice: Notice) => Promise<boolean>;
  /** Posts what dead processes left. Never rejects. */
  readonly recover: () => Promise<void>;
  /** Stops waiting for the platform; unposted notices stay stored. */
  readonly drain: () => Promise<void>;
};
