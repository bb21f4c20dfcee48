/**
 * Forms as modals: whatever a form holds must open, and what people enter must come back under its field.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documentView, drawView } from "../../../adapters/slack/drawing/document-modal.ts";
import { formMetadata, formView, suggestions } from "../../../adapters/slack/drawing/forms.ts";
import { createReaders, type SlackView } from "../../../adapters/slack/intake/events.ts";
import { formFiles, formValues, viewErrors } from "../../../adapters/slack/intake/form-values.ts";
import type { Block, Document, Form, FormField } from "../../../src/core/document.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { areOptions, checkView } from "../../fakes/slack/check-blocks.ts";
import { runs } from "../../properties.ts";

function formOf(...fields: readonly FormField[]): Form {
  return { id: "agent edit", title: "Edit", submitLabel: "Save", context: "sales", fields };
}

const where = { channel: "C1", thread: "1.2", responseUrl: "https://hooks.slack.com/x" };
const instructions = { name: "instructions", label: "Instructions", isRequired: true, type: "multiline" } as const;

/** The modal as Slack hands it back. */
function returned(form: Form, values: Record<string, Record<string, unknown>>): SlackView {
  const submission = createReaders(silentLog).submission({
    user: { id: "U0ALICE" },
    view: { ...formView(form, where, true), id: "V1", state: { values } },
  });
  if (submission === undefined) throw new Error("not a submission");
  return submission.view;
}

describe("a form", () => {
  it("opens whatever its choices, labels and first values are", () => {
    const choice = fc.record({
      value: fc.string({ minLength: 1, maxLength: 200 }),
      label: fc.string({ maxLength: 120 }),
    });
    const base = fc.record({
      name: fc.constant("field"),
      label: fc.string({ minLength: 1, maxLength: 45 }),
      hint: fc.string({ maxLength: 100 }),
      isRequired: fc.boolean(),
    });
    const field = fc.oneof(
      fc.record({ type: fc.constant("text" as const), initial: fc.string({ maxLength: 5_000 }) }),
      fc.record({ type: fc.constant("multiline" as const), maxChars: fc.integer({ min: 1, max: 90_000 }) }),
      fc.record({ type: fc.constant("secret" as const) }),
      fc.record({ type: fc.constant("select" as const), choices: fc.array(choice, { maxLength: 250 }) }),
      fc.record({
        type: fc.constant("select" as const),
        choices: fc.array(choice, { minLength: 2, maxLength: 10 }),
        showsAll: fc.constant(true as const),
        allowsFree: fc.constant(true as const),
        initial: fc.string({ minLength: 1, maxLength: 60 }),
      }),
      fc.record({
        type: fc.constant("multiselect" as const),
        choices: fc.array(choice, { maxLength: 20 }),
        allowsFree: fc.boolean(),
        initial: fc.array(fc.string({ minLength: 1, maxLength: 60 }), { maxLength: 5 }),
      }),
    );
    fc.assert(
      fc.property(base, field, (common, special) => {
        expect(checkView(formView(formOf({ ...common, ...special }), where, true))).toBeUndefined();
      }),
      { numRuns: runs(200) },
    );
  });

  it("shows choices as radio buttons and ticks where few are all shown, and reads them back", () => {
    const choices = ["wrong", "outdated"].map((value) => ({ value, label: value }));
    const form = formOf(
      { name: "reason", label: "Reason", isRequired: false, type: "select", choices, showsAll: true },
      {
        ...{ name: "tell", label: "Tell", isRequired: false, type: "multiselect", allowsFree: false, showsAll: true },
        ...{ choices: [{ value: "yes", label: "Tell me" }], initial: ["yes"] },
      },
    );
    const view = formView(form, where, true);

    expect(checkView(view)).toBeUndefined();
    expect(view.blocks.map((block) => "element" in block && block.element)).toMatchObject([
      { type: "radio_buttons", options: [{ value: "wrong" }, { value: "outdated" }] },
      { type: "checkboxes", options: [{ value: "yes" }], initial_options: [{ value: "yes" }] },
    ]);
    const chosen = returned(form, {
      reason: { input: { type: "radio_buttons", selected_option: { value: "outdated" } } },
      tell: { input: { type: "checkboxes", selected_options: [{ value: "yes" }] } },
    });
    expect(formValues(chosen, [])).toEqual({ reason: "outdated", tell: ["yes"] });
    const empty = returned(form, {
      reason: { input: { type: "radio_buttons", selected_option: null } },
      tell: { input: { type: "checkboxes", selected_options: [] } },
    });
    expect(formValues(empty, [])).toEqual({ reason: "", tell: [] });
  });

  it("shows few choices with room for another entry, which counts instead of the choice, or beside several", () => {
    const choices = ["default", "openai"].map((value) => ({ value, label: value }));
    const form = formOf(
      {
        ...{ name: "provider", label: "Provider", isRequired: false, type: "select", choices, showsAll: true },
        ...{ allowsFree: true, initial: "mistral" },
      },
      {
        ...{ name: "bases", label: "Knowledge bases", isRequired: false, type: "multiselect", allowsFree: true },
        ...{
          showsAll: true,
          completes: "knowledge-base",
          initial: ["docs"],
          choices: [{ value: "docs", label: "docs" }],
        },
      },
    );
    const view = formView(form, where, true);

    expect(checkView(view)).toBeUndefined();
    expect(view.blocks.map((block) => "element" in block && [block.block_id, block.element])).toMatchObject([
      ["provider", { type: "radio_buttons" }],
      ["provider+", { type: "plain_text_input", initial_value: "mistral" }],
      ["bases", { type: "checkboxes", initial_options: [{ value: "docs" }] }],
      ["bases+", { type: "plain_text_input" }],
    ]);
    const values = (provider: string | null, bases: string | null) =>
      formValues(
        returned(form, {
          "provider+": { input: { type: "plain_text_input", value: provider } },
          provider: { input: { type: "radio_buttons", selected_option: { value: "openai" } } },
          bases: { input: { type: "checkboxes", selected_options: [{ value: "docs" }] } },
          "bases+": { "comma-list": { type: "plain_text_input", value: bases } },
        }),
        [],
      );
    expect(values(null, null)).toEqual({ provider: "openai", bases: ["docs"] });
    expect(values("mistral", "prices, docs")).toEqual({ provider: "mistral", bases: ["docs", "prices"] });
  });

  it("comes back with its values and with what it is about", () => {
    const view = returned(formOf(instructions), {
      name: { input: { type: "plain_text_input", value: "sales" } },
      key: { input: { type: "plain_text_input", value: null } },
      knowledge: { "suggest:knowledge-base": { type: "multi_external_select", selected_options: [{ value: "docs" }] } },
      tables: { "comma-list": { type: "plain_text_input", value: "a.b, c.d\n e" } },
      model: { input: { type: "static_select", selected_option: null } },
    });

    expect(formMetadata(view)).toMatchObject({ form: "agent edit", context: "sales", channel: "C1", thread: "1.2" });
    expect(formValues(view, [])).toEqual({
      name: "sales",
      key: "",
      knowledge: ["docs"],
      tables: ["a.b", "c.d", "e"],
      model: "",
    });
  });

  it("asks for files only where Slack lets the app read them, and gives them back beside the values", () => {
    const form = formOf({ type: "file", name: "files", label: "Files", isRequired: false, maxFiles: 50 });
    const csv = { id: "F1", name: "prices.csv", mimetype: "text/csv", size: 12, url_private: "https://files/F1" };
    const view = returned(form, { files: { input: { type: "file_input", files: [csv] } } });

    expect(checkView(formView(form, where, true))).toBeUndefined();
    expect(checkView(formView(form, where, true), false)).toBe("invalid_arguments");
    expect(formView(form, where, false).blocks.map(({ block_id }) => block_id)).not.toContain("files");
    expect(formFiles(view)).toMatchObject([{ id: "F1", name: "prices.csv" }]);
    expect(formValues(view, [])).toEqual({});
  });

  it("keeps a value that is too long to be shown, when it is left empty", () => {
    const form = formOf({ ...instructions, initial: "x".repeat(3_001) });
    const view = returned(form, { instructions: { input: { type: "plain_text_input", value: null } } });

    const keep = formMetadata(view)?.keep ?? [];

    expect(keep).toEqual(["instructions"]);
    expect(formValues(view, keep)).toEqual({});
    expect(checkView(view)).toBeUndefined();
  });

  it("drops the way back rather than what it is about, when both do not fit", () => {
    const form = { ...formOf(instructions), context: "c".repeat(2_000) };

    const view = returned(form, {});
    const long = formView(form, { ...where, responseUrl: `https://hooks.slack.com/${"x".repeat(1_500)}` }, true);

    expect(formMetadata(view)?.responseUrl).toBe(where.responseUrl);
    expect(formMetadata({ ...view, private_metadata: long.private_metadata ?? "" })).toMatchObject({
      context: form.context,
    });
  });

  it("shows an error of a field that is not there at the first one", () => {
    const view = returned(formOf(instructions), {});

    expect(viewErrors({ instructions: "Too short.", other: "Odd." }, view)).toEqual({
      instructions: "Too short. Odd.",
    });
  });
});

describe("suggestions", () => {
  it("are such that Slack shows them, and at most 100", () => {
    const choices = Array.from({ length: 300 }, (_, index) => ({ value: `agent_${index}`, label: "x".repeat(100) }));

    expect(areOptions(suggestions(choices, "", false))).toBe(true);
  });

  it("offer what was typed only where that is allowed", () => {
    const values = (allowsFree: boolean) => suggestions([], "my.table", allowsFree).map(({ value }) => value);

    expect(values(true)).toEqual(["my.table"]);
    expect(values(false)).toEqual([]);
  });

  it("offer what was typed last, and say that it is no known name", () => {
    const known = Array.from({ length: 150 }, (_, index) => ({ value: `team_${index}`, label: `team_${index}` }));

    const offered = suggestions(known, " team ", true);

    expect(offered.length).toBe(100);
    expect(offered[0]).toMatchObject({ value: "team_0", text: { text: "team_0" } });
    expect(offered.at(-1)).toMatchObject({ value: "team", text: { text: "Use “team”" } });
    expect(suggestions(known, "team_7", true).map(({ value }) => value)).not.toContain("team");
  });

  it("are never cut inside a character", () => {
    const [offered] = suggestions([{ value: "a", label: "👩‍👩‍👧".repeat(50) }], "", false);

    expect(offered?.text.text).toMatch(/^(👩‍👩‍👧)+…$/u);
    expect(areOptions(suggestions([{ value: "a", label: "👩‍👩‍👧".repeat(50) }], "", false))).toBe(true);
  });
});

describe("a document to look at", () => {
  it("says its headline once, as the modal's title, and again only where that is cut", () => {
    const document = (title: string): Document => ({
      tone: "info",
      blocks: [
        { kind: "headline", text: [{ text: title }] },
        { kind: "text", text: [{ text: "Searched docs" }] },
      ],
      actions: [],
      summary: title,
    });

    expect(documentView(document("Steps of guide"))?.blocks.length).toBe(1);
    expect(documentView(document("Steps of an_agent_with_a_long_name"))?.blocks.length).toBe(2);
  });

  it("isn't a modal when there is no room for it", () => {
    const document = (count: number): Document => ({
      tone: "info",
      blocks: Array.from({ length: count }, () => ({ kind: "text", text: [{ text: "Step" }] })),
      actions: [],
      summary: "Steps of a_very_long_agent_name_indeed",
    });

    expect(checkView(documentView(document(100)))).toBeUndefined();
    expect(documentView(document(101))).toBeUndefined();
  });

  it("shows of 200 steps what one modal takes, and how much is left out", async () => {
    const step = (index: number): Block[] => [
      { kind: "text", text: [{ text: `${index + 1}. Searched docs` }] },
      { kind: "code", text: "SELECT 1\n".repeat(150), language: "sql" },
      { kind: "code", text: "<a & b> *bold* ".repeat(100) },
    ];
    const steps: Document = {
      tone: "info",
      blocks: [
        { kind: "headline", text: [{ text: "Steps of guide" }] },
        ...Array.from({ length: 200 }, (_, index) => step(index)).flat(),
        { kind: "quiet", text: [{ text: "ref 1abc" }] },
      ],
      actions: [],
      summary: "Steps of guide",
    };
    let turns = 0;
    const view = await drawView(steps, async () => {
      turns += 1;
    });

    expect(checkView(view)).toBeUndefined();
    expect(turns).toBeGreaterThan(1);
    const said = JSON.stringify(view?.blocks);
    expect(said).toContain("1. Searched docs");
    expect(said).toContain("8. Searched docs");
    expect(said).toMatch(/Shortened: [\d,]+ more characters not shown/);
    expect(said).toContain("ref 1abc");
  });
});
