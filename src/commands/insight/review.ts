/** "Yes, it holds", under the question whether an added answer still holds. For its author and people who manage. */

import type { CommandContext, CommandResult } from "../../core/commands.ts";
import { ParleyError } from "../../core/errors.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import { answerSentences, dateText } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import type { Interactions } from "../command.ts";
import { checkOwner } from "../ledger/ownership.ts";
import { privately } from "../results.ts";

export const reviewButton: Interactions = { actions: { "answer-holds": { role: "ingest", press: holds } } };

async function holds(app: CommandApp, id: string, context: CommandContext): Promise<CommandResult> {
  const answer = await app.answering.byId(id);
  const { actor, place } = context;
  const base = answer === undefined ? undefined : { project: answer.project, name: answer.knowledgeBase };
  const verdict = base === undefined ? undefined : await app.reach.mayBase(actor, "ingest", place, base);
  if (answer === undefined || verdict?.allowed !== true) {
    throw new ParleyError("turn_gone", { what: answerSentences.gone, hint: answerSentences.seeBase });
  }
  checkOwner(answer, context);
  const next = await app.reviews.holds(answer);
  const about = { knowledgeBase: `${answer.project}.${answer.knowledgeBase}`, answer: id };
  await app.audit.record(context, { role: "ingest", action: "kb answer holds", about, outcome: "done" });
  const said = [
    "Thanks, it stays as it is.",
    ...(next === undefined ? [] : [`I'll ask again on ${dateText(next, app.clock.now())}.`]),
  ];
  return privately(infoDocument(said.join(" "), { tone: "done" }));
}
