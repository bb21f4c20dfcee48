/** The port to places as the pages of those who run Parley show them: what they are called, and whether they are gone. */
import type { Place } from "../model/place.ts";

export type PlaceName = {
  /** "front-desk", as the platform says it; cleaned. Absent: the platform hasn't said it yet. */
  readonly name?: string;
  /** It was deleted or archived, or Parley was removed from it. */
  readonly isGone?: true;
};

export type Places = {
  /** "unknown": no platform of that name is connected. "own": Parley's page. "direct": one person's messages. */
  readonly kindOf: (place: Place) => "unknown" | "own" | "direct" | "shared";
  /** Channels that Parley is in, as far as platforms say so within a moment. Never rejects. */
  readonly all: () => Promise<readonly Place[]>;
  /** Known to be open to everyone in the workspace; a workspace as a whole isn't a channel, so it isn't. */
  readonly isPublic: (place: Place) => Promise<boolean>;
  /** Within a moment: what isn't known by then is looked up for the next time. Never rejects. */
  readonly nameOf: (place: Place) => Promise<PlaceName>;
};
