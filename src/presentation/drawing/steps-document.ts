/** Draws what Show steps shows: each step in words, with query, reason and result; every cut is marked. */
import type { Block, Document } from "../../ports/document.ts";
import type { Step, Table, TurnView } from "../../ports/model/turn.ts";
import { accessSentences } from "../sentences/access.ts";
import { durationText } from "../sentences/quantities.ts";
import { turnSentences } from "../sentences/questions.ts";
import { shorten, stepDetail, stepTitle } from "../sentences/step-words.ts";
import { stepSentences } from "../sentences/steps.ts";
import { bold, dotted, inline, italic, text } from "./inline.ts";
import { cleanText } from "./sanitise.ts";
import { cleanTable } from "./table-text.ts";

/** Limits of one observation and one query: a private message has room for a few of them. */
const maxObservationChars = 1_500;
const maxInputChars = 3_000;
const maxReasoningChars = 600;
const maxTableRows = 20;

/** `isShown`: whether the reader may see that step's details; by default they may see all. */
export function stepsDocument(view: TurnView, isShown: (step: Step) => boolean = () => true): Document {
  const title = stepSentences.title(view.agent);
  const blocks: Block[] = [{ kind: "headline", text: inline(title) }];
  for (const [index, step] of view.steps.entries()) {
    const { tool, state, startedAtMs, endedAtMs } = step;
    const times = { startedAtMs, ...(endedAtMs === undefined ? {} : { endedAtMs }) };
    if (isShown(step)) blocks.push(...stepBlocks(step, index + 1));
    else
      blocks.push(...stepBlocks({ tool, input: "", state, ...times }, index + 1), hidden(accessSentences.stepHidden));
  }
  if (view.omittedSteps !== undefined) {
    blocks.push({ kind: "quiet", text: inline(stepSentences.notKept(view.omittedSteps)) });
  }
  if (view.steps.length === 0) blocks.push({ kind: "text", text: inline(stepSentences.none) });
  // It isn't known which step returned which rows.
  const hidesRows = view.tables.length > 0 && !view.steps.every(isShown);
  if (hidesRows) blocks.push(hidden(accessSentences.rowsHidden));
  for (const table of hidesRows ? [] : view.tables) {
    blocks.push({ kind: "table", table: firstRows(cleanTable(table)), caption: inline(stepSentences.rowsFound) });
  }
  blocks.push({ kind: "quiet", text: turnSentences.reference(view.ref) });
  return { tone: "info", blocks, actions: [], summary: shorten(title, 150) };
}

function hidden(sentence: string): Block {
  return { kind: "quiet", text: inline(sentence) };
}

function stepBlocks(step: Step, number: number): readonly Block[] {
  const tookMs = step.endedAtMs === undefined ? undefined : step.endedAtMs - step.startedAtMs;
  const head = dotted(
    inline(bold(`${number}. `), stepTitle(step)),
    stepDetail(step),
    tookMs === undefined ? undefined : durationText(tookMs),
  );
  const blocks: Block[] = [{ kind: "text", text: head }];
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

function cutReasoning(reasoning: string, omittedBefore = 0): ReturnType<typeof inline> {
  const kept = cutAt(reasoning, maxReasoningChars);
  const omitted = reasoning.length - kept.length + omittedBefore;
  const note = omitted === 0 ? [] : [text(` ${stepSentences.observationCut(omitted)}`)];
  return inline(stepSentences.thought, italic(kept.replace(/\s+/g, " ")), note);
}

function cutCode(value: string, maxChars: number, omittedBefore: number, language?: string): readonly Block[] {
  const kept = cutAt(value, maxChars);
  const omitted = value.length - kept.length + omittedBefore;
  const block: Block = { kind: "code", text: kept, ...(language === undefined ? {} : { language }) };
  return omitted === 0 ? [block] : [block, { kind: "quiet", text: inline(stepSentences.observationCut(omitted)) }];
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
