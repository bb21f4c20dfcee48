/** What people do in the local Discord. What the real client prevents throws. */
import type { Interactions, Result } from "./interactions.ts";
import { channelJson, messageJson, userJson } from "./json.ts";
import {
  adminRole,
  botId,
  botPermissions,
  buttonsOf,
  type Channel,
  guildId,
  type Json,
  listOf,
  type Message,
  type Person,
  permissions,
  type World,
} from "./world.ts";

export type PeopleContext = {
  readonly world: World;
  readonly interactions: Interactions;
  readonly dispatch: (
    event: string,
    d: Json,
    kind: "message" | "reaction" | "interaction",
    isForBot?: boolean,
    isDirect?: boolean,
  ) => void;
  readonly publish: (event: string, message: Message) => void;
  readonly threadOpened: (thread: Channel) => void;
  readonly commands: () => readonly Json[];
};

export function createHuman(person: Person, context: PeopleContext) {
  const { world, interactions, dispatch } = context;

  const memberJson = (channel: Channel): Json =>
    channel.type === 1
      ? {}
      : {
          guild_id: channel.serverId,
          member: { roles: person.roles, nick: null, flags: 0, joined_at: new Date(0).toISOString() },
        };

  const interact = (channel: Channel, type: number, data: Json, source?: Message): Result => {
    const result = interactions.begin(person.id, channel.id, source);
    const isAdmin =
      world.servers.get(channel.serverId ?? "")?.ownerId === person.id ||
      (channel.serverId === guildId && person.roles.includes(adminRole));
    const member = {
      ...(memberJson(channel)["member"] as Json | undefined),
      user: userJson(person),
      permissions: String(isAdmin ? permissions.administrator : permissions.sendMessages),
    };
    const denied = (channel.parentId === undefined ? channel : world.channels.get(channel.parentId))?.denied ?? 0n;
    dispatch(
      "INTERACTION_CREATE",
      {
        id: result.id,
        application_id: botId,
        token: result.token,
        type,
        data,
        version: 1,
        channel_id: channel.id,
        channel: channelJson(channel),
        locale: "en-US",
        entitlements: [],
        authorizing_integration_owners: {},
        attachment_size_limit: 10_485_760,
        app_permissions: String(botPermissions & ~denied),
        ...(channel.type === 1 ? { user: userJson(person) } : { guild_id: channel.serverId, member }),
        ...(source === undefined ? {} : { message: messageJson(world, source) }),
      },
      "interaction",
    );
    return result;
  };

  const given = (path: string, values: Json, focused?: string): Json => {
    const [word = "", part] = path.split(" ");
    const command = context.commands().find(({ name }) => name === word);
    const leaf = part === undefined ? command : listOf(command?.["options"]).find(({ name }) => name === part);
    if (leaf === undefined) throw new Error(`/${path} is not registered`);
    const options = listOf(leaf["options"]).flatMap((option) => {
      const name = String(option["name"]);
      if (values[name] === undefined) {
        if (option["required"] === true && focused === undefined) throw new Error(`/${path} needs ${name}`);
        return [];
      }
      return [{ name, type: option["type"], value: values[name], ...(name === focused ? { focused: true } : {}) }];
    });
    return { id: "1", name: word, type: 1, options: part === undefined ? options : [{ name: part, type: 1, options }] };
  };

  const say = (
    channel: Channel,
    content: string,
    more: { replyTo?: string; attachments?: readonly Json[]; pings?: boolean; shows?: Json } = {},
  ): Message => {
    const message = world.addMessage({
      channelId: channel.id,
      authorId: person.id,
      content,
      type: more.replyTo === undefined ? 0 : 19,
      referenceId: more.replyTo,
      attachments: more.attachments ?? [],
      pingsReplied: more.pings ?? true,
      shows: more.shows ?? {},
    });
    context.publish("MESSAGE_CREATE", message);
    return message;
  };

  return {
    person,
    say,
    /** The first message of a post has the id of its thread. */
    forumPost: (
      forum: Channel,
      title: string,
      content: string,
    ): { readonly thread: Channel; readonly said: Message } => {
      const id = world.snowflake();
      const thread = world.addChannel({ id, type: 11, name: title, parentId: forum.id, ownerId: person.id });
      context.threadOpened(thread);
      const said = world.addMessage({ id, channelId: id, authorId: person.id, content });
      context.publish("MESSAGE_CREATE", said);
      return { thread, said };
    },
    forward: (channel: Channel, { content, attachments }: Pick<Message, "content" | "attachments">) => {
      const snapshots = [{ message: { type: 0, content, attachments, embeds: [], flags: 0 } }];
      const message = world.addMessage({ channelId: channel.id, authorId: person.id, snapshots });
      context.publish("MESSAGE_CREATE", message);
      return message;
    },
    mention: (channel: Channel, text: string) => say(channel, `<@${botId}> ${text}`),
    edit: (message: Message, content: string) => {
      message.content = content;
      message.editedAtMs = Date.now();
      context.publish("MESSAGE_UPDATE", message);
    },
    /** Discord found a preview for a link: nobody changed a word. */
    unfurl: (message: Message) => context.publish("MESSAGE_UPDATE", message),
    delete: (message: Message) => {
      message.isDeleted = true;
      context.publish("MESSAGE_DELETE", message);
    },
    react: (message: Message, emoji: string) => {
      const isDirect = world.channels.get(message.channelId)?.type === 1;
      const member = { user: userJson(person), roles: person.roles };
      dispatch(
        "MESSAGE_REACTION_ADD",
        {
          user_id: person.id,
          channel_id: message.channelId,
          message_id: message.id,
          emoji: { id: null, name: emoji },
          ...(isDirect ? {} : { guild_id: world.channels.get(message.channelId)?.serverId, member }),
        },
        "reaction",
      );
    },
    command: (channel: Channel, path: string, values: Json = {}) => interact(channel, 2, given(path, values)),
    complete: (channel: Channel, path: string, option: string, typed: string) =>
      interact(channel, 4, given(path, { [option]: typed }, option)),
    menu: (channel: Channel, name: string, target: Message) => {
      if (!context.commands().some((command) => command["name"] === name)) throw new Error(`${name} is not registered`);
      const messages = { [target.id]: messageJson(world, target) };
      return interact(channel, 2, { id: "1", name, type: 3, target_id: target.id, resolved: { messages } });
    },
    /** By label, emoji or custom_id. */
    press: (message: Message, label: string) => {
      const button = buttonsOf(message.components).find((one) => {
        const emoji = one["emoji"] as Json | undefined;
        return one["label"] === label || emoji?.["name"] === label || one["custom_id"] === label;
      });
      const channel = world.channels.get(message.channelId);
      if (button === undefined || channel === undefined) throw new Error(`there is no button ${label}`);
      return interact(channel, 3, { component_type: 2, custom_id: button["custom_id"] }, message);
    },
    /** Chooses an option of a menu, by its label. */
    choose: (message: Message, label: string) => {
      const channel = world.channels.get(message.channelId);
      const menus = menusOf(message.components);
      const menu = menus.find(({ options }) => listOf(options).some((option) => option["label"] === label));
      const chosen = listOf(menu?.["options"]).find((option) => option["label"] === label);
      if (menu === undefined || channel === undefined) throw new Error(`there is no option ${label}`);
      const data = { component_type: 3, custom_id: menu["custom_id"], values: [chosen?.["value"]] };
      return interact(channel, 3, data, message);
    },
    /**
     * Fills in the modal that the result opened: by custom_id; what is left out stays as it is shown. `files`: what is
     * uploaded into its file field.
     */
    submit: (
      opened: Result,
      values: Readonly<Record<string, string | readonly string[]>>,
      files: readonly Json[] = [],
    ) => {
      const modal = opened.modal;
      const channel = world.channels.get(opened.channelId);
      if (modal === undefined || channel === undefined) throw new Error("no modal is open");
      const components = listOf(modal["components"]).map((row) => ({
        type: 18,
        component: filled(row["component"] as Json, values, files),
      }));
      const attachments = Object.fromEntries(files.map((file) => [String(file["id"]), file]));
      const resolved = files.length === 0 ? {} : { resolved: { attachments } };
      return interact(channel, 5, { custom_id: modal["custom_id"], components, ...resolved }, opened.source);
    },
  };
}

function menusOf(components: readonly Json[]): readonly Json[] {
  return components.flatMap((component) =>
    component["type"] === 3 ? [component] : menusOf(listOf(component["components"])),
  );
}

function filled(
  field: Json,
  values: Readonly<Record<string, string | readonly string[]>>,
  files: readonly Json[],
): Json {
  const customId = String(field["custom_id"]);
  if (field["type"] === 19) return { type: 19, custom_id: customId, values: files.map(({ id }) => String(id)) };
  const given = values[customId];
  // A select, buttons of which one is chosen, and boxes to tick.
  if (field["type"] === 3 || field["type"] === 21 || field["type"] === 22) {
    const offered = listOf(field["options"]);
    const shown = offered.filter((option) => option["default"] === true).map((option) => String(option["value"]));
    const chosen = given === undefined ? shown : [given].flat();
    if (chosen.some((value) => !offered.some((option) => option["value"] === value)))
      throw new Error(`${customId} doesn't offer ${chosen.join()}`);
    if (field["required"] !== false && chosen.length === 0) throw new Error(`${customId} is required`);
    if (field["type"] === 21) return { type: 21, custom_id: customId, value: chosen[0] ?? null };
    return { type: field["type"], custom_id: customId, values: chosen };
  }
  const value = String(given ?? field["value"] ?? "");
  if (field["required"] !== false && value === "") throw new Error(`${customId} is required`);
  if (value.length > Number(field["max_length"] ?? 4_000)) throw new Error(`${customId} is too long`);
  return { type: 4, custom_id: customId, value };
}
