/** `/parley forget`: forgets a conversation so far. */
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import { countText } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import type { Command } from "../command.ts";
import { openly, working } from "../results.ts";

const forgetSentences = {
  forgotten: (count: number): string =>
    `Forgot ${countText(count, "earlier question")}, with the answers, context and steps. Your next question starts fresh.`,
  stays: "I can't remove messages from the chat app, or the agent service's own logs. The audit log stays too.",
  forgetting: "Stopping what's running in this conversation, and forgetting it…",
  nothing: "Nothing to forget here. Run this inside the conversation.",
} as const;

export const parleyForget: Command = {
  path: "parley forget",
  summary: "Forget this conversation so far",
  options: [],
  role: "ask",
  examples: ["parley forget"],
  run: (app, _options, context) => forget(app, context),
};

async function forget(app: CommandApp, { conversation, actor, place, roles }: CommandContext): Promise<CommandResult> {
  const forgetting = {
    ...infoDocument(forgetSentences.forgetting, { tone: "running" }),
    isForEveryone: true,
  } as const;
  const isDirect = app.reach.isDirect(place);
  // A command in a direct message may have a Conversation of its own, in which nothing was asked yet.
  const meant = isDirect && place.thread === undefined ? place : conversation;
  return working(forgetting, app.log, async () => {
    const count = await app.bridge().forget(meant, actor, roles.manage.allowed || isDirect);
    if (count === 0) return openly(infoDocument(forgetSentences.nothing));
    return openly(infoDocument([forgetSentences.forgotten(count), forgetSentences.stays], { tone: "done" }));
  });
}
