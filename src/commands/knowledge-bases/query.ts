/**
 * `/kb query`: adds the rows of a query. It is shown for confirmation first, because the agent service runs it as is.
 */
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { Document, Inline } from "../../core/document.ts";
import type { JobItem } from "../../core/model/job.ts";
import { newId } from "../../core/tools/ids.ts";
import { bold, cleanText, infoDocument, say, titledDocument } from "../../presentation/drawing.ts";
import { labels, shorten } from "../../presentation/sentences.ts";
import { maxTitleChars, withoutFence } from "../adding/added-text.ts";
import { findDestination, recordContribution } from "../adding/destination.ts";
import type { CommandApp } from "../app.ts";
import { type Command, type OptionValues, textOption } from "../command.ts";
import { pendingIn, pendingKey, pendingMs } from "../pending.ts";
import { privately } from "../results.ts";
import { feedSentences } from "../words.ts";
import { intoOption } from "./kb-words.ts";

/** Answers to `/kb ingest`, `/kb add` and `/kb query`. */
const says = {
  confirmQuery: (into: string): Inline => say`Add the rows of this query to ${bold(into)}?`,
  queryRuns: "The agent service runs this query as is, with its own permissions.",
  runQuery: "Run and add rows",
  onlySelect:
    "Only a single SELECT without comments can be added, because the agent service would run anything else too.",
  queryGone: "This query has expired. Run the command again.",
} as const;

/**
 * Texts and quoted names, without and with the backslash as an escape, because dialects differ in where a text ends. An
 * unclosed quote matches up to the end, so that its text is searched only once.
 */
const quotedPatterns = [/(['"])(?:(?!\1).|\1\1)*(\1)?|`[^`]*`/gs, /(['"])(?:(?!\1|\\).|\1\1|\\.)*(\1)?|`[^`]*`/gs];

export const kbQuery: Command = {
  path: "kb query",
  summary: "Add a query's rows to a knowledge base (asks for confirmation)",
  offer: "sql",
  options: [{ name: "sql", summary: "A SELECT statement", type: "text", isRequired: true, isRest: true }, intoOption],
  role: "manage",
  examples: ["kb query SELECT id, question, answer AS content FROM shop.faq into:docs"],
  run: query,
  actions: { "confirm kb-query": { role: "manage", press: confirm } },
};

async function query(app: CommandApp, options: OptionValues, context: CommandContext): Promise<CommandResult> {
  const sql = withoutFence(textOption(options, "sql") ?? "")
    .trim()
    .replace(/(?<!\s)\s*;\s*$/, "");
  if (!isSingleSelect(sql)) return privately(infoDocument(says.onlySelect, { tone: "failed" }));
  const found = await findDestination(app, context, textOption(options, "into"));
  if ("refusal" in found) return found.refusal;
  const id = newId(app.clock.now());
  await pendingIn(app).set(pendingKey(context, id), { kind: "query", sql, ...found.destination }, pendingMs);
  return privately(queryDocument(sql, found.destination.knowledgeBase, id));
}

async function confirm(app: CommandApp, id: string, context: CommandContext): Promise<CommandResult> {
  const stored = await pendingIn(app).get(pendingKey(context, id));
  if (stored?.kind !== "query") return privately(infoDocument(says.queryGone, { tone: "failed" }));
  await pendingIn(app).delete(pendingKey(context, id));
  const { sql, project, knowledgeBase } = stored;
  const item: JobItem = {
    label: shorten(cleanText(sql), maxTitleChars),
    kind: "query",
    state: "waiting",
  };
  await app.knowledge.jobs.begin({
    context,
    project,
    knowledgeBase,
    way: "parley",
    action: "kb query",
    items: [{ item, payload: { kind: "query", sql } }],
  });
  await recordContribution(app, context, { project, knowledgeBase });
  return privately(infoDocument(feedSentences.begun(1, "query", knowledgeBase), { tone: "running" }));
}

/**
 * True for one read-only statement in every dialect. Comments are refused, because dialects disagree on what a comment
 * is.
 */
export function isSingleSelect(sql: string): boolean {
  return quotedPatterns.every((quoted) => {
    const bare = sql.replace(quoted, (text: string, open?: string, close?: string) =>
      open !== undefined && close === undefined ? text : " ",
    );
    return (
      /^\s*(?:select|with)\b/i.test(bare) &&
      !/[;'"`#]|--|\/\*/.test(bare) &&
      !/\b(?:into|insert|update|delete|merge|drop|alter|create|truncate|grant|revoke|call|exec|execute)\b/i.test(bare)
    );
  });
}

function queryDocument(sql: string, into: string, id: string): Document {
  return titledDocument(says.confirmQuery(into), [{ kind: "code", text: cleanText(sql), language: "sql" }], {
    tone: "waiting",
    quiet: [says.queryRuns],
    actions: [
      { id: "confirm", label: says.runQuery, value: `kb-query ${id}`, style: "primary" },
      { id: "dismiss", label: labels.cancel, value: id, style: "plain" },
    ],
  });
}
