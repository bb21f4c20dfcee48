/** The names of a workspace's people, from users.list. */
import { webApi } from "@slack/bolt";
import { expect, it } from "vitest";
import type { WebClient } from "../../../adapters/slack/connection/clients.ts";
import { createPeopleList } from "../../../adapters/slack/reading/people-list.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { silentLog } from "../../doubles/silent-log.ts";

type Member = Record<string, unknown>;

function listing(pages: readonly (readonly Member[] | Error)[]) {
  const clock = createFakeClock();
  const asked: (string | undefined)[] = [];
  const list = async ({ cursor }: { readonly cursor?: string }) => {
    asked.push(cursor);
    const at = cursor === undefined ? 0 : Number(cursor);
    const page = pages[at];
    if (page instanceof Error) throw page;
    return { members: page, response_metadata: { next_cursor: at + 1 < pages.length ? String(at + 1) : "" } };
  };
  const client = { users: { list } } as unknown as WebClient;
  const keyValue = {} as never;
  return { clock, asked, people: createPeopleList({ client, clock, log: silentLog, keyValue }) };
}

const person = (name: string, more: Member = {}) => ({ name, profile: { display_name: "" }, ...more });

it("are the display, real and user names of people, without bots and those who have left", async () => {
  const { people } = listing([
    [
      person("dave", { real_name: "David Miller", profile: { display_name: "Dave M", real_name: "David Miller" } }),
      person("helper", { is_bot: true }),
      person("gone", { deleted: true }),
      { name: "nameless" },
      {},
    ],
  ]);

  expect(await people.names()).toEqual(["Dave M", "David Miller", "dave", "nameless"]);
});

it("are read page by page in the background, and those of the first page are known meanwhile", async () => {
  const { people, clock, asked } = listing([[person("a")], [person("b")], [person("c")]]);

  const first = people.names();
  await clock.advance(600);
  expect(await first).toEqual(["a"]);
  await clock.advance(60_000);

  expect(await people.names()).toEqual(["a", "b", "c"]);
  expect(asked).toEqual([undefined, "1", "2"]);
});

it("are read again after an hour only, and at most ten thousand", async () => {
  const page = Array.from({ length: 200 }, (_, at) => person(`p${at}`));
  const { people, clock, asked } = listing(Array.from({ length: 80 }, () => page));

  void people.names();
  await clock.advance(10 * 60_000);
  expect(asked).toHaveLength(50);
  await people.names();
  expect(asked).toHaveLength(50);
  await clock.advance(61 * 60_000);
  void people.names();
  await clock.advance(10 * 60_000);
  expect(asked).toHaveLength(100);
});

it.each([
  ["a missing scope", new webApi.WebAPIPlatformError({ ok: false, error: "missing_scope" }), 300],
  ["429", new webApi.WebAPIRateLimitedError(30), 30],
])("after %s are tried again later, and nothing is thrown", async (_, failure, seconds) => {
  const { people, clock, asked } = listing([failure]);

  expect(await people.names()).toEqual([]);
  await clock.advance((seconds - 5) * 1_000);
  expect(await people.names()).toEqual([]);
  expect(asked).toHaveLength(1);
  await clock.advance(10_000);
  await people.names();

  expect(asked).toHaveLength(2);
});
