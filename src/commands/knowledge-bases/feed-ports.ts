/** What the commands that feed knowledge bases work with, besides what all commands have. */

import type { Knowledge } from "../../knowledge/knowledge.ts";
import type { Place } from "../../ports/model/place.ts";
import type { KeyValue } from "../../ports/state.ts";
import type { CommandPorts } from "../ports.ts";

/** What a button or a form is about, kept until it is pressed or submitted: neither has room for it. */
export type Pending =
  | { readonly kind: "query"; readonly sql: string; readonly project: string; readonly knowledgeBase: string }
  | {
      readonly kind: "save";
      /** With the thread, when the message is in one. */
      readonly place: Place;
      readonly messageId: string;
      readonly authorName: string;
      readonly text: string;
    };

export type FeedPorts = CommandPorts & {
  readonly knowledge: Knowledge;
  /** Namespace "pending". Keys begin with the workspace. */
  readonly pending: KeyValue<Pending>;
};

/** Long enough for whoever thinks it over, short enough to keep nothing of what was said. */
export const pendingMs = 60 * 60_000;
