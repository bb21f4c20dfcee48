/**
 * Merge, below a gap: a form with the other open gaps of the same agent. What was merged joins later questions in
 * either wording, and can be taken apart again.
 */
import { z } from "zod";
import type { Asker, CommandContext, CommandResult } from "../../core/commands.ts";
import type { Choice, Form, Inline } from "../../core/document.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Gap } from "../../core/model/insight.ts";
import type { SeenGap } from "../../insight/gaps/visibility.ts";
import { bold, infoDocument, questionText, say } from "../../presentation/drawing.ts";
import { countText, gapLabels, gapSentences, shorten } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import type { Interactions } from "../command.ts";
import { drawForm, formHandler, select } from "../form.ts";
import { writtenName } from "../names/find-by-name.ts";
import { privately } from "../results.ts";

/** Two gaps that mean the same. */
const says = {
  title: "Merge with another gap",
  into: "It means the same as",
  hint: "Later questions in either wording join that gap.",
  late: "Parley couldn't read the other gaps in time.",
  notOpen: "Only open gaps can be merged.",
  noOther: (agent: string): Inline => say`There is no other open gap of ${bold(agent)} to merge it with.`,
  merged: (question: string, people: number): Inline =>
    say`Merged into ${bold(question)}: ${countText(people, "person asked", "people asked")} that.`,
  split: "They are two gaps again.",
} as const;

const formId = "kb merge";
/** Of a form, on every platform. */
const maxChoices = 24;
const maxChoiceChars = 75;

type Listed = { readonly gap: Gap; readonly seen: Extract<SeenGap, { kind: "listed" }> };

const fields = z.object({ into: select({ label: says.into, hint: says.hint, isRequired: true }) });

export const mergeForm: Interactions = {
  forms: { [formId]: formHandler(fields, { role: "ingest", submit }) },
  actions: {
    "gap-merge": { role: "ingest", formIn, press },
    "gap-split": { role: "ingest", press: split },
  },
};

/** Undefined if it is gone, or not this person's to read. */
async function listed(app: CommandApp, id: string, { actor, place }: Asker): Promise<Listed | undefined> {
  const gap = await app.gaps.get(place, id);
  const seen = gap === undefined ? undefined : await app.sight.see({ kind: "person", actor, place }, gap);
  return gap !== undefined && seen?.kind === "listed" ? { gap, seen } : undefined;
}

async function formIn(app: CommandApp, id: string, who: Asker): Promise<Form | undefined> {
  const found = await listed(app, id, who);
  if (found?.gap.state !== "open") return undefined;
  const others = await app.gapList.others({ kind: "person", ...who }, found.gap, maxChoices);
  if (others.length === 0) return undefined;
  const choices = others.map(
    ({ gap, seen }): Choice => ({ value: gap.id, label: shorten(questionText(seen.question), maxChoiceChars) }),
  );
  return drawForm(
    fields,
    { id: formId, title: says.title, submitLabel: gapLabels.merge, context: id },
    { into: { choices } },
  );
}

/** Why the form didn't open. */
async function press(app: CommandApp, id: string, context: CommandContext): Promise<CommandResult> {
  const found = await listed(app, id, context);
  if (found === undefined) throw gone();
  if (found.gap.state !== "open") return privately(infoDocument(says.notOpen));
  const others = await app.gapList.others({ kind: "person", ...context }, found.gap, 1);
  if (others.length === 0)
    return privately(infoDocument(says.noOther(writtenName(found.gap.agent, app.settings.project))));
  const again = { id: "gap-merge", label: gapLabels.merge, value: id, style: "primary" } as const;
  return privately(infoDocument(says.late, { actions: [again] }));
}

async function note(app: CommandApp, context: CommandContext, action: string, gap: Gap, merged: string): Promise<void> {
  const about = { agent: writtenName(gap.agent, app.settings.project), gap: gap.id, merged };
  await app.audit.record(context, { role: "ingest", action, about, outcome: "done" });
}

async function submit(
  app: CommandApp,
  { into: intoId }: z.output<typeof fields>,
  fromId: string,
  context: CommandContext,
): Promise<CommandResult> {
  const [from, into] = await Promise.all([listed(app, fromId, context), listed(app, intoId, context)]);
  // The second of two presses finds it merged.
  const isMerged = into?.gap.merged?.some(({ id }) => id === fromId) === true;
  if (into === undefined || (from === undefined && !isMerged)) throw gone();
  const merged = from === undefined ? into.gap : await app.gaps.merge(from.gap, into.gap);
  if (merged === undefined) throw gone();
  if (from !== undefined) await note(app, context, "gap merge", merged, fromId);
  const undo = { id: "gap-split", label: gapLabels.undo, value: `${intoId} ${fromId}`, style: "plain" } as const;
  return privately(
    infoDocument(says.merged(questionText(into.seen.question), merged.askerCount), { tone: "done", actions: [undo] }),
  );
}

async function split(app: CommandApp, value: string, context: CommandContext): Promise<CommandResult> {
  const [id = "", mergedId = ""] = value.split(" ");
  const found = await listed(app, id, context);
  const again = found === undefined ? undefined : await app.gaps.split(found.gap, mergedId);
  if (found === undefined || again === undefined) throw gone();
  await note(app, context, "gap split", found.gap, mergedId);
  return privately(infoDocument(says.split, { tone: "done" }));
}

function gone(): ParleyError {
  return new ParleyError("turn_gone", { what: gapSentences.gone, hint: gapSentences.seeList });
}
