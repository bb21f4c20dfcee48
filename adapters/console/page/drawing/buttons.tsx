/** The buttons of a message, and what became of a decision that was made with one. */
import { useState } from "preact/hooks";
import type { Action } from "../../../../src/core/document.ts";
import type { Thumb } from "../../../../src/core/model/turn.ts";
import { Icon } from "../parts/icon.tsx";
import type { Shape } from "../parts/shapes.ts";
import { useOnce } from "../parts/use-once.ts";
import { thumbOf } from "./thumbs.tsx";

/** A button was pressed. Resolves to why it failed, if it did. */
export type Press = (action: Action) => Promise<string | undefined>;

/** Drawn, because not every system has a font with such characters. */
const actionIcons: Readonly<Record<string, Shape>> = { stop: "stop", "thumb-up": "up", "thumb-down": "bad" };
/** Below an answer these are icons alone, so that they don't compete with its words. Their names are read and shown. */
const quietIcons: Readonly<Record<string, Shape>> = {
  ...{ "thumb-up": "up", "thumb-down": "bad", retry: "refresh", csv: "download", chart: "chart", table: "table" },
};
const hideLabels: Readonly<Record<string, string>> = {
  "Show steps": "Hide steps",
  "Show steps in detail": "Hide details",
};

/** One's own and settled with one press. Other buttons are pressed again, or open a form. */
const decisions: readonly string[] = [
  ...["connect-base", "use-agent", "always-agent", "confirm", "dismiss", "tell-askers", "run-typed"],
  ...["schedule-confirm", "schedule-once"],
];

export const isDecision = ({ id }: Action): boolean => decisions.includes(id);
export const actionKey = ({ id, value }: Action): string => `${id} ${value}`;

/** What the reader has of a message: it shows on its buttons. */
export type Own = {
  /** How this browser, or this person, voted. */
  readonly vote?: Thumb | null | undefined;
  /** The steps are shown below. */
  readonly hasSteps?: boolean;
  /** Below an answer that is complete. */
  readonly isQuiet?: boolean;
  /** Decisions that were made, by `actionKey`. */
  readonly decided?: readonly string[];
};

function Button({
  action,
  press,
  own: { vote, hasSteps, isQuiet = false },
  onProblem,
}: {
  readonly action: Action;
  readonly press: Press;
  readonly own: Own;
  readonly onProblem: (problem: string | undefined) => void;
}) {
  const { isBusy, press: onClick } = useOnce(async () => onProblem(await press(action)));
  const { id, label, style, asker, accessibleLabel } = action;
  const thumb = thumbOf(id);
  const quietShape = isQuiet ? quietIcons[id] : undefined;
  const shape = quietShape ?? actionIcons[id];
  const isIcon = quietShape !== undefined || thumb !== undefined;
  const isSteps = id === "steps" && hasSteps !== undefined;
  const text = isSteps && hasSteps ? (hideLabels[label] ?? label) : label;
  return (
    <button
      type="button"
      class={`action is-${style}${isIcon ? " is-icon" : ""}`}
      data-action={id}
      data-asker={asker}
      aria-label={accessibleLabel}
      title={isIcon ? (accessibleLabel ?? text) : undefined}
      aria-pressed={thumb === undefined ? undefined : thumb === vote}
      aria-expanded={isSteps ? hasSteps : undefined}
      aria-disabled={isBusy ? "true" : undefined}
      onClick={onClick}
    >
      {shape === undefined ? undefined : <Icon name={shape} />}
      {isIcon ? <span class="hidden">{text}</span> : text}
    </button>
  );
}

export function Buttons({
  actions,
  press,
  own = {},
}: {
  readonly actions: readonly Action[];
  readonly press: Press;
  readonly own?: Own;
}) {
  const [problem, setProblem] = useState<string>();
  // A private note has a Hide of its own, which needs no server.
  const { decided = [] } = own;
  const isConfirmed = actions.some((action) => action.id === "confirm" && decided.includes(actionKey(action)));
  const shown = actions.filter(({ id }) => id !== "hide" && !(id === "dismiss" && isConfirmed));
  return (
    <>
      {shown.map((action) =>
        decided.includes(actionKey(action)) ? (
          <span key={actionKey(action)} class="decided">
            <Icon name="check" />
            {action.label}
          </span>
        ) : (
          <Button key={actionKey(action)} action={action} press={press} own={own} onProblem={setProblem} />
        ),
      )}
      {problem === undefined ? undefined : (
        <span class="action-problem" role="alert">
          {problem}
        </span>
      )}
    </>
  );
}
