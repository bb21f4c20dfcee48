/** The local Discord refuses what Discord refuses in messages of components and in modals. */
import { describe, expect, it } from "vitest";
import { messageProblems, modalProblems } from "../checks.ts";
import { type Json, v2Flag } from "../world.ts";

const text = { type: 10, content: "42" };
const picture = { media: { url: "attachment://chart.png" }, description: "Sales by month" };
const button = { type: 2, style: 2, custom_id: "go", label: "Go" };
const gallery = { type: 12, items: [picture] };
const section = { type: 9, components: [text], accessory: { type: 11, ...picture } };
const link = { type: 2, style: 5, url: "https://example.com", label: "Open" };

const problems = (...components: readonly Json[]) => messageProblems({ components, flags: v2Flag }, undefined);

describe("a message of components", () => {
  it.each<[string, Json]>([
    ["a gallery", gallery],
    ["a gallery in a container", { type: 17, accent_color: 0x12_64_a3, components: [text, gallery] }],
    ["a text beside a thumbnail", section],
    ["a text beside a button", { ...section, accessory: button }],
    ["a link", { type: 1, components: [link, button] }],
    ["a rule", { type: 14, divider: true, spacing: 2 }],
    ["a file", { type: 13, file: { url: "attachment://rows.csv" } }],
  ])("takes %s", (_, component) => {
    expect(problems(component)).toEqual([]);
  });

  it.each<[string, Json]>([
    ["a gallery without pictures", { type: 12, items: [] }],
    ["eleven pictures", { type: 12, items: Array.from({ length: 11 }, () => picture) }],
    ["a picture without an address", { type: 12, items: [{ description: "Sales" }] }],
    ["a long description", { type: 12, items: [{ ...picture, description: "x".repeat(1_025) }] }],
    ["a thumbnail alone", { type: 11, ...picture }],
    ["a text with nothing beside it", { ...section, accessory: undefined }],
    ["four texts beside a picture", { ...section, components: [text, text, text, text] }],
    ["a gallery beside a text", { ...section, accessory: gallery }],
    ["a container in a container", { type: 17, components: [{ type: 17, components: [text] }] }],
    ["a button outside a row", button],
    ["a file from elsewhere", { type: 13, file: { url: "https://example.com/rows.csv" } }],
    ["a link that has a custom_id", { type: 1, components: [{ ...link, custom_id: "open" }] }],
    ["a select beside a button", { type: 1, components: [{ type: 3, custom_id: "pick", options: [] }, button] }],
    ["a colour beyond white", { type: 17, accent_color: 0x1_00_00_00, components: [text] }],
  ])("is refused for %s", (_, component) => {
    expect(problems(JSON.parse(JSON.stringify(component)))).not.toEqual([]);
  });

  it("counts the texts and buttons at a section's side among its 40 components", () => {
    expect(problems(...Array.from({ length: 13 }, () => section))).toEqual([]);
    expect(problems(...Array.from({ length: 14 }, () => section))).toEqual(["42 components"]);
  });
});

describe("a modal", () => {
  const option = (value: string) => ({ label: value, value });
  const field = (component: Json) =>
    modalProblems({
      ...{ title: "Add", custom_id: "add" },
      components: [{ type: 18, label: "Which", component: { custom_id: "which", ...component } }],
    });

  it.each<[string, Json]>([
    ["a group of which one is chosen", { type: 21, options: [option("a"), option("b")] }],
    ["boxes to tick", { type: 22, options: [option("a")], min_values: 0, max_values: 1, required: false }],
    ["one box", { type: 23 }],
    ["files", { type: 19, max_values: 10, file_types: ["image", ".pdf"] }],
    ["words", { type: 4, style: 1 }],
  ])("takes %s", (_, component) => {
    expect(field(component)).toEqual([]);
  });

  it.each<[string, Json]>([
    ["a group of one", { type: 21, options: [option("a")] }],
    ["a group of eleven", { type: 21, options: Array.from({ length: 11 }, (_, at) => option(`o${at}`)) }],
    ["one value twice", { type: 22, options: [option("a"), option("a")] }],
    ["an option without words", { type: 22, options: [option("")] }],
    ["a long value", { type: 21, options: [option("a"), option("x".repeat(101))] }],
    ["more ticks than boxes", { type: 22, options: [option("a")], max_values: 2 }],
    ["a required field that may stay empty", { type: 22, options: [option("a")], min_values: 0 }],
    ["eleven files", { type: 19, max_values: 11 }],
    ["files of unknown types", { type: 19, file_types: ["text/csv"] }],
    ["a required box", { type: 23, required: true }],
    ["words without a style", { type: 4 }],
    ["words with a label of their own", { type: 4, style: 1, label: "Which" }],
    ["words that are longest before they are long enough", { type: 4, style: 1, min_length: 9, max_length: 3 }],
  ])("is refused for %s", (_, component) => {
    expect(field(component)).not.toEqual([]);
  });
});
