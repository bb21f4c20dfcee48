/**
 * `/kb refresh`: reads pages again, now or at fixed times. People refresh what they added themselves, and managers
 * everything.
 */

import type { Named } from "../../core/access.ts";
import type { Asker, CommandContext, CommandResult } from "../../core/commands.ts";
import type { LedgerDocument } from "../../core/content/ledger.ts";
import { bold, infoDocument, say } from "../../presentation/drawing.ts";
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
  const { pages } = await pagesOf(app, base, run);
  if (pages.length > 0) await begin(app, base, pages, run, true);
}

type ScheduledAsker = Pick<CommandContext, "actor" | "place" | "eventKey">;

function begin(
  app: CommandApp,
  base: Named,
  wanted: readonly LedgerDocument[],
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
    items: wanted.map((document) => {
      const url = document.origin.kind === "url" ? document.origin.url : "";
      const { title } = document;
      return {
        item: { label: shorten(url, 300), kind: "url", state: "waiting", url, title },
        payload: { kind: "url" },
      };
    }),
  });
}

async function refreshPages(
  app: CommandApp,
  base: Named,
  wanted: readonly LedgerDocument[],
  context: CommandContext,
  notes: readonly string[] = [],
): Promise<CommandResult> {
  const { job, running } = await begin(app, base, wanted, context, false);
  const begun =
    job === undefined
      ? []
      : [say`Reading ${countText(job.items.length, "page")} of ${bold(base.name)} again. Progress is shown below.`];
  const others =
    running.length === 0 ? [] : [`${countText(running.length, "page")} already being read by another job.`];
  return privately(infoDocument([...begun, ...others, ...notes], { tone: job === undefined ? "info" : "running" }));
}

/** Those that the person may refresh, and how many others there are. */
async function pagesOf(app: CommandApp, base: Named, who: Asker) {
  const all = (await app.knowledge.ledger.page(base, 0, everything)).documents.filter(isRefreshable);
  const mine = manages(app, who) ? all : all.filter((document) => isOwn(document, who));
  const pages = mine.toSorted((one, other) => one.readAtMs - other.readAtMs).slice(0, maxRefreshed);
  return { pages, later: mine.length - pages.length, others: all.length - mine.length };
}

async function refreshNamed(app: CommandApp, options: OptionValues, context: CommandContext): Promise<CommandResult> {
  const base = await baseInReach(app, textOption(options, "name") ?? "", context);
  const refusal = await refusalToAdd(app, context, { project: base.project, knowledgeBase: base.name });
  if (refusal !== undefined) return refusal;
  const given = documentNamed(options);
  if (isTime(given)) return changeTimes(app, base, given, context);
  if (given !== "") return refreshOne(app, base, await findDocument(app, base, given), context);
  const { pages, later, others } = await pagesOf(app, base, context);
  const notes =
    others === 0
      ? []
      : [
          `${countText(others, "page")} that other people added ${others === 1 ? "was" : "were"} left out: only managers can refresh those.`,
        ];
  if (pages.length === 0)
    return privately(infoDocument([say`There are no web pages to refresh in ${bold(base.name)}.`, ...notes]));
  if (later > 0)
    notes.unshift(
      `These are the ${numberText(maxRefreshed)} that were read longest ago. Run the command again for the rest.`,
    );
  return refreshPages(app, base, pages, context, notes);
}

async function refreshOne(
  app: CommandApp,
  base: Named,
  document: LedgerDocument,
  context: CommandContext,
): Promise<CommandResult> {
  checkOwner(document, context);
  if (!isRefreshable(document))
    return sayOfBase(say`${bold(titleOf(document))} isn't a web page. Add it again to replace it.`, "failed");
  return refreshPages(app, base, [document], context);
}
