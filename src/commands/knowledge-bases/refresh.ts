/** `/kb refresh`: reads pages again. People refresh what they added themselves, and managers everything. */

import type { Named } from "../../core/access.ts";
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { LedgerDocument } from "../../core/content/ledger.ts";
import { bold, infoDocument, say } from "../../presentation/drawing.ts";
import { countText, numberText, shorten } from "../../presentation/sentences.ts";
import { refusalToAdd } from "../adding/destination.ts";
import type { CommandApp } from "../app.ts";
import { type Command, type OptionValues, textOption } from "../command.ts";
import {
  all,
  baseOption,
  documentNamed,
  documentOption,
  findDocument,
  isRefreshable,
  pressed,
  sayOfBase,
  titleOf,
} from "../ledger/documents.ts";
import { checkOwner, isOwn } from "../ledger/ownership.ts";
import { baseInReach } from "../names/in-reach.ts";
import { privately } from "../results.ts";

/** Most documents of one refresh. */
const maxRefreshed = 1_000;

export const kbRefresh: Command = {
  path: "kb refresh",
  summary: "Read pages of a knowledge base again",
  offer: "knowledge-bases",
  options: [baseOption, documentOption(false, "One page (default: all that you added; for managers, all)")],
  role: "ingest",
  examples: ["kb refresh docs", "kb refresh docs https://example.com/faq"],
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

async function refreshPages(
  app: CommandApp,
  base: Named,
  wanted: readonly LedgerDocument[],
  context: CommandContext,
  notes: readonly string[] = [],
): Promise<CommandResult> {
  const target = { project: base.project, knowledgeBase: base.name };
  const { job, running } = await app.knowledge.jobs.begin({
    context,
    ...target,
    way: "parley",
    action: "kb refresh",
    isRefresh: true,
    items: wanted.map((document) => {
      const url = document.origin.kind === "url" ? document.origin.url : "";
      const { title } = document;
      return {
        item: { label: shorten(url, 300), kind: "url", state: "waiting", url, title },
        payload: { kind: "url" },
      };
    }),
  });
  const begun =
    job === undefined
      ? []
      : [say`Reading ${countText(job.items.length, "page")} of ${bold(base.name)} again. Progress is shown below.`];
  const others =
    running.length === 0 ? [] : [`${countText(running.length, "page")} already being read by another job.`];
  return privately(infoDocument([...begun, ...others, ...notes], { tone: job === undefined ? "info" : "running" }));
}

async function refreshNamed(app: CommandApp, options: OptionValues, context: CommandContext): Promise<CommandResult> {
  const base = await baseInReach(app, textOption(options, "name") ?? "", context);
  const refusal = await refusalToAdd(app, context, { project: base.project, knowledgeBase: base.name });
  if (refusal !== undefined) return refusal;
  const given = documentNamed(options);
  if (given !== "") return refreshOne(app, base, await findDocument(app, base, given), context);
  const pages = (await app.knowledge.ledger.page(base, 0, all)).documents.filter(isRefreshable);
  const mine = context.roles.manage.allowed ? pages : pages.filter((document) => isOwn(document, context));
  const left = pages.length - mine.length;
  const notes =
    left === 0
      ? []
      : [
          `${countText(left, "page")} that other people added ${left === 1 ? "was" : "were"} left out: only managers can refresh those.`,
        ];
  if (mine.length === 0)
    return privately(infoDocument([say`There are no web pages to refresh in ${bold(base.name)}.`, ...notes]));
  const oldest = [...mine].sort((one, other) => one.readAtMs - other.readAtMs).slice(0, maxRefreshed);
  if (oldest.length < mine.length)
    notes.unshift(
      `These are the ${numberText(maxRefreshed)} that were read longest ago. Run the command again for the rest.`,
    );
  return refreshPages(app, base, oldest, context, notes);
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
