/**
 * `/kb show`, `/kb refresh`, `/kb remove` and `/kb delete`. Everyone who reaches a base sees what is in it; people refresh
 * and remove what they added themselves, and managers everything.
 */
import type { Named } from "../../ports/access.ts";
import { type ActionHandler, type CommandSet, type OptionValues, textOption } from "../../ports/command-contract.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import type { LedgerDocument } from "../../ports/content/ledger.ts";
import type { Document, Inline } from "../../ports/document.ts";
import { ParleyError, toParleyError } from "../../ports/errors.ts";
import { cleanText, infoDocument, inlineText, titledDocument } from "../../presentation/drawing.ts";
import { labels, ledgerSentences as says, shorten } from "../../presentation/sentences.ts";
import { baseInReach, manages } from "../in-reach.ts";
import { checkOfferOfBase, withOffer } from "../insight/check-offer.ts";
import { refusalToAdd } from "../knowledge-bases/destination.ts";
import type { FeedPorts } from "../knowledge-bases/feed-ports.ts";
import { readersOf } from "../readers.ts";
import { privately, working } from "../results.ts";
import { baseDocument, documentsPerPage, isRefreshable, titleOf } from "./base-document.ts";
import { baseAndRest, nameOfBaseRef, refOfBase, typedName } from "./base-ref.ts";
import { createRemoveGone, removeAudited } from "./gone-pages.ts";
import { ledgerDefinitions } from "./ledger-definitions.ts";
import { checkOwner, isOwn } from "./ownership.ts";

/** Most documents of one refresh. */
const maxRefreshed = 1_000;
const maxGivenChars = 100;
const all = Number.MAX_SAFE_INTEGER;

export function ledgerCommands(ports: FeedPorts): {
  readonly set: CommandSet;
  readonly askRemove: ActionHandler["press"];
} {
  const { knowledge, names, reach, service, settings, audit, log } = ports;
  const { ledger, elsewhere } = knowledge;

  /** Of the agents that the person reaches; undefined if that can't be found out now. */
  async function readerNames(base: Named, who: CommandContext): Promise<readonly string[] | undefined> {
    const agents = manages(ports, who) ? reach.lists.agents() : reach.agents(who.actor, who.place);
    return agents
      .then((reached) => readersOf(reached, base).map(({ name }) => name))
      .catch((err: unknown) => {
        log.debug({ err }, "Could not find out which agents look in a knowledge base");
        return undefined;
      });
  }

  async function show(base: Named, page: number, context: CommandContext): Promise<CommandResult> {
    const [listed, readers, others] = await Promise.all([
      ledger.page(base, (page - 1) * documentsPerPage, documentsPerPage),
      readerNames(base, context),
      elsewhere.of(base),
    ]);
    const pages = Math.max(1, Math.ceil(listed.total / documentsPerPage));
    if (page > pages) return say(says.noSuchPage(pages), "failed");
    const ref = refOfBase(ports, base);
    return privately(baseDocument({ base, ref, listed, page, readers, elsewhere: others }));
  }

  /** A button's value is untrusted: the base must be within the person's reach. */
  async function reached(value: string, context: CommandContext) {
    const { base, rest } = await baseAndRest(ports, value);
    return { base: await baseInReach(ports, typedName(ports, base), context), rest };
  }

  /** By its URL, or by the title that the list shows. Throws when there is none. */
  async function findDocument(base: Named, given: string): Promise<LedgerDocument> {
    const wanted = given.trim();
    const address = URL.canParse(wanted) ? withoutFragment(new URL(wanted)) : undefined;
    const { documents } = await ledger.page(base, 0, all);
    const found =
      documents.find(({ url }) => url !== undefined && (url === address || url === wanted)) ??
      documents.find((document) => document.title === wanted || titleOf(document) === wanted);
    if (found !== undefined) return found;
    throw notThere(base, wanted);
  }

  async function byId(base: Named, id: string): Promise<LedgerDocument> {
    const document = await ledger.get(base, id);
    if (document === undefined) throw new ParleyError("turn_gone", { what: says.gone, hint: "" });
    return document;
  }

  async function refresh(
    base: Named,
    wanted: readonly LedgerDocument[],
    context: CommandContext,
    notes: readonly string[] = [],
  ): Promise<CommandResult> {
    const target = { project: base.project, knowledgeBase: base.name };
    const { job, running } = await knowledge.jobs.begin({
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
    const begun = job === undefined ? [] : [says.refreshing(job.items.length, base.name)];
    const others = running.length === 0 ? [] : [says.runningAlready(running.length)];
    return privately(infoDocument([...begun, ...others, ...notes], { tone: job === undefined ? "info" : "running" }));
  }

  async function refreshNamed(options: OptionValues, context: CommandContext): Promise<CommandResult> {
    const base = await baseInReach(ports, textOption(options, "name") ?? "", context);
    const refusal = await refusalToAdd(ports, context, { project: base.project, knowledgeBase: base.name });
    if (refusal !== undefined) return refusal;
    const given = documentOption(options);
    if (given !== "") return refreshOne(base, await findDocument(base, given), context);
    const pages = (await ledger.page(base, 0, all)).documents.filter(isRefreshable);
    const mine = context.roles.manage.allowed ? pages : pages.filter((document) => isOwn(document, context));
    const left = pages.length - mine.length;
    const notes = left === 0 ? [] : [says.othersLeftOut(left)];
    if (mine.length === 0) return privately(infoDocument([says.nothingToRefresh(base.name), ...notes]));
    const oldest = [...mine].sort((one, other) => one.readAtMs - other.readAtMs).slice(0, maxRefreshed);
    if (oldest.length < mine.length) notes.unshift(says.refreshRest(maxRefreshed));
    return refresh(base, oldest, context, notes);
  }

  async function refreshOne(base: Named, document: LedgerDocument, context: CommandContext): Promise<CommandResult> {
    checkOwner(document, context);
    if (!isRefreshable(document)) return say(says.notAPage(titleOf(document)), "failed");
    return refresh(base, [document], context);
  }

  async function remove(base: Named, document: LedgerDocument, context: CommandContext): Promise<CommandResult> {
    checkOwner(document, context);
    const title = titleOf(document);
    if (document.rows === undefined) return say(says.rowsUnknown(title), "failed");
    return working(infoDocument(says.removing(title, base.name), { tone: "running" }), log, async () => {
      await removeAudited(ports, base, document, context);
      const offer = await checkOfferOfBase(ports, base, context);
      return withOffer(say(says.removed(title, base.name), "done"), offer);
    });
  }

  async function removeNamed(options: OptionValues, context: CommandContext): Promise<CommandResult> {
    const base = await baseInReach(ports, textOption(options, "name") ?? "", context);
    const refusal = await refusalToAdd(ports, context, { project: base.project, knowledgeBase: base.name });
    return refusal ?? remove(base, await findDocument(base, documentOption(options)), context);
  }

  /** The document behind a button, if the person may change it. */
  async function pressed(value: string, context: CommandContext) {
    const { base, rest } = await reached(value, context);
    const refusal = await refusalToAdd(ports, context, { project: base.project, knowledgeBase: base.name });
    if (refusal !== undefined) return { refusal };
    return { base, document: await byId(base, rest) };
  }

  async function askRemove(value: string, context: CommandContext): Promise<CommandResult> {
    const found = await pressed(value, context);
    if (found.refusal !== undefined) return found.refusal;
    const { base, document } = found;
    checkOwner(document, context);
    const title = titleOf(document);
    if (document.rows === undefined) return say(says.rowsUnknown(title), "failed");
    const ref = refOfBase(ports, base);
    return privately(
      question(
        says.askRemove(title, base.name),
        [says.removesRows(document.rows)],
        says.remove,
        `kb-remove ${ref} ${document.id}`,
      ),
    );
  }

  async function askDelete(given: string, context: CommandContext): Promise<CommandResult> {
    const base = await baseInReach(ports, given, context);
    const [{ total }, readers = []] = await Promise.all([ledger.page(base, 0, 0), readerNames(base, context)]);
    const lines = [says.deletes(total), ...(readers.length === 0 ? [] : [says.losesReaders(readers)])];
    return privately(question(says.askDelete(base.name), lines, labels.delete, `kb-delete ${refOfBase(ports, base)}`));
  }

  async function deleteBase(ref: string, context: CommandContext): Promise<CommandResult> {
    const base = await baseInReach(ports, await nameOfBaseRef(ports, ref), context);
    const about = { knowledgeBase: `${base.project}.${base.name}` };
    const entry = { role: "manage", action: "kb delete", about } as const;
    try {
      await service.deleteKnowledgeBase(base.project, base.name);
    } catch (failure) {
      await audit.record(context, { ...entry, outcome: "failed", code: toParleyError(failure).code });
      throw failure;
    }
    if (base.project === settings.project) names.dropKnowledgeBase(base.name);
    await knowledge.forgetBase(base);
    await audit.record(context, { ...entry, outcome: "done" });
    return withOffer(say(says.deleted(base.name), "done"), await checkOfferOfBase(ports, base, context));
  }

  const set: CommandSet = {
    definitions: ledgerDefinitions,
    handlers: {
      "kb show": {
        run: async (options, context) => {
          const { page } = options;
          const base = await baseInReach(ports, textOption(options, "name") ?? "", context);
          return show(base, typeof page === "number" ? page : 1, context);
        },
      },
      "kb refresh": { run: refreshNamed },
      "kb remove": { run: removeNamed },
      "kb delete": { run: (options, context) => askDelete(textOption(options, "name") ?? "", context) },
    },
    actions: {
      "kb-page": {
        role: "ask",
        press: async (value, context) => {
          const { base, rest } = await reached(value, context);
          return show(base, Math.max(1, Math.trunc(Number(rest)) || 1), context);
        },
      },
      "refresh-document": {
        role: "ingest",
        press: async (value, context) => {
          const found = await pressed(value, context);
          return found.refusal !== undefined ? found.refusal : refreshOne(found.base, found.document, context);
        },
      },
      "remove-document": { role: "ingest", press: askRemove },
      "remove-gone": { role: "ingest", press: createRemoveGone(ports) },
      "confirm kb-remove": {
        role: "ingest",
        press: async (value, context) => {
          const found = await pressed(value, context);
          return found.refusal !== undefined ? found.refusal : remove(found.base, found.document, context);
        },
      },
      "confirm kb-delete": { role: "manage", press: deleteBase },
    },
  };
  return { set, askRemove };
}

function documentOption({ url }: OptionValues): string {
  return Array.isArray(url) ? url.join(" ").trim() : "";
}

function say(sentence: string | Inline, tone: "info" | "failed" | "done" = "info"): CommandResult {
  return privately(infoDocument(sentence, { tone }));
}

function question(title: Inline, lines: readonly (string | Inline)[], label: string, value: string): Document {
  const blocks = lines.map((line) => ({ kind: "text", text: infoInline(line) }) as const);
  return titledDocument(title, blocks, {
    tone: "waiting",
    quiet: [says.final],
    actions: [
      { id: "confirm", label, value, style: "danger" },
      { id: "dismiss", label: labels.cancel, value, style: "plain" },
    ],
  });
}

function infoInline(line: string | Inline): Inline {
  return typeof line === "string" ? [{ text: cleanText(line) }] : line;
}

function withoutFragment(url: URL): string {
  url.hash = "";
  return url.href;
}

function notThere({ name }: Named, given: string): ParleyError {
  const what = inlineText(says.noSuchDocument(shorten(cleanText(given), maxGivenChars), name));
  return new ParleyError("resource_not_found", { what, hint: says.seeList });
}
