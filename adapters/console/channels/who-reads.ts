/** Tells the core who can read a place of the page. */
import type { ChatPlatform } from "../../../src/core/ports/chat-platform.ts";
import { platformName, workspaceName } from "../intake/inbound.ts";
import type { Channels } from "./channels.ts";
import { isPrivateChannel, privateChannelOf } from "./reading.ts";

export function createWhoReads({
  channels,
  hasVerifiedPeople,
}: {
  readonly channels: Pick<Channels, "exists" | "nameOf" | "shared">;
  /** Whether people sign in by name, so that each has a channel of their own. */
  readonly hasVerifiedPeople: boolean;
}): Required<Pick<ChatPlatform, "isDirect" | "visibility" | "isMember" | "isIn" | "channelName" | "ownChannels">> {
  return {
    // Where nobody signs in by name, the page belongs to one person, so a binding made there confines no agent.
    isDirect: ({ channel }) => !hasVerifiedPeople || isPrivateChannel(channel),
    // Nobody reads a removed channel.
    visibility: async ({ channel }) =>
      isPrivateChannel(channel) ? "direct" : (await channels.exists(channel)) ? "public" : "private",
    isMember: async (actor, { channel }) =>
      isPrivateChannel(channel) ? channel === privateChannelOf(actor.id) : channels.exists(channel),
    ownChannels: async () =>
      (await channels.shared()).map((channel) => ({ platform: platformName, workspace: workspaceName, channel })),
    channelName: ({ channel }) => channels.nameOf(channel),
    isIn: ({ channel }) => channels.exists(channel),
  };
}
