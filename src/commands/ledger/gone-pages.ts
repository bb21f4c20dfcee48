/** Removes documents, with their audit entries: one that was chosen, or the pages that a refresh found gone. */
import { documentId } from "../../knowledge/knowledge.ts";
import type { Named } from "../../ports/access.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import type { LedgerDocument } from "../../ports/content/ledger.ts";
import type { Inline } from "../../ports/document.ts";
import { ParleyError, toParleyError } from "../../ports/errors.ts";
import type { Job } from "../../ports/model/job.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import { jobListSentences, ledgerSentences as says } from "../../presentation/sentences.ts";
import { baseInReach } from "../in-reach.ts";
import { checkOfferOfBase, withOffer } from "../insight/check-offer.ts";
import { refusalToAdd } from "../knowledge-bases/destination.ts";
import type { FeedPorts } from "../knowledge-bases/feed-ports.ts";
import { privately, working } from "../results.ts";
import { titleOf } from "./base-document.ts";
import { typedName } from "./base-ref.ts";
import { isOwn } from "./ownership.ts";

/** Titles in the answer; the others are counted. */
const maxNamed = 10;

type RemovePorts = Pick<FeedPorts, "knowledge" | "audit" | "whenRemoved">;

/** Throws what the removal throws, after it is in the audit log. */
export async function removeAudited(
  { knowledge, audit, whenRemoved }: RemovePorts,
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
    await whenRemoved?.(document, context);
  } catch (failure) {
    await audit.record(context, { ...entry, outcome: "failed", code: toParleyError(failure).code });
    throw failure;
  }
  await audit.record(context, { ...entry, outcome: "done" });
}

/** What the button on the report of a refresh does; its value is the Job's id. */
export function createRemoveGone(ports: FeedPorts) {
  const { knowledge, coordinator, log } = ports;

  /** Not those that were read again or added anew since then. */
  async function stillGone(job: Job, base: Named): Promise<readonly LedgerDocument[]> {
    const found: LedgerDocument[] = [];
    for (const { outcome, url, label, reason } of job.items) {
      if (outcome !== "gone") continue;
      const document = await knowledge.ledger.get(base, documentId({ kind: "url", url: url ?? label }));
      if (document?.problem !== undefined && document.problem === reason) found.push(document);
    }
    return found;
  }

  async function removeAll(job: Job, base: Named, context: CommandContext): Promise<CommandResult> {
    const gone = await stillGone(job, base);
    if (gone.length === 0) return privately(infoDocument(says.nothingGone(base.name)));
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
      await removeAudited(ports, base, document, context);
      removed.push(title);
    }
    if (removed.length === 0) return privately(infoDocument(notes, { tone: "failed" }));
    const done = says.removedGone(removed.slice(0, maxNamed), Math.max(0, removed.length - maxNamed), base.name);
    const shown = privately(infoDocument([done, ...notes], { tone: "done" }));
    return withOffer(shown, await checkOfferOfBase(ports, base, context));
  }

  return async (id: string, context: CommandContext): Promise<CommandResult> => {
    const job = await knowledge.jobs.get(id, context.place);
    if (job === undefined) throw new ParleyError("turn_gone", { what: jobListSentences.gone, hint: "" });
    const named = typedName(ports, { project: job.project, name: job.knowledgeBase });
    const base = await baseInReach(ports, named, context);
    const refusal = await refusalToAdd(ports, context, job);
    if (refusal !== undefined) return refusal;
    return working(infoDocument(says.removingGone(base.name), { tone: "running" }), log, async () => {
      // Of two presses at once, the second finds nothing left.
      const lease = await coordinator.lease(`remove-gone/${job.id}`);
      try {
        return await removeAll(job, base, context);
      } finally {
        await lease.release();
      }
    });
  };
}
