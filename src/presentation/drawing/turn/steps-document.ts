/** Draws what Show steps shows: each step in words with what it found, and behind Raw its query, reason and result. */

import type { Action, Block, Document, Inline } from "../../../core/document.ts";
import { costOf, type TokenPrice, type Tokens } from "../../../core/model/tokens.ts";
import type { Source, Step, Table, TurnView } from "../../../core/model/turn.ts";
import { passageExcerpt } from "../../markdown/plain-text.ts";
import { costText, countText, durationText, numberText } from "../../sentences/quantities.ts";
import { labels, turnSentences } from "../../sentences/questions.ts";
import { shorten, stepFound, stepSentences, stepTitle } from "../../sentences/steps.ts";
import { bold, code, dotted, inBold, italic, link, say, text } from "../inline.ts";
import { cleanText } from "../sanitise.ts";
import { sourceAuthor, sourceTitle } from "../source-title.ts";
import { cleanTable } from "../table-text.ts";
import { foundSources } from "./turn-actions.ts";

const says = {
  observationCut: (chars: number): string => `Shortened: ${countText(chars, "more character")}.`,
};

/** Limits of one observation and one query: a private message has room for a few of them. */
const maxObservationChars = 1_500;
const maxInputChars = 3_000;
const maxReasoningChars = 600;
const maxTableRows = 20;
/** About two lines of a passage. */
const maxExcerptChars = 180;

/** `isShown`: whether the reader may see what that step found; by default they may see all. */
export function stepsDocument(
  view: TurnView,
  isShown: (step: Step) => boolean = () => true,
  prices: readonly TokenPrice[] = [],
): Document {
  const blocks: Block[] = [...numbered(view, isShown, foundBlocks), ...tableBlocks(view, isShown)];
  if (view.tokens !== undefined) blocks.push({ kind: "quiet", text: tokensText(view.tokens, view.agent, prices) });
  const hasRaw = view.steps.some((step) => isShown(step) && rawBlocks(step).length > 0);
  const raw: Action = { id: "raw-steps", label: "Raw", value: view.turnId, style: "plain" };
  return stepsOf(view, view.agent === "" ? "Steps" : `${view.agent}'s steps`, blocks, [
    ...(hasRaw ? [raw] : []),
    hide(view),
  ]);
}

/** Each step with its query, the agent's reason and the tool's output, as they are. Every cut is marked. */
export function rawStepsDocument(view: TurnView, isShown: (step: Step) => boolean = () => true): Document {
  const blocks: Block[] = [...numbered(view, isShown, rawBlocks)];
  if (view.traceId !== undefined) blocks.push({ kind: "quiet", text: say`trace id ${code(view.traceId)}` });
  return stepsOf(view, view.agent === "" ? "Raw steps" : `${view.agent}'s raw steps`, blocks, [hide(view)]);
}

/** The passages that were found and didn't answer the question, for one person. */
export function foundDocument(view: TurnView, isShown: (step: Step) => boolean = () => true): Document {
  const sources = foundSources(view, isShown);
  const items = sources.map(({ addedBy: _by, ...source }) => ({
    mark: "bullet" as const,
    text: foundText(source, view.endedAtMs),
  }));
  const blocks: readonly Block[] =
    items.length === 0
      ? [hidden("What was found is from knowledge that you can't reach here.")]
      : [{ kind: "list", items }];
  return stepsOf(view, "What was found", blocks, [hide(view)]);
}

/** "1,204 tokens in, 312 out · $0.02". */
function tokensText(tokens: Tokens, agent: string, prices: readonly TokenPrice[]): Inline {
  const cost = costOf(tokens, agent, prices);
  const counts = say`${countText(tokens.input, "token")} in, ${numberText(tokens.output)} out`;
  return dotted(counts, cost === undefined ? undefined : costText(cost));
}

function stepsOf(view: TurnView, title: string, blocks: readonly Block[], actions: readonly Action[]): Document {
  return {
    tone: "info",
    blocks: [
      { kind: "headline", text: say`${title}` },
      ...blocks,
      { kind: "quiet", text: turnSentences.reference(view.ref) },
    ],
    actions,
    summary: shorten(title, 150),
  };
}

function hide({ turnId }: TurnView): Action {
  return { id: "hide", label: labels.hide, value: turnId, style: "plain" };
}

/** A step that is hidden shows only which tool was used. */
function numbered(
  { steps, omittedSteps }: TurnView,
  isShown: (step: Step) => boolean,
  draw: (step: Step) => readonly Block[],
): readonly Block[] {
  const blocks = steps.flatMap((step, index): readonly Block[] => {
    if (isShown(step)) return [stepHead(step, index + 1), ...draw(step)];
    const { tool, state, startedAtMs, endedAtMs } = step;
    const times = { startedAtMs, endedAtMs };
    return [
      stepHead({ tool, input: "", state, ...times }, index + 1),
      hidden("The results of this step are hidden: they are from knowledge that you can't reach here."),
    ];
  });
  if (omittedSteps !== undefined)
    blocks.push({
      kind: "quiet",
      text: say`${countText(omittedSteps, "later step was", "later steps were")} not stored.`,
    });
  if (steps.length === 0) blocks.push({ kind: "text", text: say`No steps were needed.` });
  return blocks;
}

/** It isn't known which step returned which rows. */
function tableBlocks({ tables, steps }: TurnView, isShown: (step: Step) => boolean): readonly Block[] {
  if (tables.length > 0 && !steps.every(isShown))
    return [hidden("Rows that were found are hidden for the same reason.")];
  return tables.map((table) => ({
    kind: "table",
    table: firstRows(cleanTable(table)),
    caption: say`${stepSentences.rowsFound}`,
  }));
}

function hidden(sentence: string): Block {
  return { kind: "quiet", text: say`${sentence}` };
}

/** "1. Searched **handbook** for “refund period”: 3 passages · 2 s". */
function stepHead(step: Step, number: number): Block {
  const tookMs = step.endedAtMs === undefined ? undefined : step.endedAtMs - step.startedAtMs;
  const found = stepFound(step);
  const head = dotted(
    say`${bold(`${number}. `)}${stepTitle(step)}${found === undefined ? "" : `: ${found}`}`,
    tookMs === undefined ? undefined : durationText(tookMs),
  );
  return { kind: "text", text: head };
}

/** What a search found: title, link and two lines of each passage. */
function foundBlocks({ sources = [], endedAtMs, startedAtMs }: Step): readonly Block[] {
  if (sources.length === 0) return [];
  return [
    {
      kind: "list",
      items: sources.map((source) => ({ mark: "bullet", text: foundText(source, endedAtMs ?? startedAtMs) })),
    },
  ];
}

function foundText(source: Source, atMs = 0): Inline {
  const title = sourceTitle(source);
  const excerpt = passageExcerpt(source.excerpt ?? "", maxExcerptChars);
  const named = source.url === undefined ? bold(title) : link(title, source.url);
  const from = sourceAuthor(source, atMs);
  const said = from === undefined ? [] : [title === "" ? "" : " · ", inBold(from)];
  const hasHead = title !== "" || from !== undefined;
  return say`${title === "" ? "" : named}${said}${!hasHead || excerpt === "" ? "" : ": "}${excerpt}`;
}

function rawBlocks(step: Step): readonly Block[] {
  const blocks: Block[] = [];
  const reasoning = cleanText(step.reasoning ?? "").trim();
  if (reasoning !== "") blocks.push({ kind: "quiet", text: cutReasoning(reasoning, step.reasoningOmittedChars) });
  if (step.input.trim() !== "")
    blocks.push(...cutCode(cleanText(step.input), maxInputChars, step.inputOmittedChars ?? 0, "sql"));
  const observation = cleanText(step.observation ?? "");
  if (observation.trim() !== "") {
    blocks.push(...cutCode(observation, maxObservationChars, step.observationOmittedChars ?? 0));
  }
  return blocks;
}

function cutReasoning(reasoning: string, omittedBefore = 0): Inline {
  const kept = cutAt(reasoning, maxReasoningChars);
  const omitted = reasoning.length - kept.length + omittedBefore;
  const note = omitted === 0 ? [] : [text(` ${says.observationCut(omitted)}`)];
  return say`Why: ${italic(kept.replace(/\s+/g, " "))}${note}`;
}

function cutCode(value: string, maxChars: number, omittedBefore: number, language?: string): readonly Block[] {
  const kept = cutAt(value, maxChars);
  const omitted = value.length - kept.length + omittedBefore;
  const block: Block = { kind: "code", text: kept, language };
  return omitted === 0 ? [block] : [block, { kind: "quiet", text: say`${says.observationCut(omitted)}` }];
}

/** Cuts at the last line end or space near the limit; never inside a surrogate pair. */
function cutAt(value: string, maxChars: number): string {
  if (value.length <= maxChars) return value;
  const end = /[\uD800-\uDBFF]/.test(value.charAt(maxChars - 1)) ? maxChars - 1 : maxChars;
  const kept = value.slice(0, end);
  const gap = Math.max(kept.lastIndexOf("\n"), kept.lastIndexOf(" "));
  return gap > maxChars * 0.8 ? kept.slice(0, gap) : kept;
}

function firstRows(table: Table): Table {
  if (table.rows.length <= maxTableRows) return table;
  const omittedRows = table.rows.length - maxTableRows + (table.omittedRows ?? 0);
  return { ...table, rows: table.rows.slice(0, maxTableRows), omittedRows };
}
