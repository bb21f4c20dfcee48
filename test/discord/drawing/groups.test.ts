import { expect, it } from "vitest";
import { modalOf, pageValues } from "../../../adapters/discord/drawing/forms.ts";
import type { ModalData } from "../../../adapters/discord/intake/events.ts";
import type { Form } from "../../../src/core/document.ts";
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

it("shows few choices with room for another entry, which counts instead of the choice, or beside several", () => {
  const choices = ["default", "openai"].map((value) => ({ value, label: value }));
  const open: Form = {
    ...form,
    fields: [
      {
        ...{ name: "provider", label: "Provider", isRequired: false, type: "select", choices, showsAll: true },
        ...{ allowsFree: true, initial: "mistral" },
      },
      {
        ...{ name: "bases", label: "Knowledge bases", isRequired: false, type: "multiselect", allowsFree: true },
        ...{ showsAll: true, initial: ["docs"], choices: [{ value: "docs", label: "docs" }] },
      },
    ],
  };
  const modal = modalOf(open, "1", 0, {});

  expect(modalProblems(modal as unknown as Json)).toEqual([]);
  expect(modal.components.map((label) => "component" in label && label.component)).toMatchObject([
    {
      type: 21,
      options: [
        { value: "default", default: false },
        { value: "openai", default: false },
      ],
    },
    { type: 4, custom_id: "provider+", value: "mistral" },
    { type: 22, options: [{ value: "docs", default: true }] },
    { type: 4, custom_id: "bases+" },
  ]);
  const values = (provider: string, bases: string) => {
    const components = [
      { component: { custom_id: "provider", value: "openai" } },
      { component: { custom_id: "provider+", value: provider } },
      { component: { custom_id: "bases", values: ["docs"] } },
      { component: { custom_id: "bases+", value: bases } },
    ];
    return pageValues(open, 0, { custom_id: "form:1:0", components }, {});
  };
  expect(values("", "")).toEqual({ provider: "openai", bases: ["docs"] });
  expect(values("mistral", "prices, docs")).toEqual({ provider: "mistral", bases: ["docs", "prices"] });
});
