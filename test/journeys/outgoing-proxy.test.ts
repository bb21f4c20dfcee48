/** A Parley that reaches the world only through a proxy: the sign-in provider, Slack, Discord and the agent service. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConnectProxy, startConnectProxy } from "../doubles/network/connect-proxy.ts";
import { client, createWalker, startSignInProvider } from "../doubles/network/sign-in-provider.ts";
import { createParleyProcess, type ParleyProcess } from "../doubles/processes/parley-process.ts";
import { answers25 } from "../doubles/service/scripted-answers.ts";
import { type ScriptedService, startScriptedService } from "../doubles/service/scripted-service.ts";
import { until } from "../doubles/until.ts";
import { type FakeDiscord, startFakeDiscord, token } from "../fakes/discord/index.ts";
import { botId, guildId, textOf } from "../fakes/discord/world.ts";
import { appToken, botToken, type FakeSlack, startFakeSlack } from "../fakes/slack/index.ts";

const issuer = "https://login.acme.example";
const answer = "At two o'clock.";

describe("behind a proxy for outgoing requests", () => {
  let proxy: ConnectProxy;
  let provider: Awaited<ReturnType<typeof startSignInProvider>>;
  let slack: FakeSlack;
  let discord: FakeDiscord;
  let service: ScriptedService;
  let parley: ParleyProcess;

  beforeAll(async () => {
    slack = await startFakeSlack();
    discord = await startFakeDiscord();
    service = await startScriptedService((run) => answers25({ question: run.question, answer }));
    proxy = await startConnectProxy({
      "login.acme.example": () => `http://127.0.0.1:${provider.port}`,
      "slack.acme.example": () => new URL(slack.apiUrl).origin,
      "discord.acme.example": () => new URL(discord.apiUrl).origin,
      "agents.acme.example": () => service.url,
    });
    parley = await createParleyProcess(({ port }) => ({
      CONSOLE: "on",
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: client.clientId,
      OIDC_CLIENT_SECRET: client.clientSecret,
      OIDC_MANAGERS: "groups:parley-admins",
      SLACK_API_URL: "https://slack.acme.example/api",
      SLACK_BOT_TOKEN: botToken,
      SLACK_APP_TOKEN: appToken,
      DISCORD_API_URL: "https://discord.acme.example/api",
      DISCORD_TOKEN: token,
      DISCORD_GUILD_ID: guildId,
      AGENT_SERVICE_URL: "https://agents.acme.example",
      AGENT_DEFAULT: "support",
      HTTPS_PROXY: proxy.url,
      NODE_EXTRA_CA_CERTS: proxy.certificateFile,
    }));
    provider = await startSignInProvider(
      { ana: { name: "Ana", groups: ["parley-admins"] } },
      parley.url,
      undefined,
      issuer,
    );
    await parley.start();
  });
  afterAll(async () => {
    await parley?.close();
    await proxy?.stop();
    await provider?.stop();
    await service?.close();
    await discord?.stop();
    await slack?.stop();
  });

  it("someone signs in at the provider", async () => {
    // The browser reaches the provider in its own way.
    const walker = createWalker((url, { headers, ...init }) =>
      url.startsWith(issuer)
        ? fetch(url.replace(issuer, `http://127.0.0.1:${provider.port}`), {
            ...init,
            headers: { ...(headers as object), "x-forwarded-host": new URL(issuer).host, "x-forwarded-proto": "https" },
          })
        : fetch(url, { ...init, ...(headers === undefined ? {} : { headers }) }),
    );
    const before = proxy.connections.length;

    const { response } = await walker.signIn(parley.url, "ana");
    const { text } = await walker.visit(`${parley.url}/api/me`);

    expect(response.status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ name: "Ana", role: "manage" });
    expect(proxy.connections.slice(before)).toContain("login.acme.example:443");
  });

  it("a question in Slack is answered", async () => {
    const { ts } = slack.person("U0ALICE").mention("C0GENERAL", "When does the backup run?");
    await until("the answer", () =>
      slack.world.thread("C0GENERAL", ts).some(({ bot_id, ...message }) => {
        return bot_id !== undefined && JSON.stringify(message).includes(answer);
      }),
    );

    expect(slack.deliveries.sockets.size).toBe(1);
    expect(proxy.connections).toContain("slack.acme.example:443");
    expect(proxy.connections).toContain("agents.acme.example:443");
  });

  it("a question in Discord is answered", async () => {
    await until("the commands", () => discord.registrations.length > 0);
    discord.human("Alice").mention(discord.world.channel("general"), "When does the backup run?");
    await until("the answer", () =>
      [...discord.world.messages.values()].some((one) => one.authorId === botId && textOf(one).includes(answer)),
    );

    expect(proxy.connections).toContain("discord.acme.example:443");
    expect(proxy.plain).toEqual([]);
  });
});
