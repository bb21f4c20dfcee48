/** The town of slack-town.ts with a service that accepts content, and a web site whose pages can be held. */

import { article, startSite } from "../../doubles/network/site.ts";
import { type FeedingOptions, startFeedingService } from "../../doubles/service/feeding-service.ts";
import type { StoredMessage } from "../../fakes/slack/world.ts";
import { general, openTown, wordsOf } from "./slack-town.ts";

export type JobTown = Awaited<ReturnType<typeof openJobTown>>;

export async function openJobTown(
  options: FeedingOptions & { readonly settings?: Readonly<Record<string, string>> } = {},
) {
  const { settings, ...feeding } = options;
  const service = await startFeedingService(feeding);
  const site = await startSite();
  const town = await openTown({
    script: () => [],
    settings: {
      ...{ AGENT_SERVICE_URL: service.url, INGEST_ALLOW_PRIVATE: "true", JOBS_PER_PERSON: "20" },
      ...settings,
    },
  });
  const alice = town.slack.person("U0ALICE");
  const released: (() => void)[] = [];

  /** Messages of Jobs, oldest first. */
  const messages = (): StoredMessage[] =>
    [...town.slack.world.messages.values()].filter(
      ({ channel, bot_id, visibleTo }) => channel === general && bot_id !== undefined && visibleTo === undefined,
    );

  return {
    ...town,
    service,
    alice,
    site,
    messages,
    /** The Job's message that says so. */
    message: (words: string) => messages().find((message) => wordsOf(message).includes(words)),
    /** The address of a page; the first who asks for a held one is never answered. */
    page: (name: string, isHeld = false): string => {
      let isAsked = !isHeld;
      site.set(`/${name}`, (_request, response) => {
        if (isAsked) response.writeHead(200, { "content-type": "text/html" }).end(article(name, `About ${name}.`));
        isAsked = true;
      });
      return `${site.url}/${name}`;
    },
    ingest: (words: string) => alice.command("/kb", `ingest ${words}`, general),
    /** Addresses in the order in which they were put in; one that was put in twice is there twice. */
    inserted: () => service.inserts.flatMap(({ what }) => what),
    /** A gate that is open when the town is closed, at the latest. */
    gate: () => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      const open = () => resolve(undefined);
      released.push(open);
      return { wait: () => promise, open };
    },
    close: async () => {
      for (const release of released) release();
      await town.close();
      await site.close();
      await service.close();
    },
  };
}
