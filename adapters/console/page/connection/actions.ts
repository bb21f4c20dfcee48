/**
 * Sends button presses and forms to the server. Retries a few times under one id, so that a short loss of connection
 * goes unnoticed.
 */
import type { Action, Form, FormValues } from "../../../../src/core/document.ts";
import type { Thumb } from "../../../../src/core/model/turn.ts";
import type { Thread } from "../../conversations/thread-key.ts";
import { thumbOf } from "../drawing/thumbs.tsx";
import { openForm } from "../input/forms.ts";
import { type Complete, type FormOutcome, filledIn, type ShownForm } from "../input/shown-form.ts";
import type { Where } from "../state.ts";
import { type Answer, newId, request, tab, voter } from "./connection.ts";

/** What a button belongs to: a message, or a private note, which has no revision. */
type About = Thread & {
  readonly id: string;
  readonly revision?: number;
  readonly anchor?: string;
  readonly vote?: Thumb | null;
};

type Own = Thread & { readonly id: string };

export type Pressed = { readonly problem: string } | { readonly answerId: string };

type Taken = { readonly form?: Form };

/** Sends an event up to three times under one id; resolves to the answer's `{ status, body }`. */
async function sendEvent(method: string, path: string, body: object, id = newId()): Promise<Answer<Taken>> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await request<Taken>(method, path, { id, tab, ...body });
    if ((answer.status !== 0 && answer.status !== 503) || attempt === 3) return answer;
    await new Promise((resolve) => setTimeout(resolve, attempt * 700));
  }
}

const isTaken = ({ status }: Answer<Taken>) => status === 200 || status === 202;
const problemOf = ({ refusal }: Answer<Taken>) =>
  refusal?.error === undefined ? "Couldn't reach Parley. Try again." : `${refusal.error.what} ${refusal.error.hint}`;

/** What a form's dialog does with the answer. */
const outcomeOf = (answer: Answer<Taken>): FormOutcome =>
  isTaken(answer) ? undefined : { problem: problemOf(answer) };

/** `complete(kind, typed)` suggests names for form fields; `onVote(about, vote)` shows which thumb is pressed. */
export function createActions({
  complete,
  onVote,
}: {
  readonly complete: Complete;
  readonly onVote: (about: Own, vote: Thumb | null) => void;
}) {
  /** Id of the private answer -> the form that it answers, with what was typed. Nobody types a refused form twice. */
  const sentForms = new Map<string, () => void>();

  /** `messageId`: where its answer is shown. Absent: below everything. `typed`: before. */
  function showForm(form: Form, at: Where, messageId?: string, typed: FormValues = {}): void {
    const { channel, thread } = at;
    openForm(filledIn(form, typed), {
      complete,
      submit: async (values, files) => {
        const sent = { channel, thread, formId: form.id, values, files, context: form.context, messageId, voter };
        const id = newId();
        sentForms.set(messageId === undefined ? id : `${messageId}.${form.id}`, () =>
          showForm(form, at, messageId, values),
        );
        const answer = await sendEvent("POST", "/api/forms", sent, id);
        if (answer.refusal?.errors !== undefined) return { errors: answer.refusal.errors };
        if (!isTaken(answer)) return { problem: problemOf(answer) };
        const next = answer.body?.form;
        if (next !== undefined) setTimeout(() => showForm(next, at, messageId));
        return undefined;
      },
    });
  }

  /** Resolves to why the server hasn't taken it, or to the id of the private answer, if there is one. */
  async function press(about: About, action: Action): Promise<Pressed> {
    const { channel, thread } = about;
    // A private note isn't a message: its buttons belong to the message above it.
    const messageId = about.revision === undefined ? about.anchor : about.id;
    const id = newId();
    const sent = { channel, thread, action: action.id, value: action.value, messageId, voter };
    const answer = await sendEvent("POST", "/api/actions", sent, id);
    if (!isTaken(answer)) return { problem: problemOf(answer) };
    const thumb = thumbOf(action.id);
    // The same thumb again takes the vote back.
    if (thumb !== undefined) onVote(about, about.vote === thumb ? null : thumb);
    if (answer.body?.form !== undefined) showForm(answer.body.form, about, thumb === undefined ? undefined : messageId);
    return { answerId: `${messageId ?? id}.${action.id}` };
  }

  function editQuestion({
    channel,
    thread,
    id,
    text,
    files,
  }: Own & { readonly text: string; readonly files?: unknown }): void {
    // With files it may be empty.
    const isRequired = files === undefined;
    const form: ShownForm = {
      title: "Edit your question",
      submitLabel: "Save",
      text: "Saving asks again and replaces the answer.",
      fields: [{ name: "text", label: "Your question", type: "multiline", isRequired, initial: text }],
    };
    openForm(form, {
      submit: async ({ text }: FormValues) =>
        outcomeOf(await sendEvent("PUT", "/api/messages", { channel, thread, messageId: id, text })),
    });
  }

  function deleteQuestion({ channel, thread, id }: Own): void {
    const form: ShownForm = {
      title: "Delete your question?",
      submitLabel: "Delete",
      text: "Its answer is deleted too, even if it’s still being written. This can’t be undone.",
      fields: [],
    };
    openForm(form, {
      isDanger: true,
      submit: async () => outcomeOf(await sendEvent("DELETE", "/api/messages", { channel, thread, messageId: id })),
    });
  }

  return {
    press,
    showForm,
    editQuestion,
    deleteQuestion,
    /** Opens the form again that a private answer refuses. Undefined: it answers none that this page has sent. */
    formAgain: (noteId: string) => sentForms.get(noteId),
  };
}
