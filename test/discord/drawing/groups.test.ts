import { expect, it } from "vitest";
import { modalOf, pageValues } from "../../../adapters/discord/drawing/forms.ts";
import type { ModalData } from "../../../adapters/discord/intake/events.ts";
import type { Form } from "../../../src/ports/document.ts";
import { modalProblems } from "../../fakes/discord/checks.ts";
import type { Json } from "../../fakes/discord/world.ts";

const form: Form = {
  ...{ id: "feedback", title: "What was wrong?", submitLabel: "Send", context: "t1" },
  fields: [
    {
      ...{ name: "reason", label: "Reason", isRequired: false, type: "select", showsAll: true },
      choices: ["wrong", "outdated"].map((value) => ({ value, label: value })),
    },
    {
      ...{ name: "tell", label: "Tell", isRequired: false, type: "multiselect", allowsFree: false, showsAll: true },
      ...{ choices: [{ value: "yes", label: "Tell me" }], initial: ["yes"] },
    },
  ],
};

function submitted(reason: string | null, tell: string[]): ModalData {
  const components = [
    { component: { custom_id: "reason", value: reason } },
    { component: { custom_id: "tell", values: tell } },
  ];
  return { custom_id: "form:1:0", components };
}

it("shows few choices as radio buttons and boxes to tick, and reads them back", () => {
  const modal = modalOf(form, "1", 0, {});

  expect(modalProblems(modal as unknown as Json)).toEqual([]);
  expect(modal.components.map((label) => "component" in label && label.component)).toMatchObject([
    { type: 21, required: false, options: [{ value: "wrong", default: false }, { value: "outdated" }] },
    { type: 22, required: false, min_values: 0, options: [{ value: "yes", default: true }] },
  ]);
  expect(pageValues(form, 0, submitted("outdated", ["yes"]), {})).toEqual({ reason: "outdated", tell: ["yes"] });
  expect(pageValues(form, 0, submitted(null, []), {})).toEqual({ reason: "", tell: [] });
});
