/**
 * `/kb add` and `/kb query`: add text, rows, files, or a query's rows. Without any of them, the first opens a form. A
 * query is shown for confirmation first, because the agent service runs it as is.
 */
import type { Payload } from "../../knowledge/knowledge.ts";
import { fileProblem, formatOfText } from "../../knowledge/knowledge.ts";
import { type CommandHandler, type CommandSet, type OptionValues, textOption } from "../../ports/command-contract.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import type { Document } from "../../ports/document.ts";
import type { JobItem } from "../../ports/model/job.ts";
import { newId } from "../../ports/tools/ids.ts";
import { cleanText, infoDocument, titledDocument } from "../../presentation/drawing.ts";
import { feedSentences, labels, shorten } from "../../presentation/sentences.ts";
import { privately } from "../results.ts";
import { addFormId, createAddForm, type Given, givenOf } from "./add-form.ts";
import { addressItems } from "./address-items.ts";
import { findDestination, recordContribution } from "./destination.ts";
import { type FeedPorts, pendingKey, pendingMs } from "./feed-ports.ts";
import { feedDefinitions } from "./kb-definitions.ts";

const maxTitleChars = 80;
const paths = ["kb add", "kb query"];

/** `ingest`: the command that adds pages. */
export function addCommands(ports: FeedPorts, ingest: CommandHandler["run"]): CommandSet {
  const { knowledge, pending, clock } = ports;

  const form = createAddForm(ports, addGiven);

  /** Everything in one Job, so that it has one message and is begun as a whole or not at all. */
  async function addGiven({ text, urls, into }: Given, context: CommandContext): Promise<CommandResult> {
    const { attachments } = context;
    // Pages alone are added as by their own command.
    if (attachments.length === 0 && urls.length > 0) {
      return ingest(into === undefined ? { urls } : { urls, into }, context);
    }
    const found = await findDestination(ports, context, into);
    if ("refusal" in found) return found.refusal;
    const bare = withoutFence(text);
    const pieces = [...(bare.trim() === "" ? [] : [textItem(bare)]), ...attachments.map(fileItem)];
    if (pieces.length === 0) return form.button();
    const way = (urls.length === 0 ? undefined : await knowledge.way()) ?? "parley";
    const { items: pages } = await addressItems(ports, urls, way, context);
    const items: readonly Piece[] = [...pages.map((item) => ({ item, payload: { kind: "url" } }) as const), ...pieces];
    const limits = { limit: 1, depth: 0, domains: [] };
    await knowledge.jobs.begin({ context, ...found.destination, way, limits, action: "kb add", items });
    await recordContribution(ports, context, found.destination);
    const said = feedSentences.begun(items.length, "piece", found.destination.knowledgeBase);
    return privately(infoDocument(said, { tone: "running" }));
  }

  const add = (options: OptionValues, context: CommandContext) =>
    addGiven(givenOf(textOption(options, "text") ?? "", textOption(options, "into")), context);

  async function query(options: OptionValues, context: CommandContext): Promise<CommandResult> {
    const sql = withoutFence(textOption(options, "sql") ?? "")
      .trim()
      .replace(/(?<!\s)\s*;\s*$/, "");
    if (!isSingleSelect(sql)) return privately(infoDocument(feedSentences.onlySelect, { tone: "failed" }));
    const found = await findDestination(ports, context, textOption(options, "into"));
    if ("refusal" in found) return found.refusal;
    const id = newId(clock.now());
    await pending.set(pendingKey(context, id), { kind: "query", sql, ...found.destination }, pendingMs);
    return privately(queryDocument(sql, found.destination.knowledgeBase, id));
  }

  async function confirm(id: string, context: CommandContext): Promise<CommandResult> {
    const stored = await pending.get(pendingKey(context, id));
    if (stored?.kind !== "query") return privately(infoDocument(feedSentences.queryGone, { tone: "failed" }));
    await pending.delete(pendingKey(context, id));
    const { sql, project, knowledgeBase } = stored;
    const item: JobItem = {
      label: shorten(cleanText(sql), maxTitleChars),
      kind: "query",
      state: "waiting",
    };
    await knowledge.jobs.begin({
      context,
      project,
      knowledgeBase,
      way: "parley",
      action: "kb query",
      items: [{ item, payload: { kind: "query", sql } }],
    });
    await recordContribution(ports, context, { project, knowledgeBase });
    return privately(infoDocument(feedSentences.begun(1, "query", knowledgeBase), { tone: "running" }));
  }

  return {
    definitions: feedDefinitions.filter(({ path }) => paths.includes(path)),
    handlers: { "kb add": { run: add, form: form.open, formIn: form.openFor }, "kb query": { run: query } },
    forms: { [addFormId]: form.handler },
    actions: { "confirm kb-query": { role: "manage", press: confirm } },
  };
}

type Piece = { readonly item: JobItem; readonly payload: Payload };

function textItem(text: string): Piece {
  const format = formatOfText(text);
  const first = text.trim().split("\n", 1)[0] ?? "";
  const title =
    format === "text" ? shorten(cleanText(first).replace(/^#+\s*/, ""), maxTitleChars) : feedSentences.attached;
  return {
    item: { label: title, kind: "rows", state: "waiting" },
    payload: { kind: "rows", text, format, title },
  };
}

/** Problems that are visible without opening the file are reported immediately. */
export function fileItem(attachment: CommandContext["attachments"][number]): Piece {
  const reason = fileProblem(attachment);
  const base = { label: attachment.name, kind: "file" } as const;
  const item: JobItem = reason === undefined ? { ...base, state: "waiting" } : { ...base, state: "failed", reason };
  return { item, payload: { kind: "file", attachment: { ...attachment } } };
}

/** People paste data in code fences, because chats would reformat it otherwise. */
function withoutFence(text: string): string {
  return /^\s*```[\w-]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? /^\s*```([^`\n]+)```\s*$/.exec(text)?.[1] ?? text;
}

/**
 * Texts and quoted names, without and with the backslash as an escape, because dialects differ in where a text ends. An
 * unclosed quote matches up to the end, so that its text is searched only once.
 */
const quotedPatterns = [/(['"])(?:(?!\1).|\1\1)*(\1)?|`[^`]*`/gs, /(['"])(?:(?!\1|\\).|\1\1|\\.)*(\1)?|`[^`]*`/gs];

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
  return titledDocument(feedSentences.confirmQuery(into), [{ kind: "code", text: cleanText(sql), language: "sql" }], {
    tone: "waiting",
    quiet: [feedSentences.queryRuns],
    actions: [
      { id: "confirm", label: feedSentences.runQuery, value: `kb-query ${id}`, style: "primary" },
      { id: "dismiss", label: labels.cancel, value: id, style: "plain" },
    ],
  });
}
