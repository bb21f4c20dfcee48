/**
 * The people on Discord: they mention, use /ask, follow up in threads and press buttons. Discord sends every event to
 * every instance, and resends none unless a session is resumed; messages can be read, though.
 */
import type { FakeDiscord } from "../fakes/discord/index.ts";
import { botId, buttonsOf, guildId, type Json, textOf } from "../fakes/discord/world.ts";
import type { Askers, Book } from "./book.ts";
import type { Chance } from "./chance.ts";
import { tagOf } from "./stories.ts";

const people = ["Alice", "Bob"] as const;
const channels = ["general", "random"] as const;
/** A callback that makes a promise: "… is thinking". */
const deferred = 5;
const threadType = 11;

export function createDiscordAskers(discord: FakeDiscord, book: Book, chance: Chance): Askers {
  const { world, gateway } = discord;
  const roots: string[] = [];
  // By "Your answer is ready".
  for (const name of people) world.mayBePinged.add(world.person(name).id);

  /** Where somebody asks: in the thread of an earlier question, where there is one, or in a channel. */
  function somewhere() {
    const thread = chance.happens(0.4) ? world.channels.get(chance.any(roots) ?? "") : undefined;
    return { thread, channel: thread ?? world.channel(chance.pick(channels)) };
  }

  function mention(): void {
    const tag = book.nextTag();
    const { thread, channel } = somewhere();
    const said = discord.human(chance.pick(people)).mention(channel, `what about ${tag}`);
    if (thread === undefined) roots.push(said.id);
    book.add({
      ...{ tag, platform: "discord", thread: thread?.id ?? said.id, settled: Promise.resolve() },
      // Whoever was not connected reads what was said meanwhile.
      isTaken: () => true,
      eventKey: `discord/${guildId}/message/${said.id}`,
    });
  }

  function command(): void {
    const tag = book.nextTag();
    const { thread, channel } = somewhere();
    const result = discord.human(chance.pick(people)).command(channel, "ask", { question: `what about ${tag}` });
    book.add({
      ...{ tag, platform: "discord", thread: thread?.id ?? `asked-${result.id}`, settled: Promise.resolve() },
      isTaken: () => result.type === deferred && result.answer?.seenBy === undefined,
      eventKey: `discord/${guildId}/interaction/${result.id}`,
    });
  }

  return {
    ask: () => (chance.happens(0.3) ? command() : mention()),
    press: (label) => {
      const message = chance.any(
        [...world.messages.values()].filter(
          ({ authorId, isDeleted, components }) =>
            authorId === botId && !isDeleted && buttonsOf(components).some((button) => button["label"] === label),
        ),
      );
      if (message === undefined) return;
      const { channelId, referenceId } = message;
      const { type, name } = world.channels.get(channelId) ?? {};
      // A command's question names its thread; without one its answer shows it.
      if (type === threadType) book.press(channelId, tagOf(name ?? ""));
      else book.press(referenceId, tagOf(textOf(message)));
      discord.human("Alice").press(message, label);
    },
    repeat: () => {
      const question = chance.any(book.asked.filter(({ platform }) => platform === "discord"));
      if (question === undefined) return;
      const isMeant = (event: Json) => tagOf(JSON.stringify(event)) === question.tag && !isOwn(event);
      const kind = question.eventKey.includes("/interaction/") ? "INTERACTION_CREATE" : "MESSAGE_CREATE";
      book.repeat();
      gateway.repeatLast(kind, isMeant);
    },
  };
}

function isOwn(event: Json): boolean {
  const author = event["author"] as Json | undefined;
  return author?.["id"] === botId;
}
