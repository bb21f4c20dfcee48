/** Who may change a document of the ledger: people what they added themselves, and managers everything. */
import { refusalError } from "../../access/refusal.ts";
import type { CommandContext } from "../../core/commands.ts";
import type { LedgerDocument } from "../../core/content/ledger.ts";
import { ParleyError } from "../../core/errors.ts";
import { personKey } from "../../core/model/place.ts";
import { cleanText } from "../../presentation/drawing.ts";
import { shorten } from "../../presentation/sentences.ts";

const maxNameChars = 100;

export function isOwn(
  { by }: Pick<LedgerDocument, "by">,
  { place, actor }: Pick<CommandContext, "place" | "actor">,
): boolean {
  // In direct messages outside any workspace, people are known by the workspaces that they are in.
  const workspaces = [place.workspace, ...(actor.memberOf ?? [])];
  return workspaces.some((workspace) => by.key === personKey({ ...place, workspace }, actor));
}

/** Throws not_allowed for a document that someone else added, unless the person manages. */
export function checkOwner(document: Pick<LedgerDocument, "by">, context: CommandContext): void {
  const { allowed, because } = context.roles.manage;
  if (allowed || isOwn(document, context)) return;
  const refusal = refusalError(context.actor, { allowed: false, why: "role", role: "manage", because });
  const { code, what = "", hint } = refusal;
  const name = shorten(cleanText(document.by.name), maxNameChars);
  throw new ParleyError(code, {
    what: `${name} added this. ${what}`.trim(),
    hint,
  });
}
