/** What a list or a page shows instead of its content: nothing, a moment of loading, or what failed. */
import type { ComponentChildren } from "preact";
import { plain } from "../drawing/element.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { Problem } from "./problem.ts";
import type { Shape } from "./shapes.ts";

export type Nothing = {
  readonly icon?: Shape;
  readonly title: string;
  readonly text?: string;
  /** A button or link. */
  readonly action?: ComponentChildren;
};

/** Shown where the filters leave nothing. */
export const nothingMatches: Nothing = {
  icon: "search",
  title: "Nothing matches",
  text: "Change or clear the filters.",
};

/** Where nothing is. */
export function EmptyState({ icon = "inbox", title, text, action }: Nothing) {
  return (
    <div class="state">
      <Icon name={icon} />
      <h2>{title}</h2>
      {text === undefined ? undefined : <p>{text}</p>}
      {action}
    </div>
  );
}

export function LoadingState() {
  return (
    <div class="loading" aria-busy="true">
      <p class="hidden" role="status">
        Loading
      </p>
      {["a", "b", "c", "d", "e"].map((key) => (
        <span key={key} class="ghost" aria-hidden="true" />
      ))}
    </div>
  );
}

/** What failed, and a button that tries again. */
export function ProblemState({ thrown, again }: { readonly thrown: unknown; readonly again?: () => unknown }) {
  const problem = thrown instanceof Problem ? thrown : undefined;
  const hint = problem?.hint ?? "Reload it. If it keeps happening, look at Parley's log.";
  return (
    <div class="state" role="alert">
      <Icon name={problem?.status === 403 ? "lock" : "warn"} />
      <h2>{plain(problem?.what ?? "This page couldn't be shown.")}</h2>
      <p>{plain(hint)}</p>
      {again === undefined ? undefined : <Button press={again}>Try again</Button>}
    </div>
  );
}
