/** The Discord permissions that Parley needs in a server, and why. The invite requests exactly these. */
import { PermissionFlagsBits } from "@discordjs/core";

/** By the name on Discord's own page. */
export const neededPermissions = {
  "View Channels": PermissionFlagsBits.ViewChannel,
  "Send Messages": PermissionFlagsBits.SendMessages,
  "Create Public Threads": PermissionFlagsBits.CreatePublicThreads,
  "Send Messages in Threads": PermissionFlagsBits.SendMessagesInThreads,
  /** For "Get CSV", pictures of charts, and the rest of a long answer. */
  "Attach Files": PermissionFlagsBits.AttachFiles,
  /** For threads as context, and to find Parley's own posts again. */
  "Read Message History": PermissionFlagsBits.ReadMessageHistory,
  /** For the bot's mark on messages it saved. */
  "Add Reactions": PermissionFlagsBits.AddReactions,
} as const;

export const permissionsInteger = String(Object.values(neededPermissions).reduce((all, one) => all | one, 0n));
