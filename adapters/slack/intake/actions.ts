/**
 * Translates commands, message shortcuts and button presses into the bridge's Inbound. Pure.
 */
import { byWhom } from "../../../src/core/tools/ids.ts";
import { wholeText } from "../../shared/reading.ts";
import { actionSeparator } from "../drawing/buttons.ts";
import { eventKey, orderAt, orderOf, pendingThread, placeOf, type Self, timeOf } from "../ids.ts";
import type { Lookups } from "../reading/read-message.ts";
import type { SlackActions, SlackCommand, SlackMessageShortcut, SlackPerson, SlackTeam } from "./events.ts";
import { conversationOf, fromPerson, type InboundOf, isByBot, messageOf, type Translated } from "./inbound.ts";
import { type NameOf, plainText } from "./inbound-text.ts";
import { type Organisation, organisationOf } from "./organisation.ts";

export function translateCommand(command: SlackCommand, self: Self, nowMs: number, nameOf: NameOf): Translated {
  const typed = `${command.command} ${plainText(command.text, self.userId, nameOf)}`.trim();
  const organisation = organisationOf({ teams: [command.team_id], enterpriseId: command.enterprise_id }, self);
  return fromPerson(command.user_id, organisation, {
    kind: "command",
    eventKey: eventKey(self.teamId, "command", command.trigger_id),
    order: orderAt(nowMs),
    place: placeOf(self.teamId, command.channel_id),
    conversation: placeOf(self.teamId, command.channel_id, pendingThread(command.trigger_id)),
    ...topLevelOf(command.channel_id),
    input: { kind: "typed", text: typed },
    attachments: [],
    ...(command.response_url === undefined
      ? {}
      : {
          platformData: {
            responseUrl: command.response_url,
            // Ids of group direct messages look like those of channels.
            ...(command.channel_name?.startsWith("mpdm-") === true ? { isGroupDirect: "true" } : {}),
          },
        }),
  } satisfies InboundOf<"command">);
}

export const shortcuts = { ask_about: "ask-about", save: "save", use_as_answer: "use-as-answer" } as const;

export function translateShortcut(
  shortcut: SlackMessageShortcut,
  self: Self,
  nowMs: number,
  lookups: Lookups,
): Translated | undefined {
  const kind = shortcuts[shortcut.callback_id as keyof typeof shortcuts];
  if (kind === undefined) return undefined;
  const { message, channel } = shortcut;
  const { quoted, ...about } = messageOf(message, self, lookups, channel.name === "directmessage");
  const author = message.user === undefined ? undefined : lookups.nameOf(message.user);
  return fromPerson(shortcut.user.id, statedOrganisation(shortcut, self), {
    kind: "shortcut",
    eventKey: eventKey(self.teamId, "shortcut", shortcut.trigger_id),
    order: orderAt(nowMs),
    place: placeOf(self.teamId, channel.id, message.thread_ts),
    conversation: conversationOf(self, channel.id, message),
    shortcut: kind,
    about: {
      ...about,
      text: wholeText({ own: about.text, quoted }),
      authorName: author ?? message.bot_profile?.name ?? message.username ?? message.user ?? "someone",
      isBot: isByBot(message, self),
      order: orderOf(message.ts),
      atMs: timeOf(message.ts),
      authorId: message.user,
    },
  } satisfies InboundOf<"shortcut">);
}

/** `direct`: the channel of the person's direct messages, for buttons in the Home tab, which is in no channel. */
export function translateAction(
  body: SlackActions,
  self: Self,
  nowMs: number,
  direct: string | undefined,
): Translated | undefined {
  const [action] = body.actions;
  const channel = body.container.channel_id ?? body.channel?.id ?? direct;
  if (action === undefined || channel === undefined) return undefined;
  const { message_ts: messageId } = body.container;
  const thread = body.container.thread_ts ?? body.message?.thread_ts;
  const pressed = pressOf(action);
  const { trigger_id: trigger, response_url: responseUrl } = body;
  const begins = thread ?? (trigger === undefined ? undefined : pendingThread(trigger));
  return fromPerson(body.user.id, statedOrganisation(body, self), {
    kind: "action",
    eventKey: eventKey(
      self.teamId,
      "action",
      channel,
      messageId ?? "",
      byWhom(body.user.id, action.action_ts ?? String(nowMs)),
    ),
    order: action.action_ts === undefined ? orderAt(nowMs) : orderOf(action.action_ts),
    place: placeOf(self.teamId, channel, thread),
    ...topLevelOf(channel, thread),
    ...pressed,
    messageId,
    conversation: begins === undefined ? undefined : placeOf(self.teamId, channel, begins),
    platformData: responseUrl === undefined ? undefined : { responseUrl },
    isInHome: body.container.channel_id === undefined && body.channel === undefined ? (true as const) : undefined,
  } satisfies InboundOf<"action">);
}

/** Slack has one action for both thumbs, and for a menu, so the value of each begins with its own: "thumb-up TURN". */
function pressOf({ type, action_id: id, value = "", selected_option: option }: SlackActions["actions"][number]) {
  if (type === "feedback_buttons") return { ...actionIn(value), keepsPressed: true as const };
  if (type === "overflow") return actionIn(option?.value ?? "");
  const [action = ""] = id.split(actionSeparator);
  return { action, value };
}

function actionIn(value: string): { readonly action: string; readonly value: string } {
  const [action = "", ...rest] = value.split(" ");
  return { action, value: rest.join(" ") };
}

/**
 * The organisation of the person who pressed a button or used a form. `team` is where they did it, which can be ours
 * even if the person is external; it only tells which enterprise the person's own team belongs to.
 */
export function statedOrganisation(
  { user, team }: { readonly user: SlackPerson; readonly team?: SlackTeam | undefined },
  self: Self,
): Organisation {
  const enterpriseId = team?.id === user.team_id ? team?.enterprise_id : undefined;
  return organisationOf({ teams: [user.team_id], enterpriseId }, self);
}

/** A question there continues a topic: one person writes there, and it is in no thread. */
export function topLevelOf(channel: string, thread?: string): { readonly continuesTopic?: true } {
  // A person's id stands for the channel while that is not known. Its topics have the channel's.
  return thread === undefined && channel.startsWith("D") ? { continuesTopic: true } : {};
}
