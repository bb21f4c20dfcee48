/**
 * Stores the forms that people have open, for 15 minutes.
 * A submitted modal returns only its own fields and a short id. The rest is held in memory, and stored without secrets,
 * so that a restart loses no form.
 */
import type { Form, FormValues } from "../../../src/core/document.ts";
import type { DiscordAttachment } from "../intake/events.ts";
import type { DiscordParts } from "../parts.ts";
import { withoutSecrets } from "./forms.ts";

export type OpenForm = {
  readonly form: Form;
  readonly values: FormValues;
  /** Of the submitted pages. */
  readonly files?: readonly DiscordAttachment[];
  /** Indexes of submitted pages. */
  readonly filled: readonly number[];
};

export type OpenForms = ReturnType<typeof createOpenForms>;

const lifeMs = 15 * 60_000;
const maxDrafts = 500;

export function createOpenForms({ keyValue, clock }: DiscordParts) {
  const openForms = new Map<string, { readonly draft: OpenForm; readonly untilMs: number }>();
  const key = (id: string) => `form/${id}`;

  return {
    /** `id`: of the interaction that opened the form, so that every instance uses the same id. */
    put: async (id: string, draft: OpenForm): Promise<void> => {
      openForms.delete(id);
      openForms.set(id, { draft, untilMs: clock.now() + lifeMs });
      for (const [known, { untilMs }] of openForms) {
        if (untilMs > clock.now() && openForms.size <= maxDrafts) break;
        openForms.delete(known);
      }
      const stored: OpenForm = { ...draft, values: withoutSecrets(draft.form, draft.values) };
      await keyValue.set(key(id), JSON.stringify(stored), lifeMs).catch(() => undefined);
    },
    get: async (id: string): Promise<OpenForm | undefined> => {
      const kept = openForms.get(id);
      if (kept !== undefined) return kept.untilMs > clock.now() ? kept.draft : undefined;
      const stored = await keyValue.get(key(id)).catch(() => undefined);
      return stored === undefined ? undefined : (JSON.parse(stored) as OpenForm);
    },
    drop: async (id: string): Promise<void> => {
      openForms.delete(id);
      await keyValue.delete(key(id)).catch(() => undefined);
    },
  };
}
