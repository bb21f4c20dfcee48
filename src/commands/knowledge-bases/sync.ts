/**
 * `/kb sync`: makes a knowledge base the same as a folder of files or a git repository, and again whenever it is run or its times come. For
 * managers alone: what is there becomes readable for everyone who asks.
 */
import type { Named } from "../../core/access.ts";
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { LedgerDocument } from "../../core/content/ledger.ts";
import type { Inline } from "../../core/document.ts";
import { folderWithin, isRepository, type JobDraft, repositoryOf, syncedDocuments } from "../../knowledge/knowledge.ts";
import { bold, cleanText, code, infoDocument, say } from "../../presentation/drawing.ts";
import { shorten } from "../../presentation/sentences.ts";
import { findDestination, recordContribution } from "../adding/destination.ts";
import type { CommandApp } from "../app.ts";
import { type Command, type OptionValues, textOption } from "../command.ts";
import { typedBase } from "../names/base-ref.ts";
import { privately } from "../results.ts";
import { intoOption } from "./kb-words.ts";

const says = {
  begun: (source: string, into: string): Inline =>
    say`Reading ${code(source)} into ${bold(into)}. Progress is shown below.`,
  again: (typed: string): Inline => say`To read it again at fixed times: ${code(typed)}`,
  noFolders: "No folder may be synced here yet. Your Parley admin names them in SYNC_FOLDERS.",
  notRepository:
    "Only git repositories over HTTPS that aren't in a private network can be synced: https://github.com/acme/handbook. A token goes into a file that SYNC_GIT_TOKENS names, not into the URL.",
  notAllowed: (given: string): Inline =>
    say`${code(given)} isn't within a folder that SYNC_FOLDERS names. Write its whole path.`,
} as const;

const maxShownChars = 200;

export const kbSync: Command = {
  path: "kb sync",
  summary: "Keep a knowledge base the same as a folder or git repository",
  offer: "knowledge-bases",
  options: [
    {
      name: "source",
      summary: "The whole path of a folder, or the https:// URL of a git repository",
      type: "text",
      isRequired: true,
    },
    intoOption,
  ],
  role: "manage",
  examples: ["kb sync https://github.com/acme/handbook into docs", "kb sync /srv/handbook into docs"],
  run: syncNamed,
};

/** What is read again of each of these sources. */
export function syncItems(sources: Iterable<string>): JobDraft["items"] {
  return [...new Set(sources)].sort().map((source) => ({
    item: { label: shorten(cleanText(source), maxShownChars), kind: "sync", state: "waiting" },
    payload: { kind: "sync", source },
  }));
}

/** Those that a base was synced with. */
export function sourcesIn(documents: readonly LedgerDocument[]): ReadonlySet<string> {
  return new Set(syncedDocuments(documents).map(({ origin }) => origin.source));
}

async function syncNamed(app: CommandApp, options: OptionValues, context: CommandContext): Promise<CommandResult> {
  const given = textOption(options, "source") ?? "";
  const { folders = [] } = app.settings.sync;
  const isGit = isRepository(given);
  const source = isGit ? repositoryOf(given, app.settings.ingest) : folderWithin(given, folders);
  if (source === undefined) {
    const shown = shorten(cleanText(given), maxShownChars);
    if (isGit || /^(?:ssh:|git:|[\w.-]+@)/i.test(given)) return refuse(says.notRepository);
    return refuse(folders.length === 0 ? says.noFolders : says.notAllowed(shown));
  }
  const found = await findDestination(app, context, textOption(options, "into"));
  if ("refusal" in found) return found.refusal;
  const { destination } = found;
  await app.knowledge.jobs.begin({
    context,
    ...destination,
    way: "parley",
    action: "kb sync",
    items: syncItems([source]),
  });
  await recordContribution(app, context, destination);
  const base: Named = { project: destination.project, name: destination.knowledgeBase };
  const times = app.registry.typed(`kb refresh ${typedBase(app, base)} every monday 9:00`);
  return privately(infoDocument([says.begun(source, base.name), says.again(times)], { tone: "running" }));
}

function refuse(sentence: string | Inline): CommandResult {
  return privately(infoDocument(sentence, { tone: "failed" }));
}
