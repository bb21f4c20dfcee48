/**
 * Carries out a command, button or form of chat from an admin page. What Parley says is drawn as on the chat page, in a
 * panel at the edge; its buttons and forms work again in the same way.
 */
import { render } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Choice, Form } from "../../../../../src/core/document.ts";
import type { Place } from "../../../../../src/core/model/place.ts";
import type { ActLine } from "../../../admin/act.ts";
import type { ConsolePayload } from "../../../writing/messages.ts";
import { root } from "../../connection/address.ts";
import { newId } from "../../connection/connection.ts";
import { reloadOnce } from "../../connection/reload.ts";
import { headersFor } from "../../connection/whose.ts";
import type { Card, Press } from "../../drawing/card.tsx";
import type { FormOutcome, ShownForm } from "../../input/shown-form.ts";
import { loadStyle } from "../../look/load-style.ts";
import { rememberFocus } from "./focus.ts";
import { Button, type ButtonProps } from "./parts.tsx";
import { Problem, read, unreachable } from "./request.ts";

/** What was done and needs nothing more disappears after a while. */
const shownForMs = 9_000;
const broken = { what: "The connection was lost.", hint: "Reload the page to see what was done." };

/** `place`: where it is done; absent: on the page itself. */
export type ActRequest = { readonly place?: Place | undefined } & (
  | {
      readonly kind: "command";
      readonly path: string;
      readonly options: Readonly<Record<string, string>>;
    }
  | { readonly kind: "action"; readonly action: string; readonly value: string }
  | {
      readonly kind: "form";
      readonly formId: string;
      readonly values: object;
      readonly context: string;
      readonly files: readonly string[];
    }
);

/** Something was said and everything is done: perhaps what the page shows has changed. */
export type OnDone = (said: readonly ConsolePayload[]) => unknown;

/** Loaded with the first press, like their styles. */
const parts = () => Promise.all([import("../../drawing/card.tsx"), import("../../input/dialog.tsx"), loadStyles()]);

/** Of dialogs, and of what Parley says. */
export function loadStyles(): Promise<unknown> {
  return Promise.all(["styles/forms.css", "styles/files.css", "admin/styles/act.css"].map(loadStyle));
}

/** Calls `onLine` for each line of the answer. Rejects with a Problem. */
async function send({ place, ...request }: ActRequest, onLine: (line: ActLine) => void): Promise<void> {
  const body = JSON.stringify({ id: newId(), place, ...request });
  const response = await fetch(new URL("api/admin/act", root), {
    method: "POST",
    headers: headersFor(body),
    body,
  }).catch(() => {
    throw new Problem(unreachable);
  });
  if (response.status === 401) reloadOnce();
  if (!response.ok) {
    const { error } = (await response.json().catch(() => undefined)) ?? {};
    throw new Problem(error ?? unreachable, response.status);
  }
  let rest = "";
  let isDone = false;
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  for (;;) {
    const part = await reader?.read().catch(() => undefined);
    if (part?.value === undefined) break;
    const lines = (rest + decoder.decode(part.value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      if (text === "") continue;
      const line: ActLine = JSON.parse(text);
      isDone ||= line.kind === "done" || line.kind === "failed";
      onLine(line);
    }
  }
  if (!isDone) throw new Problem(broken);
}

// What Parley says.

type Said =
  | {
      readonly payloads: readonly ConsolePayload[];
      /** Loaded with what it draws. */
      readonly Card: typeof Card;
      readonly press: Press;
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

function hide(): void {
  if (host === undefined) return;
  render(null, host);
  host.remove();
  host = undefined;
  goBack();
}

function show(shown: Shown): void {
  host ??= document.body.appendChild(document.createElement("div"));
  render(<Panel {...shown} />, host);
}

const isShort = ({ tone, actions, blocks }: ConsolePayload) =>
  tone !== "failed" && actions.length === 0 && blocks.length < 4;

function Panel(shown: Shown) {
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
    if (!stays) timer.current = setTimeout(hide, shownForMs);
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
      onKeyDown={(event) => event.key === "Escape" && hide()}
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
      </div>
      <Button press={hide} look="plain" icon="cross" label="Close" />
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

function showProblem(thrown: unknown): void {
  const problem = thrown instanceof Problem ? thrown : broken;
  show({ said: { problem }, stays: true, asks: false, from: null });
}

/** Forms suggest names as on the chat page. */
function complete(completes: string, typed: string): Promise<readonly Choice[]> {
  return read<readonly Choice[]>("api/complete", { completes, channel: "general", typed }).catch(() => []);
}

/** `about`: title of the form that opens, if one does. Resolves once everything is done; never rejects. */
export async function act(request: ActRequest, onDone: OnDone = () => {}, about?: string): Promise<void> {
  try {
    await run(request, { onDone, about });
  } catch (thrown) {
    await loadStyles();
    showProblem(thrown);
  }
}

type Run = {
  readonly onDone: OnDone;
  readonly about?: string | undefined;
  readonly onAnswer?: (line: ActLine) => void;
};

async function run(request: ActRequest, { onDone, about, onAnswer = () => {} }: Run): Promise<void> {
  const { place } = request;
  const from = document.activeElement;
  const [{ Card: Loaded }, { openForm }] = await parts();
  let said: readonly ConsolePayload[] = [];

  const press: Press = async (action) => {
    if (action.id === "dismiss") hide();
    else await act({ place, kind: "action", action: action.id, value: action.value }, onDone);
    return undefined;
  };

  const say = (payloads: readonly ConsolePayload[]) => {
    said = payloads;
    const asks = payloads.some(({ actions }) => actions.length > 0);
    show({ said: { payloads, Card: Loaded, press }, stays: !payloads.every(isShort), asks, from });
  };

  const submit = (form: Form) => (values: object, files: readonly string[]) =>
    new Promise<FormOutcome>((resolve) => {
      const sent: ActRequest = { place, kind: "form", formId: form.id, values, context: form.context, files };
      const answer = (line: ActLine) => resolve(line.kind === "errors" ? { errors: line.errors } : undefined);
      run(sent, { onDone, onAnswer: answer }).catch((thrown: unknown) => {
        const { what, hint } = thrown instanceof Problem ? thrown : { ...broken, hint: "" };
        resolve({ problem: `${what} ${hint}`.trim() });
      });
    });

  const showForm = (form: Form) => {
    hide();
    const shown: ShownForm = about === undefined ? form : { ...form, title: about };
    openForm(shown, { complete, submit: submit(form) });
  };

  await send(request, (line) => {
    if (line.kind === "beat") return;
    onAnswer(line);
    if (line.kind === "form") showForm(line.form);
    if (line.kind === "shown") say(line.payloads);
    if (line.kind === "failed") showProblem(new Problem(line.error));
  });
  if (said.length > 0) onDone(said);
}

/** A button that acts. */
export function ActButton({
  request,
  onDone,
  about,
  ...button
}: { readonly request: ActRequest; readonly onDone?: OnDone; readonly about?: string } & Omit<ButtonProps, "press">) {
  return <Button {...button} press={() => act(request, onDone, about)} />;
}
