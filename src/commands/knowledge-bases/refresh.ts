/**
 * `/kb refresh`: reads pages again, now or at fixed times. People refresh what they added themselves, and managers
 * everything.
 */

import type { Named } from "../../core/access.ts";
import type { Asker, CommandContext, CommandResult } from "../../core/commands.ts";
import type { LedgerDocument } from "../../core/content/ledger.ts";
import type { Job } from "../../core/model/job.ts";
import type { JobDraft } from "../../knowledge/knowledge.ts";
import { bold, code, infoDocument, say } from "../../presentation/drawing.ts";
import { countText, numberText, shorten } from "../../presentation/sentences.ts";
import { refusalToAdd } from "../adding/destination.ts";
import type { CommandApp } from "../app.ts";
import { type Command, type OptionValues, textOption } from "../command.ts";
import {
  baseOption,
  documentNamed,
  documentOption,
  all as everything,
  findDocument,
  isRefreshable,
  pressed,
  sayOfBase,
  titleOf,
} from "../ledger/documents.ts";
import { checkOwner, isOwn } from "../ledger/ownership.ts";
import { baseInReach, manages } from "../names/in-reach.ts";
import { privately } from "../results.ts";
import { changeTimes, isTime } from "./reading-times.ts";
import { sourcesIn, syncItems } from "./sync.ts";

/** Most documents of one refresh. */
const maxRefreshed = 1_000;

export const kbRefresh: Command = {
  path: "kb refresh",
  summary: "Read pages of a knowledge base again",
  offer: "knowledge-bases",
  options: [
    baseOption,
    documentOption(false, "One page (default: all that you can); or when: every monday 9:00; or: stop"),
  ],
  role: "ingest",
  examples: ["kb refresh docs", "kb refresh docs https://example.com/faq", "kb refresh docs every monday 9:00"],
  run: refreshNamed,
  actions: {
    "refresh-document": {
      role: "ingest",
      press: async (app, value, context) => {
        const found = await pressed(app, value, context);
        return found.refusal !== undefined ? found.refusal : refreshOne(app, found.base, found.document, context);
      },
    },
  },
};

/** What a schedule does; its event's key makes it one Job. */
export async function refreshByTime(app: CommandApp, base: Named, run: ScheduledAsker): Promise<void> {
  const { pages, sources } = await pagesOf(app, base, run);
  if (pages.length + sources.size > 0) await begin(app, base, { pages, sources }, run, true);
}

type Wanted = { readonly pages: readonly LedgerDocument[]; readonly sources: ReadonlySet<string> };
type ScheduledAsker = Pick<CommandContext, "actor" | "place" | "eventKey">;

function begin(
  app: CommandApp,
  base: Named,
  { pages, sources }: Wanted,
  context: ScheduledAsker,
  isScheduled: boolean,
) {
  return app.knowledge.jobs.begin({
    context,
    project: base.project,
    knowledgeBase: base.name,
    way: "parley",
    action: "kb refresh",
    isRefresh: true,
    isScheduled,
    items: [...syncItems(sources), ...pages.map(pageItem)],
  });
}

function pageItem({ origin, title }: LedgerDocument): JobDraft["items"][number] {
  const url = origin.kind === "url" ? origin.url : "";
  return {
    item: { label: shorten(url, 300), kind: "url", state: "waiting", url, title },
    payload: { kind: "url" },
  };
}

async function refreshPages(
  app: CommandApp,
  base: Named,
  wanted: Wanted,
  context: CommandContext,
  notes: readonly string[] = [],
): Promise<CommandResult> {
  const { job, running } = await begin(app, base, wanted, context, false);
  const begun =
    job === undefined
      ? []
      : [say`Reading ${amountText(job.items)} of ${bold(base.name)} again. Progress is shown below.`];
  const others =
    running.length === 0 ? [] : [`${countText(running.length, "page")} already being read by another job.`];
  return privately(infoDocument([...begun, ...others, ...notes], { tone: job === undefined ? "info" : "running" }));
}

/** "2 folders and 40 pages" */
function amountText(items: Job["items"]): string {
  const folders = items.filter(({ kind }) => kind === "sync").length;
  const pages = items.length - folders;
  const parts = [folders === 0 ? "" : countText(folders, "folder"), pages === 0 ? "" : countText(pages, "page")];
  return parts.filter((part) => part !== "").join(" and ");
}

/** Those that the person may refresh, and how many others there are. Synced sources are the managers'. */
async function pagesOf(app: CommandApp, base: Named, who: Asker) {
  const { documents } = await app.knowledge.ledger.page(base, 0, everything);
  const all = documents.filter(isRefreshable);
  const isManager = manages(app, who);
  const mine = isManager ? all : all.filter((document) => isOwn(document, who));
  const pages = mine.toSorted((one, other) => one.readAtMs - other.readAtMs).slice(0, maxRefreshed);
  const sources = isManager ? sourcesIn(documents) : new Set<string>();
  return { pages, sources, later: mine.length - pages.length, others: all.length - mine.length };
}

async function refreshNamed(app: CommandApp, options: OptionValues, context: CommandContext): Promise<CommandResult> {
  const base = await baseInReach(app, textOption(options, "name") ?? "", context);
  const refusal = await refusalToAdd(app, context, { project: base.project, knowledgeBase: base.name });
  if (refusal !== undefined) return refusal;
  const given = documentNamed(options);
  if (isTime(given)) return changeTimes(app, base, given, context);
  if (given !== "") return refreshOne(app, base, await findDocument(app, base, given), context);
  const { pages, sources, later, others } = await pagesOf(app, base, context);
  const notes =
    others === 0
      ? []
      : [
          `${countText(others, "page")} that other people added ${others === 1 ? "was" : "were"} left out: only managers can refresh those.`,
        ];
  if (pages.length + sources.size === 0)
    return privately(infoDocument([say`There are no web pages to refresh in ${bold(base.name)}.`, ...notes]));
  if (later > 0)
    notes.unshift(
      `These are the ${numberText(maxRefreshed)} that were read longest ago. Run the command again for the rest.`,
    );
  return refreshPages(app, base, { pages, sources }, context, notes);
}

async function refreshOne(
  app: CommandApp,
  base: Named,
  document: LedgerDocument,
  context: CommandContext,
): Promise<CommandResult> {
  checkOwner(document, context);
  if (document.origin.kind === "synced")
    return sayOfBase(
      say`${bold(titleOf(document))} is read again with its folder: ${code(app.registry.typed(`kb refresh ${base.name}`))}`,
      "failed",
    );
  if (!isRefreshable(document))
    return sayOfBase(say`${bold(titleOf(document))} isn't a web page. Add it again to replace it.`, "failed");
  return refreshPages(app, base, { pages: [document], sources: new Set() }, context);
}
