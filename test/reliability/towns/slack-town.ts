/**
 * One Slack, one agent service, and any number of real Parley processes between them. Everything to and from Slack goes
 * through a proxy that can hold single requests.
 */
import { startHeldRequests } from "../../doubles/network/held-requests.ts";
import { createParleyProcess, type ParleyProcess } from "../../doubles/processes/parley-process.ts";
import { type Script, type ScriptedOptions, startScriptedService } from "../../doubles/service/scripted-service.ts";
import { appToken, botToken, type FakeSlackOptions, startFakeSlack } from "../../fakes/slack/index.ts";
import type { StoredMessage } from "../../fakes/slack/world.ts";

export const general = "C0GENERAL";

export type TownOptions = {
  readonly script: Script;
  readonly service?: ScriptedOptions;
  readonly slack?: FakeSlackOptions;
  readonly settings?: Readonly<Record<string, string>>;
};

export type Town = Awaited<ReturnType<typeof openTown>>;

/** What a message of Slack says, wherever in it. */
export function wordsOf(message: StoredMessage | undefined): string {
  return message === undefined ? "" : `${message.text}\n${JSON.stringify(message.blocks)}`;
}

export async function openTown(options: TownOptions) {
  const service = await startScriptedService(options.script, options.service);
  // Slack sends again what is not acknowledged, sixty times as fast as the real one.
  const slack = await startFakeSlack({ rates: false, ackTimeoutMs: 1_000, retryScale: 1 / 60, ...options.slack });
  const way = await startHeldRequests(slack.apiUrl);
  const processes: ParleyProcess[] = [];

  return {
    service,
    slack,
    way,
    processes,
    /** Starts one more process. */
    parley: async (
      settings: Readonly<Record<string, string>> = {},
      probe?: "/readyz" | "/healthz",
    ): Promise<ParleyProcess> => {
      const parley = await createParleyProcess({
        SLACK_BOT_TOKEN: botToken,
        SLACK_APP_TOKEN: appToken,
        SLACK_API_URL: `${way.url}/api`,
        AGENT_SERVICE_URL: service.url,
        AGENT_DEFAULT: "support",
        ...options.settings,
        ...settings,
      });
      processes.push(parley);
      await parley.start(probe);
      return parley;
    },
    /** What Parley has said in the thread of that question, oldest first. */
    replies: (ts: string): StoredMessage[] =>
      slack.world.thread(general, ts).filter((message) => message.bot_id !== undefined),
    close: async () => {
      await Promise.all(processes.map((parley) => parley.close()));
      await way.stop();
      await slack.stop();
      await service.close();
    },
  };
}

export { until } from "../../doubles/until.ts";
