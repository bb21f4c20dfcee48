/**
 * Carries out a command, button or form of chat from an admin page. What Parley says is drawn as on the chat page, in a
 * panel at the edge; its buttons and forms work again in the same way.
 */
import type { Choice, Form, FormValues } from "../../../../../src/core/document.ts";
import type { Place } from "../../../../../src/core/model/place.ts";
import type { ActLine } from "../../../admin/act.ts";
import type { ConsolePayload } from "../../../writing/messages.ts";
import { root } from "../../connection/address.ts";
import { newId } from "../../connection/connection.ts";
import { reloadOnce } from "../../connection/reload.ts";
import { headersFor } from "../../connection/whose.ts";
import type { Press } from "../../drawing/buttons.tsx";
import { type FormOutcome, filledIn, refusesForm, type ShownForm } from "../../input/shown-form.ts";
import { loadStyle } from "../../look/load-style.ts";
import { Button, type ButtonProps } from "../../parts/button.tsx";
import { Problem } from "../../parts/problem.ts";
import { hideSaid, isShort, showSaid } from "../../parts/said.tsx";
import { read, unreachable } from "./request.ts";

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
  const names = ["forms", "files", "card", "steps", "sources", "markdown", "said"];
  return Promise.all(names.map((name) => loadStyle(`styles/${name}.css`)));
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

function showProblem(thrown: unknown): void {
  const problem = thrown instanceof Problem ? thrown : broken;
  showSaid({ said: { problem }, stays: true, asks: false, from: null });
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
  /** Opens the form again that this sends. */
  readonly formAgain?: () => void;
};

async function run(request: ActRequest, { onDone, about, onAnswer = () => {}, formAgain }: Run): Promise<void> {
  const { place } = request;
  const from = document.activeElement;
  const [{ Card: Loaded }, { openForm }] = await parts();
  let said: readonly ConsolePayload[] = [];

  const press: Press = async (action) => {
    if (action.id === "dismiss") hideSaid();
    else await act({ place, kind: "action", action: action.id, value: action.value }, onDone);
    return undefined;
  };

  const say = (payloads: readonly ConsolePayload[]) => {
    said = payloads;
    const again = payloads.some(refusesForm) ? formAgain : undefined;
    const asks = again !== undefined || payloads.some(({ actions }) => actions.length > 0);
    showSaid({
      said: { payloads, Card: Loaded, press, formAgain: again },
      stays: !payloads.every(isShort),
      asks,
      from,
    });
  };

  const submit = (form: Form) => (values: FormValues, files: readonly string[]) =>
    new Promise<FormOutcome>((resolve) => {
      const sent: ActRequest = { place, kind: "form", formId: form.id, values, context: form.context, files };
      const answer = (line: ActLine) => resolve(line.kind === "errors" ? { errors: line.errors } : undefined);
      const formAgain = () => showForm(filledIn(form, values));
      run(sent, { onDone, onAnswer: answer, formAgain }).catch((thrown: unknown) => {
        const { what, hint } = thrown instanceof Problem ? thrown : { ...broken, hint: "" };
        resolve({ problem: `${what} ${hint}`.trim() });
      });
    });

  const showForm = (form: Form) => {
    hideSaid();
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
