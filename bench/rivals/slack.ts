/** A naive Slack bot on Bolt: a placeholder, one edit for each event of the service, and the library's own retries. */
import { App } from "@slack/bolt";
import { answerStream } from "./answer-stream.ts";

const { SLACK_BOT_TOKEN = "", SLACK_APP_TOKEN = "", SLACK_API_URL = "", AGENT_SERVICE_URL = "" } = process.env;

const app = new App({
  token: SLACK_BOT_TOKEN,
  appToken: SLACK_APP_TOKEN,
  socketMode: true,
  clientOptions: { slackApiUrl: SLACK_API_URL },
});

app.event("app_mention", async ({ event, client }) => {
  const { channel, ts: thread_ts } = event;
  const { ts } = await client.chat.postMessage({
    ...{ channel, thread_ts, text: "Thinking…", unfurl_links: false, unfurl_media: false },
  });
  if (ts === undefined) return;
  for await (const text of answerStream(AGENT_SERVICE_URL, event.text)) await client.chat.update({ channel, ts, text });
});

await app.start();
process.on("SIGTERM", () => process.exit(0));
process.stdout.write("online\n");
