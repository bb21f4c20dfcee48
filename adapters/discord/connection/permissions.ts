/**
 * What Parley must be allowed to do in a server, and why: the invite asks for exactly this.
 */
import { PermissionFlagsBits, PermissionsBitField } from "discord.js";

/** By the name that Discord's own page shows. */
export const neededPermissions = {
  "View Channels": PermissionFlagsBits.ViewChannel,
  "Send Messages": PermissionFlagsBits.SendMessages,
  "Create Public Threads": PermissionFlagsBits.CreatePublicThreads,
  "Send Messages in Threads": PermissionFlagsBits.SendMessagesInThreads,
  /** Files: "Get CSV", and the rest of a long answer. */
  "Attach Files": PermissionFlagsBits.AttachFiles,
  /** Threads as context, and finding own posts again. */
  "Read Message History": PermissionFlagsBits.ReadMessageHistory,
  /** The bot's own mark on what it saved. */
  "Add Reactions": PermissionFlagsBits.AddReactions,
} as const;

export const permissionsInteger = String(new PermissionsBitField(Object.values(neededPermissions)).bitfield);
