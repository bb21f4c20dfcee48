/** How Slack describes to the app what a person did: who joined, what changed, where it was, what a form holds. */
import { announceChange } from "../methods.ts";
import type { Channel, Json, StoredMessage, World } from "../world.ts";

export function joinOf(channel: string, user: string, world: World, more: Json = {}): Json {
  const type = "member_joined_channel";
  const channelType = world.channels.get(channel)?.type === "channel" ? "C" : "G";
  return { type, user, channel, channel_type: channelType, team: world.team, ...more, event_ts: world.nextTs() };
}

export function changeOf(message: StoredMessage, before: Json, world: World): Json {
  let change: Json = {};
  announceChange(message, before, {
    world,
    announce: (event) => {
      change = event;
    },
  });
  return change;
}

/** As commands are told it: only a public channel by its name. */
export function nameOf(channel: Channel | undefined): string {
  if (channel?.type === "mpim") return `mpdm-${[...channel.members].join("--").toLowerCase()}-1`;
  if (channel?.type === "im") return "directmessage";
  return channel?.type === "group" ? "privategroup" : "general";
}

/** What a field holds that nobody touched, as Slack sends it. */
export function initialOf(element: Json): Json {
  const { initial_value, initial_option, initial_options } = element;
  return {
    ...(initial_value === undefined ? {} : { value: initial_value }),
    ...(initial_option === undefined ? {} : { selected_option: initial_option }),
    ...(initial_options === undefined ? {} : { selected_options: initial_options }),
  };
}
