/** Decides who may read a question's texts on the pages for those who run Parley. Pure; every page asks it. */
import type { Visibility } from "../../core/model/place.ts";
import type { QuestionEntry } from "../../insight/derived/question-log.ts";

export type TextFacts = {
  /** `personKey` of who looks. Their role was asked before: they manage. */
  readonly viewer: string;
  /** LOG_PRIVATE. */
  readonly isLogPrivate: boolean;
  /** Who can read the place now. Undefined: unknown, which counts as private. */
  readonly visibilityNow: Visibility | undefined;
};

type Asked = Pick<QuestionEntry, "asker" | "visibility" | "isPrivate">;

/**
 * The question, the answer, the steps, the sources, the votes and the names of people, or none of them. What was asked
 * in public, and still is public, everyone could read; what one asked oneself, one knows.
 */
export function mayReadTexts({ asker, visibility: then, isPrivate }: Asked, facts: TextFacts): boolean {
  if (facts.isLogPrivate || facts.viewer === asker) return true;
  return isPrivate !== true && then === "public" && facts.visibilityNow === "public";
}

/** The stricter of then and now. */
export function kindOf(then: Visibility | undefined, now: Visibility | undefined): Visibility {
  if (then === "direct" || now === "direct") return "direct";
  return then === "public" && now === "public" ? "public" : "private";
}
