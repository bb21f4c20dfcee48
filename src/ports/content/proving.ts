/** The port to proofs: a question is asked again with an answer that was added, and those who asked are told. */
import type { CommandContext } from "../commands.ts";
import type { Document } from "../document.ts";
import type { Place } from "../model/place.ts";

/** Shown at once, then replaced by what comes of it. Never rejects. */
export type Proved = { readonly progress: Document; readonly end: Promise<Document> };

/** All of them reject with state_unavailable while storage is unreachable. */
export type Proving = {
  /**
   * For the person who waits for that Job of an added answer: call it right after the row is in. Someone who isn't waiting
   * in this process gets a message of their own. Undefined: there is no question to ask again.
   */
  readonly watch: (jobId: string, place: Pick<Place, "platform" | "workspace">) => Promise<Proved | undefined>;
  /** Once more, for that person. Throws turn_gone when it isn't theirs to see. */
  readonly again: (proofId: string, context: Pick<CommandContext, "actor" | "place">) => Promise<Proved>;
  /** Tells those who asked. Resolves with how many they are at most. Throws turn_gone. */
  readonly tell: (proofId: string, context: Pick<CommandContext, "actor" | "place">) => Promise<number>;
};
