/**
 * `/kb remove` and its buttons: removes a document, or the pages that a refresh found gone. People remove what they
 * added themselves, and managers everything.
 */

import type { Named } from "../../core/access.ts";
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { LedgerDocument } from "../../core/content/ledger.ts";
import type { Inline } from "../../core/document.ts";
import { ParleyError, toParleyError } from "../../core/errors.ts";
import type { Job } from "../../core/model/job.ts";
import { documentId } from "../../knowledge/knowledge.ts";
import { bold, code, infoDocument, say } from "../../presentation/drawing.ts";
import { countText, ledgerSentences } from "../../presentation/sentences.ts";
import { refusalToAdd } from "../adding/destination.ts";
import type { CommandApp } from "../app.ts";
import { type Command, type OptionValues, textOption } from "../command.ts";
import { checkOfferOfBase } from "../insight/check-offer.ts";
import {
  askFirst,
  baseOption,
  documentNamed,
  documentOption,
  all as everything,
  findDocument,
  pressed,
  sayOfBase,
  titleOf,
} from "../ledger/documents.ts";
import { checkOwner, isOwn } from "../ledger/ownership.ts";
import { refOfBase, typedBase as typedName } from "../names/base-ref.ts";
import { baseInReach } from "../names/in-reach.ts";
import { privately, withOffer, working } from "../results.ts";
import { jobListSentences } from "../words.ts";
import { sourcesIn } from "./sync.ts";

const says = {
  rowsUnknown: (title: string): Inline =>
    say`${bold(title)} can't be removed: the service read it, and didn't tell which rows it made. Refresh it first if it's a web page.`,
  removedGone: (titles: readonly string[], more: number, name: string): Inline =>
    say`Removed ${titles.flatMap((title, index) => (index === 0 ? [bold(title)] : [", ", bold(title)]))}${more === 0 ? "" : ` and ${countText(more, "more", "more")}`} from ${bold(name)}.`,
  notYourSource: "Only managers can remove a synced folder or repository.",
  othersStay: (count: number): string =>
    `${countText(count, "page")} that other people added ${count === 1 ? "stays" : "stay"}: only managers can remove those.`,
};

/** Titles in the answer; the others are counted. */
const maxNamed = 10;

export const kbRemove: Command = {
  path: "kb remove",
  summary: "Remove a page or document from a knowledge base",
  offer: "knowledge-bases",
  options: [baseOption, documentOption(true, "Its URL, or its title as in /kb show")],
  role: "ingest",
  examples: ["kb remove docs https://example.com/faq"],
  run: removeNamed,
  actions: {
    "remove-document": { role: "ingest", press: askRemove },
    "remove-gone": { role: "ingest", press: removeGone },
    "confirm kb-remove": {
      role: "ingest",
      press: async (app, value, context) => {
        const found = await pressed(app, value, context);
        return found.refusal !== undefined ? found.refusal : remove(app, found.base, found.document, context);
      },
    },
  },
};

async function remove(
  app: CommandApp,
  base: Named,
  document: LedgerDocument,
  context: CommandContext,
): Promise<CommandResult> {
  checkOwner(document, context);
  const title = titleOf(document);
  if (document.rows === undefined) return sayOfBase(says.rowsUnknown(title), "failed");
  return working(
    infoDocument(say`Removing ${bold(title)} from ${bold(base.name)}…`, { tone: "running" }),
    app.log,
    async () => {
      await removeAudited(app, base, document, context);
      const offer = await checkOfferOfBase(app, base, context);
      return withOffer(sayOfBase(say`Removed ${bold(title)} from ${bold(base.name)}.`, "done"), offer);
    },
  );
}

async function removeNamed(app: CommandApp, options: OptionValues, context: CommandContext): Promise<CommandResult> {
  const base = await baseInReach(app, textOption(options, "name") ?? "", context);
  const refusal = await refusalToAdd(app, context, { project: base.project, knowledgeBase: base.name });
  if (refusal !== undefined) return refusal;
  const given = documentNamed(options);
  const { documents } = await app.knowledge.ledger.page(base, 0, everything);
  const source = [...sourcesIn(documents)].find((one) => one === given.replace(/\/$/, ""));
  if (source !== undefined) return removeSource(app, base, source, context);
  return remove(app, base, await findDocument(app, base, given), context);
}

/** All files of a synced folder or repository, which only managers add. */
async function removeSource(
  app: CommandApp,
  base: Named,
  source: string,
  context: CommandContext,
): Promise<CommandResult> {
  if (!context.roles.manage.allowed) throw new ParleyError("not_allowed", { what: says.notYourSource });
  return working(
    infoDocument(say`Removing ${code(source)} from ${bold(base.name)}…`, { tone: "running" }),
    app.log,
    async () => {
      const files = await app.knowledge.removeSource(base, source);
      const about = { knowledgeBase: `${base.project}.${base.name}`, source, files: String(files) };
      await app.audit.record(context, { role: "manage", action: "kb remove", about, outcome: "done" });
      return sayOfBase(say`Removed ${countText(files, "file")} of ${code(source)} from ${bold(base.name)}.`, "done");
    },
  );
}

export async function askRemove(app: CommandApp, value: string, context: CommandContext): Promise<CommandResult> {
  const found = await pressed(app, value, context);
  if (found.refusal !== undefined) return found.refusal;
  const { base, document } = found;
  checkOwner(document, context);
  const title = titleOf(document);
  if (document.rows === undefined) return sayOfBase(says.rowsUnknown(title), "failed");
  const ref = refOfBase(app, base);
  return privately(
    askFirst(
      say`Remove ${bold(title)} from ${bold(base.name)}?`,
      [`Its ${countText(document.rows, "row")} will be deleted.`],
      ledgerSentences.remove,
      `kb-remove ${ref} ${document.id}`,
    ),
  );
}

/** Throws what the removal throws, after it is in the audit log. */
async function removeAudited(
  { knowledge, audit, answering }: CommandApp,
  base: Named,
  document: LedgerDocument,
  context: CommandContext,
): Promise<void> {
  const about = {
    knowledgeBase: `${base.project}.${base.name}`,
    document: document.url ?? titleOf(document),
    rows: String(document.rows),
  };
  const entry = { role: "ingest", action: "kb remove", about } as const;
  try {
    await knowledge.removeDocument(base, document.id);
    const { origin } = document;
    if (origin.kind === "answer") await answering.removed(origin.answerId, context.place);
  } catch (failure) {
    await audit.record(context, { ...entry, outcome: "failed", code: toParleyError(failure).code });
    throw failure;
  }
  await audit.record(context, { ...entry, outcome: "done" });
}

/** Not those that were read again or added anew since then. */
async function stillGone(app: CommandApp, job: Job, base: Named): Promise<readonly LedgerDocument[]> {
  const found: LedgerDocument[] = [];
  for (const { outcome, url, label, reason } of job.items) {
    if (outcome !== "gone") continue;
    const document = await app.knowledge.ledger.get(base, documentId({ kind: "url", url: url ?? label }));
    if (document?.problem !== undefined && document.problem === reason) found.push(document);
  }
  return found;
}

async function removeAll(app: CommandApp, job: Job, base: Named, context: CommandContext): Promise<CommandResult> {
  const gone = await stillGone(app, job, base);
  if (gone.length === 0)
    return privately(
      infoDocument(say`Nothing to remove: these pages are no longer in ${bold(base.name)}, or were read again.`),
    );
  const allowed = gone.filter((document) => context.roles.manage.allowed || isOwn(document, context));
  const removed: string[] = [];
  const notes: (string | Inline)[] = [];
  if (allowed.length < gone.length) notes.push(says.othersStay(gone.length - allowed.length));
  for (const document of allowed) {
    const title = titleOf(document);
    if (document.rows === undefined) {
      notes.push(says.rowsUnknown(title));
      continue;
    }
    await removeAudited(app, base, document, context);
    removed.push(title);
  }
  if (removed.length === 0) return privately(infoDocument(notes, { tone: "failed" }));
  const done = says.removedGone(removed.slice(0, maxNamed), Math.max(0, removed.length - maxNamed), base.name);
  const shown = privately(infoDocument([done, ...notes], { tone: "done" }));
  return withOffer(shown, await checkOfferOfBase(app, base, context));
}

/** What the button on the report of a refresh does; `id`: the Job's. */
async function removeGone(app: CommandApp, id: string, context: CommandContext): Promise<CommandResult> {
  const job = await app.knowledge.jobs.get(id, context.place);
  if (job === undefined) throw new ParleyError("turn_gone", { what: jobListSentences.gone, hint: "" });
  const named = typedName(app, { project: job.project, name: job.knowledgeBase });
  const base = await baseInReach(app, named, context);
  const refusal = await refusalToAdd(app, context, job);
  if (refusal !== undefined) return refusal;
  return working(
    infoDocument(say`Removing the pages that are gone from ${bold(base.name)}…`, { tone: "running" }),
    app.log,
    async () => {
      // Of two presses at once, the second finds nothing left.
      const lease = await app.state.coordinator.lease(`remove-gone/${job.id}`);
      try {
        return await removeAll(app, job, base, context);
      } finally {
        await lease.release();
      }
    },
  );
}
