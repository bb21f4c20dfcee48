/** Collects the commands that add knowledge into sets for createCommands, and the port that saves messages. */
import { isRefresh } from "../../knowledge/knowledge.ts";
import type { ActionHandler, CommandSet } from "../../ports/command-contract.ts";
import type { Saving } from "../../ports/content/saving.ts";
import type { Job } from "../../ports/model/job.ts";
import type { ReaderOffer } from "../../presentation/drawing.ts";
import { checkOfferOfRefresh } from "../insight/check-offer.ts";
import { jobCommands } from "../jobs/job-commands.ts";
import { ledgerCommands } from "../ledger/ledger-commands.ts";
import { addCommands } from "./add-commands.ts";
import type { FeedPorts } from "./feed-ports.ts";
import { fileOffer } from "./file-offer.ts";
import { ingestCommands } from "./ingest-commands.ts";
import { createLetLook } from "./let-look.ts";
import { saveCommands } from "./save-commands.ts";

export function feedCommands(
  ports: FeedPorts,
  settings: {
    /** The reaction that saves a message; "off" for none. */
    readonly saveEmoji: string;
  },
): {
  readonly sets: readonly CommandSet[];
  readonly saving: Saving;
  /** Under a Job that added something, while no agent there looks in its knowledge base. */
  readonly offerReader: (job: Job) => Promise<ReaderOffer | undefined>;
  /** Asks whether to remove a document: the base's reference and the document's id. */
  readonly askRemove: ActionHandler["press"];
} {
  const pages = ingestCommands(ports);
  const save = saveCommands(ports, { emoji: settings.saveEmoji });
  const files = fileOffer(ports);
  const letLook = createLetLook(ports);
  const ledger = ledgerCommands(ports);
  return {
    sets: [pages.set, addCommands(ports, pages.ingest), jobCommands(ports), ledger.set, save.set, files.set],
    askRemove: ledger.askRemove,
    saving: { ...save.saving, offerFiles: files.offer },
    offerReader: async (job) => {
      const { project, knowledgeBase, actor, askedIn } = job;
      const offer = await letLook.offer({ project, name: knowledgeBase }, { actor, place: askedIn });
      return offer ?? (isRefresh(job) ? checkOfferOfRefresh(ports, job) : undefined);
    },
  };
}
