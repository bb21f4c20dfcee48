/** Collects the commands that add knowledge into sets for createCommands, and the port that saves messages. */
import type { CommandSet } from "../../ports/command-contract.ts";
import type { Saving } from "../../ports/content/saving.ts";
import { jobCommands } from "../jobs/job-commands.ts";
import { addCommands } from "./add-commands.ts";
import type { FeedPorts } from "./feed-ports.ts";
import { ingestCommands } from "./ingest-commands.ts";
import { saveCommands } from "./save-commands.ts";

export function feedCommands(
  ports: FeedPorts,
  settings: {
    /** The reaction that saves a message; "off" for none. */
    readonly saveEmoji: string;
  },
): { readonly sets: readonly CommandSet[]; readonly saving: Saving } {
  const save = saveCommands(ports, { emoji: settings.saveEmoji });
  return { sets: [ingestCommands(ports), addCommands(ports), jobCommands(ports), save.set], saving: save.saving };
}
