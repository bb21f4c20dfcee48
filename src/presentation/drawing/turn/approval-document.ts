/** Draws a Turn that waits for people to decide about a tool call: the tool, its server, its arguments, and buttons. */

import type { Action, Block, Document, Inline } from "../../../core/document.ts";
import type { PendingRequest, ShownDecision, ShownRequest } from "../../../core/model/approval.ts";
import type { TurnView } from "../../../core/model/turn.ts";
import { countText, numberText } from "../../sentences/quantities.ts";
import { shorten } from "../../sentences/steps.ts";
import { bold, code, inlineText, person, say } from "../inline.ts";
import { cleanText, maskLabel } from "../sanitise.ts";
import { readableInput } from "./approval-input.ts";

const says = {
  wants: (agent: string, tool: string, server: string | undefined): Inline =>
    say`${agent === "" ? "The agent" : bold(agent)} wants to use ${toolOf(tool, server)}`,
  decided: ({ isApproved, how, by, tool, server }: ShownDecision): Inline => {
    const named = toolOf(tool, server);
    if (how === "expired") return say`${named} was denied automatically: nobody decided in time`;
    if (how === "nobody") return say`${named} was denied: there was nobody to ask`;
    const who = by === undefined ? "" : say` by ${person(by.name, by.id)}`;
    return say`${named}${isApproved ? " approved" : " denied"}${who}`;
  },
  needed: "Your question needs a decision: approve or deny a tool.",
};

/** Of the arguments: about what fits a phone's screen. Show everything has the rest. */
const maxShownChars = 900;
const maxShownLines = 24;
const maxNameChars = 80;
/** A private message has room for all that is stored. */
const maxWholeChars = 12_000;
const maxSummaryChars = 150;

export function approvalHeadline({ agent, asksFor }: TurnView): Inline {
  if (asksFor === undefined) return say``;
  const { tool, server } = named(asksFor.request);
  return says.wants(maskLabel(agent), tool, server);
}

/** Below the headline and the steps. */
export function approvalBlocks(
  { request, number, count, approvers, asker }: ShownRequest,
  isNameless: boolean,
): readonly Block[] {
  const { shown, omitted } = cutInput(request, maxShownChars, maxShownLines);
  const byAsker = isNameless
    ? say`You can approve or deny this.`
    : say`Only ${person(asker.name, asker.id)} can approve or deny this.`;
  const who = approvers === "asker" ? byAsker : say`Only people who manage Parley can approve or deny this.`;
  const blocks: Block[] = [];
  if (count > 1) blocks.push({ kind: "text", text: say`Request ${numberText(number)} of ${numberText(count)}.` });
  if (shown === "") blocks.push({ kind: "text", text: say`It sends no arguments.` });
  else blocks.push({ kind: "code", text: shown, language: "json" });
  if (omitted > 0) blocks.push({ kind: "text", text: say`${countText(omitted, "more character")} not shown here.` });
  blocks.push({
    kind: "quiet",
    text: say`${who} Denied automatically after ${countText(approvalMinutes, "minute")}.`,
  });
  return blocks;
}

/** How long people have to decide. */
export const approvalMinutes = 15;

export function approvalActions(view: TurnView): readonly Action[] {
  if (view.asksFor === undefined) return [];
  const { request } = view.asksFor;
  const value = `${view.turnId} ${request.key}`;
  const { omitted } = cutInput(request, maxShownChars, maxShownLines);
  const whole: Action = { id: "approval-input", label: "Show everything", value, style: "plain" };
  return [
    { id: "approve", label: "Approve", value, style: "primary" },
    { id: "deny", label: "Deny", value, style: "danger" },
    ...(omitted > 0 ? [whole] : []),
  ];
}

/** All arguments, for the person who wants to read them before deciding. */
export function approvalInputDocument(agent: string, request: PendingRequest): Document {
  const { tool, server } = named(request);
  const { shown, omitted } = cutInput(request, maxWholeChars, Number.POSITIVE_INFINITY);
  const headline = says.wants(maskLabel(agent), tool, server);
  const cut: readonly Block[] =
    omitted > 0
      ? [
          {
            kind: "text",
            text: say`${countText(omitted, "more character")} can't be shown: the request is too long.`,
          },
        ]
      : [];
  return {
    tone: "info",
    blocks: [
      { kind: "headline", text: headline },
      { kind: "text", text: say`Everything that would be sent` },
      { kind: "code", text: shown, language: "json" },
      ...cut,
    ],
    actions: [],
    summary: shorten(inlineText(headline), maxSummaryChars),
  };
}

/** One quiet line for each decision, and for all that are the same. */
export function decisionLines({ decisions = [] }: TurnView): readonly Block[] {
  const lines = new Map<string, { readonly text: Inline; readonly times: number }>();
  for (const decision of decisions) {
    const text = says.decided({ ...decision, ...named(decision) });
    const key = JSON.stringify(text);
    lines.set(key, { text, times: (lines.get(key)?.times ?? 0) + 1 });
  }
  return [...lines.values()].map(({ text, times }) => ({
    kind: "quiet",
    text: times === 1 ? text : say`${text} (${numberText(times)} times)`,
  }));
}

/** Tells the asker that their question waits for them. */
export function approvalNeededDocument(asker: { readonly id: string; readonly name: string }): Document {
  const text = say`${{ ...person(asker.name, asker.id), notifies: true }} ${says.needed}`;
  return { tone: "info", blocks: [{ kind: "text", text }], actions: [], summary: says.needed };
}

function named({ tool, server }: { readonly tool: string; readonly server?: string }) {
  const of = server === undefined ? undefined : shorten(maskLabel(server), maxNameChars);
  return { tool: shorten(maskLabel(tool), maxNameChars), server: of };
}

function cutInput({ input, inputOmittedChars = 0 }: PendingRequest, maxChars: number, maxLines: number) {
  const whole = cleanText(readableInput(input));
  const isNothing = whole === "" || whole === "{}";
  if (isNothing && inputOmittedChars === 0) return { shown: "", omitted: 0 };
  const lines = whole.slice(0, maxChars).toWellFormed().split("\n").slice(0, maxLines);
  const shown = lines.join("\n");
  return { shown, omitted: whole.length - shown.length + inputOmittedChars };
}

/** "send_mail of mail". */
function toolOf(tool: string, server: string | undefined): Inline {
  const name = tool === "" ? say`a tool without a name` : say`${code(tool)}`;
  return server === undefined || server === "" ? name : say`${name} of ${code(server)}`;
}
