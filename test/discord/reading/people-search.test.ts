/** People of a Discord server by the names that a line begins or ends with. */
import { expect, it } from "vitest";
import { directWorkspace } from "../../../adapters/discord/ids.ts";
import type { DiscordParts } from "../../../adapters/discord/parts.ts";
import { createPeopleSearch } from "../../../adapters/discord/reading/people-search.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { silentLog } from "../../doubles/silent-log.ts";

function searching(answer: (word: string) => unknown) {
  const clock = createFakeClock();
  const asked: string[] = [];
  const call = async (_verb: string, path: string, { query }: { readonly query: { readonly query: string } }) => {
    asked.push(`${path} ${query.query}`);
    const found = answer(query.query);
    if (found instanceof Error) throw found;
    return found;
  };
  const parts = { rest: { call }, clock, log: silentLog } as unknown as DiscordParts;
  return { clock, asked, search: createPeopleSearch(parts) };
}

const dave = { nick: "Davey", user: { username: "dave1", global_name: "David Miller" } };

it("are found by nickname, shown name and user name, without bots", async () => {
  const bot = { user: { username: "dave-bot", bot: true } };
  const { search } = searching(() => [dave, bot, { nick: null, user: { username: "dana", global_name: null } }]);

  expect(await search.names("S1", ["Dave"])).toEqual(["Davey", "David Miller", "dave1", "dana"]);
});

it("are searched once an hour for each name, and at most two of a line", async () => {
  const { search, asked, clock } = searching(() => [dave]);

  await search.names("S1", ["Dave", "Jo", "Max"]);
  await search.names("S1", ["dave"]);
  expect(asked).toEqual(["/guilds/S1/members/search Dave", "/guilds/S1/members/search Jo"]);
  await search.names("S2", ["Dave"]);
  await clock.advance(61 * 60_000);
  await search.names("S1", ["Dave"]);

  expect(asked.slice(2)).toEqual(["/guilds/S2/members/search Dave", "/guilds/S1/members/search Dave"]);
});

it.each([
  ["an error", new Error("Missing Access")],
  ["a body that isn't a list", { message: "odd" }],
])("after %s are nobody, and are tried again after five minutes", async (_, answer) => {
  const { search, asked, clock } = searching(() => answer);

  expect(await search.names("S1", ["Dave"])).toEqual([]);
  await search.names("S1", ["Dave"]);
  expect(asked).toHaveLength(1);
  await clock.advance(6 * 60_000);
  await search.names("S1", ["Dave"]);

  expect(asked).toHaveLength(2);
});

it("are nobody in direct messages", async () => {
  const { search, asked } = searching(() => [dave]);

  expect(await search.names(directWorkspace, ["Dave"])).toEqual([]);
  expect(asked).toEqual([]);
});
