/** `/kb delete`: asks for confirmation, then deletes a knowledge base with everything in it. */

import type { CommandContext, CommandResult } from "../../core/commands.ts";
import { toParleyError } from "../../core/errors.ts";
import { bold, say } from "../../presentation/drawing.ts";
import { countText, labels, ledgerSentences } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import { type Command, textOption } from "../command.ts";
import { checkOfferOfBase } from "../insight/check-offer.ts";
import { askFirst, baseOption, readerNames, sayOfBase } from "../ledger/documents.ts";
import { nameOfBaseRef, refOfBase } from "../names/base-ref.ts";
import { baseInReach } from "../names/in-reach.ts";
import { privately, withOffer } from "../results.ts";

export const kbDelete: Command = {
  path: "kb delete",
  summary: "Delete a knowledge base (asks for confirmation)",
  offer: "knowledge-bases",
  options: [baseOption],
  role: "manage",
  examples: ["kb delete docs"],
  run: (app, options, context) => askDelete(app, textOption(options, "name") ?? "", context),
  actions: { "confirm kb-delete": { role: "manage", press: deleteBase } },
};

async function askDelete(app: CommandApp, given: string, context: CommandContext): Promise<CommandResult> {
  const base = await baseInReach(app, given, context);
  const [{ total }, readers = []] = await Promise.all([
    app.knowledge.ledger.page(base, 0, 0),
    readerNames(app, base, context),
  ]);
  const lines = [
    total === 0
      ? "Everything in it will be deleted."
      : `Everything in it will be deleted, also the ${countText(total, "document")} added through Parley.`,
    ...(readers.length === 0 ? [] : [say`${ledgerSentences.readBy(readers)}. They will no longer find its content.`]),
  ];
  return privately(
    askFirst(say`Delete ${bold(base.name)}?`, lines, labels.delete, `kb-delete ${refOfBase(app, base)}`),
  );
}

async function deleteBase(app: CommandApp, ref: string, context: CommandContext): Promise<CommandResult> {
  const base = await baseInReach(app, await nameOfBaseRef(app, ref), context);
  const about = { knowledgeBase: `${base.project}.${base.name}` };
  const entry = { role: "manage", action: "kb delete", about } as const;
  try {
    await app.service.deleteKnowledgeBase(base.project, base.name);
  } catch (failure) {
    await app.audit.record(context, { ...entry, outcome: "failed", code: toParleyError(failure).code });
    throw failure;
  }
  if (base.project === app.settings.project) app.names.dropKnowledgeBase(base.name);
  await app.knowledge.forgetBase(base);
  await app.audit.record(context, { ...entry, outcome: "done" });
  return withOffer(
    sayOfBase(say`Deleted knowledge base ${bold(base.name)}.`, "done"),
    await checkOfferOfBase(app, base, context),
  );
}
