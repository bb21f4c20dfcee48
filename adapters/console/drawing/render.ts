/**
 * Renders a Document as the page's payload. The page draws the document's own blocks, so this only makes every text
 * safe: no bidi controls, no URL other than http, https or a path of Parley's own.
 */
import type { Action, Block, Choice, Document, Form, Inline, StepLine } from "../../../src/core/document.ts";
import type { Chart } from "../../../src/core/model/chart.ts";
import type { Source, Table } from "../../../src/core/model/turn.ts";
import { cleanText, safeUrl } from "../../../src/presentation/drawing.ts";
import type { ConsolePayload } from "../writing/messages.ts";

/** Parley's documents and the page's own conversations. */
const ownPath = /^\/(?:docs\/[\w-]+\.md(?:#\S*)?|#\/\S*)$/;

/** The URL if it is http or https, or leads to Parley's own pages; else undefined. */
function linkUrl(url: string | undefined): string | undefined {
  if (url !== undefined && ownPath.test(url)) return cleanText(url);
  const safe = url === undefined ? undefined : safeUrl(url);
  return safe?.startsWith("http") === true ? safe : undefined;
}

function safeInline(text: Inline): Inline {
  return text.map(({ url, ...span }) => {
    const safe = linkUrl(url);
    return { ...span, text: cleanText(span.text), url: safe };
  });
}

function safeStep(step: StepLine): StepLine {
  return {
    ...step,
    title: safeInline(step.title),
    detail: step.detail && safeInline(step.detail),
    sources: step.sources?.map(safeSource),
  };
}

function safeSource({ title, url, excerpt, addedBy }: Source): Source {
  return {
    title: cleanText(title),
    url: linkUrl(url),
    excerpt: excerpt && cleanText(excerpt),
    addedBy: addedBy && { name: cleanText(addedBy.name), atMs: addedBy.atMs },
  };
}

function safeTable(table: Table): Table {
  return {
    ...table,
    columns: table.columns.map(cleanText),
    rows: table.rows.map((row) => row.map(cleanText)),
  };
}

/** Whole: who reads its picture's description reads every word of it. */
function safeChart(chart: Chart): Chart {
  return {
    ...chart,
    title: cleanText(chart.title),
    categories: chart.categories.map(cleanText),
    series: chart.series.map((one) => ({ ...one, name: cleanText(one.name) })),
    xLabel: chart.xLabel && cleanText(chart.xLabel),
    yLabel: chart.yLabel && cleanText(chart.yLabel),
    says: cleanText(chart.says),
  };
}

function safeBlock(block: Block): Block {
  switch (block.kind) {
    case "headline":
    case "text":
    case "quiet":
      return { kind: block.kind, text: safeInline(block.text) };
    case "markdown":
      return { kind: "markdown", text: cleanText(block.text) };
    case "code":
      return { ...block, text: cleanText(block.text) };
    case "steps":
      return {
        ...block,
        steps: block.steps.map(safeStep),
      };
    case "chart":
      return { kind: "chart", chart: safeChart(block.chart), table: safeTable(block.table) };
    case "fold":
      return {
        kind: "fold",
        title: safeInline(block.title),
        blocks: block.blocks.map(safeBlock),
        actions: block.actions.map(safeAction),
        quiet: safeInline(block.quiet),
        flat: block.flat.map(safeBlock),
      };
    case "table":
      return {
        ...block,
        table: safeTable(block.table),
        caption: block.caption && safeInline(block.caption),
      };
    case "actions":
      return { ...block, actions: block.actions.map(safeAction) };
    case "divider":
      return block;
    case "list":
      return { kind: "list", items: block.items.map((item) => ({ ...item, text: safeInline(item.text) })) };
    case "sources":
      return {
        kind: "sources",
        sources: block.sources.map(({ number, title, url, from, excerpt }) => ({
          number,
          title: cleanText(title),
          url: linkUrl(url),
          from: from && safeInline(from),
          excerpt: excerpt && cleanText(excerpt),
        })),
      };
    default:
      return block satisfies never;
  }
}

function safeAction(action: Action): Action {
  const { label, accessibleLabel } = action;
  return { ...action, label: cleanText(label), accessibleLabel: accessibleLabel && cleanText(accessibleLabel) };
}

/** Their values are sent back as they are. */
export const safeChoices = (choices: readonly Choice[]): readonly Choice[] =>
  choices.map(({ value, label }) => ({ value, label: cleanText(label) }));

/** Always one payload: the page does not limit a message's length, so nothing is split. */
export function render(document: Document): readonly [ConsolePayload] {
  return [
    {
      version: 1,
      tone: document.tone,
      byline: document.byline && cleanText(document.byline),
      blocks: document.blocks.map(safeBlock),
      actions: document.actions.map(safeAction),
      summary: cleanText(document.summary),
    },
  ];
}

/** The form with every text cleaned. The page draws the neutral form itself. */
export function renderForm(form: Form): Form {
  return {
    ...form,
    title: cleanText(form.title),
    submitLabel: cleanText(form.submitLabel),
    fields: form.fields.map((field) => ({
      ...field,
      label: cleanText(field.label),
      hint: field.hint && cleanText(field.hint),
      ...("choices" in field ? { choices: safeChoices(field.choices) } : {}),
    })),
  };
}
