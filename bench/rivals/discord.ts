/**
 * A naive Discord bot on discord.js: a thread and a placeholder, one edit for each event of the service, and the
 * library's own retries.
 */
import { Client, Events, GatewayIntentBits } from "discord.js";
import { answerStream } from "./answer-stream.ts";

const { DISCORD_TOKEN = "", DISCORD_API_URL = "", AGENT_SERVICE_URL = "" } = process.env;

const { Guilds, GuildMessages, MessageContent } = GatewayIntentBits;
const client = new Client({
  intents: [Guilds, GuildMessages, MessageContent],
  rest: { api: DISCORD_API_URL },
  allowedMentions: { parse: [], repliedUser: false },
});

client.on(Events.MessageCreate, async (message) => {
  if (client.user === null || message.author.bot || !message.mentions.has(client.user)) return;
  const question = message.content.replaceAll(/<@!?\d+>/g, "").trim();
  const thread = await message.startThread({ name: question });
  const placeholder = await thread.send("Thinking…");
  for await (const text of answerStream(AGENT_SERVICE_URL, question)) await placeholder.edit(text);
});

client.once(Events.ClientReady, () => process.stdout.write("online\n"));
process.on("SIGTERM", () => process.exit(0));
await client.login(DISCORD_TOKEN);
