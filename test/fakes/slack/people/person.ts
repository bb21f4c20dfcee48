/**
 * What people do in a fake workspace, and what Slack then sends: a mention as two events, edits and deletions,
 * commands, buttons, modals. Each call returns when Slack knows whether the app acknowledged.
 */
import type { createDeliveries, Delivery } from "../deliveries.ts";
import type { Repeats } from "../watch/repeats.ts";
import { bot, type Json, type StoredMessage, type View, type World } from "../world.ts";
import { changeOf, initialOf, joinOf, nameOf } from "./described.ts";
import { press } from "./presses.ts";

type Deliveries = ReturnType<typeof createDeliveries>;

type SayOptions = {
  readonly thread?: string;
  readonly files?: readonly Json[];
  /** Said in a thread, and sent to the channel besides. */
  readonly isBroadcast?: boolean;
  /** Said that long ago. */
  readonly agoMs?: number;
  /** Raw fields of the message, over all others: blocks, attachments, a subtype, another app as its author. */
  readonly extra?: Readonly<Partial<StoredMessage>>;
};

export type Said = { readonly ts: string; readonly delivered: Promise<readonly Delivery[]> };

export function createPerson(
  id: string,
  {
    world,
    deliveries,
    send,
    base,
    repeats,
  }: {
    readonly world: World;
    readonly deliveries: Deliveries;
    readonly send: (event: Json) => Promise<Delivery>;
    readonly base: string;
    readonly repeats: Repeats;
  },
) {
  /** Whatever somebody does may be answered once more. */
  const event = (happened: Json): Promise<Delivery> => {
    repeats.acted();
    return send(happened);
  };
  const deliver: Deliveries["deliver"] = (...sent) => {
    repeats.acted();
    return deliveries.deliver(...sent);
  };
  /** The team is the one that has the app, also where somebody of another one presses. */
  const from = {
    user: { id, name: id.toLowerCase(), team_id: world.teamOf(id) },
    team: { id: world.team },
    api_app_id: "A0",
  };
  /** `source`: the message of the button, which an answer may take the place of. */
  const responseUrl = (channel: string, source?: string) => {
    const about = new URLSearchParams({ user: id, channel, ...(source === undefined ? {} : { source }) });
    return `${base}/response/${world.nextId("R")}?${about}`;
  };

  const directChannel = (): string => {
    const known = [...world.channels.values()].find(({ type, members }) => type === "im" && members.has(id));
    return (known ?? world.addChannel(`D0${id.slice(2)}`, [id, bot.userId], "im")).id;
  };

  const announce = (message: StoredMessage): Promise<readonly Delivery[]> => {
    const channel = world.channels.get(message.channel);
    if (channel?.members.has(bot.userId) !== true) return Promise.resolve([]);
    const shown = { ...world.shown(message), channel: message.channel, event_ts: message.ts };
    const sent = [send(shown)];
    const { subtype: _subtype, ...bare } = shown as Json;
    if (message.text.includes(`<@${bot.userId}>`)) sent.push(send({ ...bare, type: "app_mention" }));
    return Promise.all(sent);
  };

  const say = (channel: string, text: string, options: SayOptions = {}): Said => {
    const message = world.store({
      ...(options.agoMs === undefined ? {} : { ts: world.tsBefore(options.agoMs) }),
      channel,
      user: id,
      text,
      blocks: [],
      ...(options.thread === undefined ? {} : { thread_ts: options.thread }),
      ...(options.isBroadcast === true ? { subtype: "thread_broadcast" } : {}),
      ...(options.files === undefined ? {} : { files: options.files, subtype: "file_share" }),
      ...options.extra,
    });
    // Its answers stand below it, in its thread or beside it.
    for (const thread of [message.ts, options.thread, ""]) if (thread !== undefined) repeats.acted(channel, thread);
    return { ts: message.ts, delivered: announce(message) };
  };

  const submitted = async (view: View, values: Record<string, Json>): Promise<Delivery> => {
    const state = { values: {} as Record<string, Json> };
    for (const block of view.blocks) {
      const element = block["element"] as Json | undefined;
      if (element === undefined) continue;
      const field = String(block["block_id"]);
      state.values[field] = {
        [String(element["action_id"])]: { type: element["type"], ...initialOf(element), ...values[field] },
      };
    }
    const delivery = await deliver(
      "interactive",
      { type: "view_submission", ...from, trigger_id: world.newTrigger(id), view: { ...view, state } },
      false,
    );
    const action = delivery.answer?.["response_action"];
    if (delivery.isAcknowledged && action === undefined) {
      world.openViews.set(
        id,
        (world.openViews.get(id) ?? []).filter((open) => open !== view.id),
      );
    }
    return delivery;
  };

  return {
    id,
    say,
    mention: (channel: string, text: string, options?: SayOptions) => say(channel, `<@${bot.userId}> ${text}`, options),
    edit: (ts: string, text: string) => {
      const message = world.messages.get(ts);
      if (message === undefined) throw new Error(`no message ${ts}`);
      const before = world.shown(message);
      message.text = text;
      message.edited = { user: id, ts: world.nextTs() };
      return event(changeOf(message, before, world));
    },
    /** Slack puts a preview of a link under the message: a change that nobody made. */
    preview: (ts: string) => {
      const message = world.messages.get(ts);
      if (message === undefined) throw new Error(`no message ${ts}`);
      const before = world.shown(message);
      const attachments = [{ title: "A page", fallback: "A page", from_url: "https://example.com" }];
      return event({ ...changeOf(message, before, world), message: { ...before, attachments } });
    },
    delete: (ts: string) => {
      const message = world.messages.get(ts);
      if (message === undefined) throw new Error(`no message ${ts}`);
      const isRoot = world.thread(message.channel, ts).length > 1;
      const before = world.shown(message);
      const at = world.nextTs();
      if (isRoot) {
        // A message that has replies stays as a tombstone.
        Object.assign(message, { subtype: "tombstone", text: "This message was deleted.", user: "USLACKBOT" });
        return event({ ...changeOf(message, before, world), message: world.shown(message) });
      }
      world.messages.delete(ts);
      return event({
        type: "message",
        subtype: "message_deleted",
        channel: message.channel,
        deleted_ts: ts,
        previous_message: before,
        ts: at,
        event_ts: at,
      });
    },
    react: (ts: string, reaction: string) =>
      event({
        type: "reaction_added",
        user: id,
        reaction,
        item: { type: "message", channel: world.messages.get(ts)?.channel, ts },
        event_ts: world.nextTs(),
      }),
    /**
     * Adds a member, by default the app. Slack says so in the channel and by an event, to the new member too. Nobody is
     * told of a removal.
     */
    invite: (channel: string, user: string = bot.userId): Promise<Delivery> => {
      const said = { channel, user, text: `<@${user}> has joined the channel`, blocks: [], subtype: "channel_join" };
      world.channels.get(channel)?.members.add(user);
      void announce(world.store(said));
      return event(joinOf(channel, user, world, { inviter: id }));
    },
    remove: (channel: string, user: string = bot.userId): void => {
      world.channels.get(channel)?.members.delete(user);
    },
    /** A new channel begins with the app in it: nobody invited it. */
    createChannel: (channel: string): Promise<Delivery> => {
      world.addChannel(channel, [id, bot.userId]);
      return event(joinOf(channel, bot.userId, world));
    },
    stopAgent: (channel: string, thread: string) =>
      event({ type: "agent_session_stopped", channel, thread_ts: thread, user: id, event_ts: world.nextTs() }),
    command: (command: string, text: string, channel: string) =>
      deliver(
        "slash_commands",
        {
          command,
          text,
          team_id: world.teamOf(id),
          channel_id: channel,
          channel_name: nameOf(world.channels.get(channel)),
          user_id: id,
          trigger_id: world.newTrigger(id),
          response_url: responseUrl(channel),
          is_enterprise_install: "false",
        },
        false,
      ),
    /** `label`: what stands on the button, or what is read aloud for it. */
    click: (ts: string, label: string) => {
      const message = world.messages.get(ts);
      const pressed = message === undefined ? undefined : press(message.blocks, label, id);
      if (message === undefined || pressed === undefined) throw new Error(`no button ${label}`);
      if (pressed.isThumb) {
        message.pressed ??= new Map();
        message.pressed.set(`${pressed.place} ${id}`, String(pressed.action["value"]));
      }
      const thread = message.thread_ts === undefined ? {} : { thread_ts: message.thread_ts };
      return deliver(
        "interactive",
        {
          type: "block_actions",
          ...from,
          trigger_id: world.newTrigger(id),
          response_url: responseUrl(message.channel, ts),
          channel: { id: message.channel },
          container: {
            type: "message",
            message_ts: ts,
            channel_id: message.channel,
            is_ephemeral: message.visibleTo !== undefined,
            ...thread,
          },
          actions: [{ ...pressed.action, action_ts: world.nextTs() }],
        },
        false,
      );
    },
    /** The values of the thumbs that are drawn filled for this person. */
    thumbs: (ts: string): readonly string[] =>
      [...(world.messages.get(ts)?.pressed ?? [])]
        .filter(([place]) => place.endsWith(` ${id}`))
        .map(([, value]) => value),
    /** A session in the agent view gets another name. */
    renameSession: (channel: string, thread: string, title: string) => {
      const session = `${channel}/${thread}`;
      const previous = world.sessionTitles.get(session) ?? "";
      world.sessionTitles.set(session, title);
      return event({
        ...{ type: "agent_session_title_changed", channel, thread_ts: thread, title, previous_title: previous },
        ...{ user: id, event_ts: world.nextTs() },
      });
    },
    /** Opens the app's own pages. Slack gives back the view only if one was published. */
    openHome: (tab: "home" | "messages" = "home") => {
      const view = world.homes.get(id);
      const channel = directChannel();
      return event({
        ...{ type: "app_home_opened", user: id, channel, tab, event_ts: world.nextTs() },
        ...(tab === "home" && view !== undefined ? { view } : {}),
      });
    },
    /** What this person sees in the Home tab. */
    home: (): View | undefined => world.homes.get(id),
    /** The Home tab is in no channel, so nothing can be answered by a response_url. */
    clickHome: (label: string) => {
      const view = world.homes.get(id);
      const pressed = view === undefined ? undefined : press(view.blocks, label, id);
      if (view === undefined || pressed === undefined) throw new Error(`no button ${label}`);
      const container = { type: "view", view_id: view.id };
      const actions = [{ ...pressed.action, action_ts: world.nextTs() }];
      const payload = { type: "block_actions", ...from, trigger_id: world.newTrigger(id), container, view, actions };
      return deliver("interactive", payload, false);
    },
    shortcut: (callback: string, ts: string) => {
      const message = world.messages.get(ts);
      if (message === undefined) throw new Error(`no message ${ts}`);
      return deliver(
        "interactive",
        {
          type: "message_action",
          ...from,
          callback_id: callback,
          trigger_id: world.newTrigger(id),
          response_url: responseUrl(message.channel),
          channel: { id: message.channel, name: "general" },
          message: world.shown(message),
          message_ts: ts,
        },
        false,
      );
    },
    /** The modal in front. */
    view: (): View | undefined => world.views.get((world.openViews.get(id) ?? []).at(-1) ?? ""),
    submit: submitted,
    suggest: (view: View, field: string, typed: string) => {
      const block = view.blocks.find((candidate) => candidate["block_id"] === field);
      const element = block?.["element"] as Json;
      return deliver(
        "interactive",
        { type: "block_suggestion", ...from, action_id: element["action_id"], block_id: field, value: typed, view },
        false,
      );
    },
  };
}
