/**
 * Stores the forms that people have open, for 15 minutes.
 * A submitted modal returns only its own fields and a short id. The rest is held in memory, and stored without secrets,
 * so that a restart loses no form.
 */
import type { Clock } from "../../../src/ports/clock.ts";
import type { Form, FormValues } from "../../../src/ports/document.ts";
import type { KeyValue } from "../../../src/ports/state.ts";
import { withoutSecrets } from "./forms.ts";

export type OpenForm = {
  readonly form: Form;
  readonly values: FormValues;
  /** Indexes of submitted pages. */
  readonly filled: readonly number[];
};

export type OpenForms = {
  /** `id`: of the interaction that opened the form, so that every instance uses the same id. */
  readonly put: (id: string, draft: OpenForm) => Promise<void>;
  readonly get: (id: string) => Promise<OpenForm | undefined>;
  readonly drop: (id: string) => Promise<void>;
};

const lifeMs = 15 * 60_000;
const maxDrafts = 500;

export function createOpenForms(options: { readonly keyValue: KeyValue<string>; readonly clock: Clock }): OpenForms {
  const { keyValue, clock } = options;
  const openForms = new Map<string, { readonly draft: OpenForm; readonly untilMs: number }>();
  const key = (id: string) => `form/${id}`;

  return {
    put: async (id, draft) => {
      openForms.delete(id);
      openForms.set(id, { draft, untilMs: clock.now() + lifeMs });
      for (const [known, { untilMs }] of openForms) {
        if (untilMs > clock.now() && openForms.size <= maxDrafts) break;
        openForms.delete(known);
      }
      const stored: OpenForm = { ...draft, values: withoutSecrets(draft.form, draft.values) };
      await keyValue.set(key(id), JSON.stringify(stored), lifeMs).catch(() => undefined);
    },
    get: async (id) => {
      const kept = openForms.get(id);
      if (kept !== undefined) return kept.untilMs > clock.now() ? kept.draft : undefined;
      const stored = await keyValue.get(key(id)).catch(() => undefined);
      return stored === undefined ? undefined : (JSON.parse(stored) as OpenForm);
    },
    drop: async (id) => {
      openForms.delete(id);
      await keyValue.delete(key(id)).catch(() => undefined);
    },
  };
}
