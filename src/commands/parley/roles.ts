/** `/parley roles`: what a person is allowed to do in a place, and why. */

import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { ListItem } from "../../core/document.ts";
import type { Role } from "../../core/model/place.ts";
import { bold, listDocument, say } from "../../presentation/drawing.ts";
import { abilities } from "../../presentation/sentences.ts";
import type { Command } from "../command.ts";
import { privately } from "../results.ts";

const roles: readonly Role[] = ["ask", "ingest", "manage"];

export const parleyRoles: Command = {
  path: "parley roles",
  summary: "Show what you're allowed to do here, and why",
  options: [],
  role: "ask",
  examples: ["parley roles"],
  run: async (_app, _options, context) => whatYouMay(context),
};

function whatYouMay(context: CommandContext): CommandResult {
  const items = roles.map((role): ListItem => {
    const { allowed, because } = context.roles[role];
    return {
      mark: allowed ? "done" : "failed",
      text: say`${allowed ? "You can " : "You can't "}${bold(abilities[role])}: ${because}`,
    };
  });
  return privately(listDocument("What you can do here", items));
}
