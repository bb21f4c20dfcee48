/** `/agent which`: which agent answers in a place, and why. */

import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { Document } from "../../core/document.ts";
import { bold, code, infoDocument, say } from "../../presentation/drawing.ts";
import { bindingSentences, modeSentences } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import type { Command } from "../command.ts";
import { writtenName } from "../names/find-by-name.ts";
import { openly, privately } from "../results.ts";
import { noAgentDocument, writtenBinding } from "./agent-words.ts";

/** What an agent gets before each question of a channel. */
const instructionSentences = {
  some: "The agent gets instructions before each question asked here.",
  shown: "Instructions for this channel:",
} as const;

export const agentWhich: Command = {
  path: "agent which",
  summary: "Show which agent answers here, and why",
  options: [],
  role: "ask",
  examples: ["agent which"],
  run: (app, _options, context) => showWhich(app, context),
};

export async function showWhich(
  app: CommandApp,
  { actor, place, conversation }: CommandContext,
): Promise<CommandResult> {
  const [resolved, mode, here, own] = await Promise.all([
    app.reach.resolve(actor, place),
    app.bindings.modeOf(place),
    app.conversations.get(conversation),
    app.bindings.own(place),
  ]);
  const instructions = own?.instructions ?? "";
  const mayRead = instructions !== "" && app.reach.may(actor, "instructions", place).allowed;
  const told = instructions === "" ? [] : [mayRead ? instructionSentences.shown : instructionSentences.some];
  const withText = (document: Document): Document =>
    mayRead ? { ...document, blocks: [...document.blocks, { kind: "code", text: instructions }] } : document;
  const isNamed = here.agent !== undefined && (await app.reach.mayAgent(actor, "ask", place, here.agent)).allowed;
  const named =
    isNamed && here.agent !== undefined
      ? [say`${bold(writtenName(here.agent, app.settings.project))} was picked for this thread.`]
      : [];
  // The agent of a thread may be one that only managers can ask by now.
  const show = isNamed || mayRead ? privately : openly;
  switch (resolved.kind) {
    case "bound":
      return show(
        withText(
          infoDocument(
            [
              bindingSentences.answers(writtenBinding(app, resolved.binding)),
              bindingSentences.why[resolved.from],
              ...named,
              ...told,
            ],
            { quiet: [app.reach.answersAll(place) ? modeSentences.answersAll : modeSentences.is[mode]] },
          ),
        ),
      );
    case "choose":
      return show(
        withText(
          infoDocument([
            bindingSentences.choose(await app.reach.openAmong(actor, place, resolved.agents)),
            ...named,
            say`Choose one with ${code(app.registry.typed("agent use"))}.`,
            ...told,
          ]),
        ),
      );
    case "none":
      return openly(noAgentDocument(app));
    default:
      return resolved satisfies never;
  }
}
