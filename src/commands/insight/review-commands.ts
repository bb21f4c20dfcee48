/** "Yes, it holds", under the question whether an added answer still holds. For its author and people who manage. */
import type { CommandSet } from "../../ports/command-contract.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import type { Answering } from "../../ports/content/answering.ts";
import type { Reviews } from "../../ports/content/reviews.ts";
import { ParleyError } from "../../ports/errors.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import { answerSentences, reviewSentences as says } from "../../presentation/sentences.ts";
import { checkOwner } from "../ledger/ownership.ts";
import type { CommandPorts } from "../ports.ts";
import { privately } from "../results.ts";

export type ReviewPorts = CommandPorts & {
  readonly answering: Pick<Answering, "byId">;
  readonly reviews: Reviews;
};

export function reviewCommands({ answering, reviews, reach, audit, clock }: ReviewPorts): CommandSet {
  async function holds(id: string, context: CommandContext): Promise<CommandResult> {
    const answer = await answering.byId(id);
    const { actor, place } = context;
    const base = answer === undefined ? undefined : { project: answer.project, name: answer.knowledgeBase };
    const verdict = base === undefined ? undefined : await reach.mayBase(actor, "ingest", place, base);
    if (answer === undefined || verdict?.allowed !== true) {
      throw new ParleyError("turn_gone", { what: answerSentences.gone, hint: answerSentences.seeBase });
    }
    checkOwner(answer, context);
    const next = await reviews.holds(answer);
    const about = { knowledgeBase: `${answer.project}.${answer.knowledgeBase}`, answer: id };
    await audit.record(context, { role: "ingest", action: "kb answer holds", about, outcome: "done" });
    const said = [says.holds, ...(next === undefined ? [] : [says.askedAgain(next, clock.now())])];
    return privately(infoDocument(said.join(" "), { tone: "done" }));
  }

  return { definitions: [], handlers: {}, actions: { "answer-holds": { role: "ingest", press: holds } } };
}
