/**
 * What Parley says to one person and nobody needs later, in a panel at the edge. Without buttons it disappears after a
 * while, unless the person points at it.
 */
import { render } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { ConsolePayload } from "../../writing/messages.ts";
import type { Press } from "../drawing/buttons.tsx";
import type { Card } from "../drawing/card.tsx";
import { Button, FormAgain } from "./button.tsx";
import { rememberFocus } from "./focus.ts";
import type { Problem } from "./problem.ts";

const shownForMs = 9_000;

type Said =
  | {
      readonly payloads: readonly ConsolePayload[];
      /** Loaded with what it draws. */
      readonly Card: typeof Card;
      readonly press: Press;
      /** Opens the form again that this refuses. */
      readonly formAgain?: (() => void) | undefined;
    }
  | { readonly problem: Pick<Problem, "what" | "hint"> };

type Shown = {
  readonly said: Said;
  /** It stays until it is closed. */
  readonly stays: boolean;
  /** It has buttons, which the keyboard reaches at once, unless the person is busy elsewhere by now. */
  readonly asks: boolean;
  /** Where the keyboard was when this began. */
  readonly from: Element | null;
};

/** Where the panel is, and where the keyboard was before it went there. */
let host: HTMLElement | undefined;
let goBack = () => {};

export function hideSaid(): void {
  if (host === undefined) return;
  render(null, host);
  host.remove();
  host = undefined;
  goBack();
}

export function showSaid(shown: Shown): void {
  host ??= document.body.appendChild(document.createElement("div"));
  render(<SaidPanel {...shown} />, host);
}

const sentences: readonly string[] = ["headline", "text", "quiet"];

/** Read in a moment, and nothing to do. */
export const isShort = ({ tone, actions, blocks }: ConsolePayload): boolean =>
  tone !== "failed" &&
  actions.every(({ id }) => id === "hide") &&
  blocks.length < 4 &&
  blocks.every(({ kind }) => sentences.includes(kind));

function SaidPanel(shown: Shown) {
  const { said, stays, asks, from } = shown;
  const box = useRef<HTMLElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** The keyboard was in what this replaces. */
  const wasInPanel = box.current?.contains(document.activeElement) === true;
  const stay = () => clearTimeout(timer.current);
  useLayoutEffect(() => {
    const { activeElement: active } = document;
    if (asks && (wasInPanel || active === from || active === document.body)) {
      if (!wasInPanel) goBack = rememberFocus(document.getElementById("body") ?? document.body);
      box.current?.focus({ preventScroll: true });
    } else if (wasInPanel) {
      goBack();
    }
  }, [said]);
  useEffect(() => {
    stay();
    if (!stays) timer.current = setTimeout(hideSaid, shownForMs);
    return stay;
  }, [said]);
  return (
    <section
      class="said"
      id="said"
      aria-label="What Parley says"
      tabindex={-1}
      ref={box}
      onPointerEnter={stay}
      onFocusIn={stay}
      onKeyDown={(event) => event.key === "Escape" && hideSaid()}
    >
      <div class="said-parts" role="status">
        {"problem" in said ? (
          <ProblemCard {...said.problem} />
        ) : (
          // Payloads have no names.
          said.payloads.map((payload, at) => (
            <article key={at} data-tone={payload.tone}>
              <said.Card payload={payload} press={said.press} />
            </article>
          ))
        )}
        {"problem" in said || said.formAgain === undefined ? undefined : <FormAgain press={said.formAgain} />}
      </div>
      <Button press={hideSaid} look="plain" icon="cross" label="Close" />
    </section>
  );
}

function ProblemCard({ what, hint }: Pick<Problem, "what" | "hint">) {
  return (
    <div data-tone="failed" role="alert">
      <div class="card">
        <p class="headline">
          <strong>{what}</strong>
        </p>
        <p>{hint}</p>
      </div>
    </div>
  );
}
