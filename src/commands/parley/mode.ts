/** `/parley mode`: shows or sets which messages get an answer in a channel. */

import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { Mode } from "../../core/model/place.ts";
import { code, infoDocument, person, say } from "../../presentation/drawing.ts";
import { modeSentences } from "../../presentation/sentences.ts";
import { announce } from "../announce.ts";
import type { CommandApp } from "../app.ts";
import { type Command, type OptionValues, textOption } from "../command.ts";
import { openly } from "../results.ts";

const modes = ["mention", "thread", "channel", "every"] as const satisfies readonly Mode[];

export const parleyMode: Command = {
  path: "parley mode",
  summary: "Show or set which messages get an answer in this channel",
  options: [
    {
      name: "mode",
      summary: "mention: only then; thread: also follow-ups; channel: also questions with a source; every: all",
      type: "choice",
      isRequired: false,
      choices: modes,
      needs: "manage",
    },
  ],
  role: "ask",
  examples: ["parley mode", "parley mode mention"],
  run: mode,
};

async function mode(app: CommandApp, options: OptionValues, context: CommandContext): Promise<CommandResult> {
  const given = textOption(options, "mode");
  const { place } = context;
  const answersAll = app.reach.answersAll(place);
  if (given === undefined) {
    if (answersAll) return openly(infoDocument(modeSentences.answersAll));
    const now = await app.bindings.modeOf(place);
    const is = modeSentences.is[now];
    const mayChange = context.roles.manage.allowed;
    return openly(
      infoDocument(mayChange ? [is, say`Change it with ${code(app.registry.typed("parley mode mention"))}.`] : [is]),
    );
  }
  // The definition allows no other values.
  const wanted = modes.find((mode) => mode === given) ?? "thread";
  const before = await app.bindings.modeOf(place);
  await app.bindings.setChannel(place, { mode: wanted });
  await app.audit.record(context, { role: "manage", action: "parley mode", about: { mode: wanted }, outcome: "done" });
  if (before !== wanted)
    await announce(
      app,
      context,
      say`${person(context.actor.name, context.actor.id)} changed when I speak here. ${modeSentences.is[wanted]}`,
    );
  const says = answersAll ? modeSentences.answersAll : modeSentences.is[wanted];
  return openly(infoDocument(says, { tone: "done" }));
}
