/**
 * Guides a person through a form of several modals, and back to a page with errors.
 * Discord can't open a modal from a submitted one, so a private message with a button comes between two pages.
 */
import { LRUCache } from "lru-cache";
import type { FieldErrors, Form, FormValues } from "../../../src/core/document.ts";
import { bold, errorDocument, say } from "../../../src/presentation/drawing.ts";
import { dialogSentences } from "../../../src/presentation/sentences.ts";
import type { DiscordAttachment, ModalData } from "../intake/events.ts";
import type { InteractionApi, Token } from "../writing/interaction-api.ts";
import { formPages, modalOf, pageFiles, pageOf, pageValues } from "./forms.ts";
import { truncate } from "./markup.ts";
import type { OpenForms } from "./open-forms.ts";
import { type DiscordPayload, render, withButton } from "./render.ts";

const says = {
  wrong: "Some fields need another look.",
};

/** Action of the button that opens the next page, or reopens one. */
export const continueAction = "form-continue";

const maxSent = 1_000;

export type Submitted =
  | {
      readonly kind: "complete";
      readonly draftId: string;
      readonly form: Form;
      readonly values: FormValues;
      readonly files: readonly DiscordAttachment[];
    }
  /** There is another page. */
  | { readonly kind: "continue"; readonly payload: DiscordPayload }
  /** It was submitted before, or has expired. */
  | { readonly kind: "closed"; readonly payload: DiscordPayload };

export type FormDialog = ReturnType<typeof createFormDialog>;

export function createFormDialog({
  openForms,
  interactions,
}: {
  readonly openForms: OpenForms;
  readonly interactions: InteractionApi;
}) {
  /** Ids of complete forms: a person who sees no response in time submits again. */
  const sent = new LRUCache<string, true>({ max: maxSent });

  return {
    open: async (token: Token, form: Form): Promise<void> => {
      const draftId = token.interaction;
      // At the same time: the modal must open within 3 s, and the storage can be slow.
      await Promise.all([
        interactions.openModal(token, modalOf(form, draftId, 0, {})),
        openForms.put(draftId, { form, values: {}, filled: [] }),
      ]);
    },

    /** Handles the button Continue. Undefined if the page was opened; else what to show instead. */
    onContinue: async (token: Token, value: string): Promise<DiscordPayload | undefined> => {
      const [draftId = "", page = "0"] = value.split(":");
      const draft = await openForms.get(draftId);
      if (draft === undefined) return closed();
      await interactions.openModal(token, modalOf(draft.form, draftId, Number(page), draft.values));
      return undefined;
    },

    submit: async (data: ModalData): Promise<Submitted> => {
      const [, draftId = "", pageText = "0"] = data.custom_id.split(":");
      const draft = await openForms.get(draftId);
      if (draft === undefined || sent.has(draftId)) return { kind: "closed", payload: closed() };
      const page = Number(pageText);
      const values = { ...draft.values, ...pageValues(draft.form, page, data, draft.values) };
      // A page that is opened again shows no files, so those given before are kept.
      const added = pageFiles(draft.form, page, data);
      const files = added.length > 0 ? added : (draft.files ?? []);
      const filled = [...new Set([...draft.filled, page])];
      const next = formPages(draft.form).findIndex((_fields, at) => !filled.includes(at));
      if (next === -1) sent.set(draftId, true);
      await openForms.put(draftId, { ...draft, values, files, filled });
      if (next === -1) return { kind: "complete", draftId, form: draft.form, values, files };
      return { kind: "continue", payload: continuePayload(draft.form, draftId, next) };
    },

    /** A message with the errors and a button that reopens the page. */
    errors: (draftId: string, form: Form, errors: FieldErrors): DiscordPayload => {
      sent.delete(draftId);
      const [first = ""] = Object.keys(errors);
      const labels = new Map(form.fields.map(({ name, label }) => [name, label]));
      const [payload] = render({
        tone: "failed",
        blocks: [
          { kind: "headline", text: say`${says.wrong}` },
          {
            kind: "list",
            items: Object.entries(errors).map(([field, error]) => ({
              mark: "bullet",
              text: say`${bold(labels.get(field) ?? field)}: ${error}`,
            })),
          },
        ],
        actions: [],
        summary: says.wrong,
      });
      return withButton(payload, "Edit and retry", pageId(draftId, pageOf(form, first)));
    },

    done: (draftId: string): Promise<void> => openForms.drop(draftId),
  };
}

function pageId(draftId: string, page: number): string {
  return `${continueAction}:${draftId}:${page}`;
}

function continuePayload(form: Form, draftId: string, next: number): DiscordPayload {
  const pages = formPages(form);
  const rest = pages.slice(next).flatMap((fields) => fields.map(({ label }) => label));
  const [payload] = render({
    tone: "info",
    blocks: [
      { kind: "text", text: say`${bold(form.title)} · step ${next} of ${pages.length} done` },
      { kind: "quiet", text: say`Next: ${rest.join(", ")}. Nothing is saved until the last step.` },
    ],
    actions: [],
    summary: truncate(`${form.title}: continue`, 150),
  });
  return withButton(payload, "Continue", pageId(draftId, next));
}

function closed(): DiscordPayload {
  const [payload] = render(errorDocument(dialogSentences.closed));
  return payload ?? { components: [] };
}
