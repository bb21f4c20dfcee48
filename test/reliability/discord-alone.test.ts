/**
 * What Discord refuses or cannot give stops Discord alone: the real process stays, says what to do, and everything else
 * goes on.
 */
import { afterEach, describe, expect, it } from "vitest";
import { answers25 } from "../doubles/service/scripted-answers.ts";
import { type DiscordTown, openDiscordTown } from "./towns/discord-town.ts";
import { until } from "./towns/slack-town.ts";

let town: DiscordTown;
afterEach(() => town.close());

const script = ({ question }: { readonly question: string }) => answers25({ question, answer: "Yes." });
const withPage = { CONSOLE: "on" };

async function ready(url: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, text: await response.text() };
}

describe("Discord", () => {
  it.each([
    ["the token", { DISCORD_TOKEN: "MTE2ODk5.other.wrong" }, /DISCORD_TOKEN. Copy the token again from the page Bot/],
    ["an intent", { DISCORD_MESSAGE_CONTENT: "true" }, /Message Content Intent.*DISCORD_MESSAGE_CONTENT=false/],
  ])("refuses %s: one line says which switch to set, and the page works", async (_what, settings, remedy) => {
    town = await openDiscordTown({ script, discord: { allowsContent: false } });

    const parley = await town.process({ ...withPage, ...settings });
    await parley.start("/healthz");
    const lines = () =>
      parley
        .output()
        .split("\n")
        .filter((line) => remedy.test(line));
    await until("the remedy", async () => remedy.test((await ready(parley.url)).text) && lines().length > 0);

    expect((await ready(parley.url)).status).toBe(503);
    expect(lines()).toHaveLength(1);
    expect(parley.output()).not.toContain("MTE2ODk5");
    expect((await fetch(parley.url)).status).toBe(200);
    expect((await fetch(`${parley.url}/healthz`)).status).toBe(200);
  });

  it("is down at the start: it is retried, and answers when it is up", async () => {
    town = await openDiscordTown({ script });
    town.discord.fault("GET /gateway/bot", "503", 6);

    const parley = await town.process(withPage);
    await parley.start("/healthz");
    const before = await ready(parley.url);
    await until("the connection", async () => (await ready(parley.url)).status === 200);
    const asked = town.alice.mention(town.general, "There?");
    await until("the answer", () => town.own(asked.id).length === 1);

    expect(before.status).toBe(503);
    expect(before.text).toContain("discord");
  });

  it("is cut off: /readyz says so until its shard is back", async () => {
    town = await openDiscordTown({ script });
    const parley = await town.parley(withPage);

    town.discord.gateway.refuseNext(3);
    town.discord.gateway.kill();
    await until("the word of it", async () => (await ready(parley.url)).status === 503);
    const said = (await ready(parley.url)).text;
    await until("the connection", async () => (await ready(parley.url)).status === 200);

    expect(said).toContain("discord");
  });
});
