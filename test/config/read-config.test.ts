import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DiscordConfig } from "../../adapters/discord/index.ts";
import { discordPlatform } from "../../adapters/discord/platform.ts";
import type { SlackConfig } from "../../adapters/slack/index.ts";
import { slackPlatform } from "../../adapters/slack/platform.ts";
import { type Config, ConfigError, readConfig as read } from "../../src/config/config.ts";
import { type Environment, exampleOf, type Setting, settingsWith } from "../../src/config/setting.ts";
import { settingsSchema } from "../../src/config/settings.ts";
import { platformModules } from "../../src/platforms.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

const readConfig = (env: Environment) => read(env, platformModules);

/** What a platform was configured with; undefined when it is off. */
function platformIn<T>({ platforms }: Config, name: string): T | undefined {
  return (platforms.find((platform) => platform.name === name) as { readonly config?: T } | undefined)?.config;
}
const slackIn = (env: Environment) => platformIn<SlackConfig>(readConfig(env), "slack");
const discordIn = (env: Environment) => platformIn<DiscordConfig>(readConfig(env), "discord");
const pageIn = (env: Environment) => platformIn<{ readonly token?: string }>(readConfig(env), "console");

function lineFor(env: Environment): string {
  try {
    readConfig(env);
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message;
    throw thrown;
  }
  return "accepted";
}

describe("readConfig", () => {
  it("needs nothing to be set", () => {
    const config = readConfig({});

    expect(config).toMatchObject({ project: "mindsdb", serviceLimits: { firstChunkMs: 60_000, runMs: 900_000 } });
    expect(config.service.url).toBeUndefined();
    expect(pageIn({})).toEqual({});
    expect(config).toMatchObject({ host: "127.0.0.1", port: 3000, dataDir: "./data" });
    expect([config.publicUrl, config.redisUrl]).toEqual([undefined, undefined]);
    expect(config).toMatchObject({ retentionMs: 90 * 86_400_000, jobsPerPerson: 2 });
    expect(config.questionLimits.questionsPerPersonPerMinute).toBe(60);
  });

  it("gives the defaults of the schemas, which tests use too", () => {
    expect(readConfig({})).toMatchObject(settingsSchema.parse({}));
    expect(slackIn({ SLACK_BOT_TOKEN: "xoxb-1", SLACK_APP_TOKEN: "xapp-1" })).toMatchObject(
      slackPlatform.settings.parse({}),
    );
    expect(discordIn({ DISCORD_TOKEN: "abc" })).toMatchObject(discordPlatform.settings.parse({}));
  });

  it("reads the language model of the built-in service, and its key from a file too", async () => {
    const file = join(await temporaryFolder("model-key"), "key");
    await writeFile(file, "sk-from-a-file\n");

    const config = readConfig({ LOCAL_MODEL_URL: "https://models.example/v1/", LOCAL_MODEL_KEY_FILE: file });

    expect(config.localModel).toEqual({ url: "https://models.example/v1", key: "sk-from-a-file" });
    expect(config.secrets).toContain("sk-from-a-file");
    expect(readConfig({}).localModel.url).toBeUndefined();
  });

  const ofInstalls = ["SLACK_CLIENT_SECRET", "SLACK_STATE_SECRET"];
  it.each([
    { what: "every secret", without: ofInstalls, more: {} },
    { what: "the secrets for many workspaces", without: ["SLACK_BOT_TOKEN"], more: { SLACK_CLIENT_ID: "1.2" } },
  ])("reads $what from a file too, and treats it like one from the environment", async ({ without, more }) => {
    const folder = await temporaryFolder("secrets");
    const secrets = [...settingsWith(platformModules)].filter(
      ([name, { isSecret }]) => isSecret === true && !without.includes(name),
    );
    expect(secrets.map(([name]) => name)).toEqual(expect.arrayContaining(["SLACK_SIGNING_SECRET", "REDIS_URL"]));
    const values = Object.fromEntries(secrets.map(([name, setting]) => [name, exampleOf(setting)]));
    const files = secrets.map(([name]) => [`${name}_FILE`, join(folder, name)] as const);
    await Promise.all(files.map(([, path], at) => writeFile(path, ` ${exampleOf(secrets[at]?.[1] as Setting)}\n`)));
    const needed = { AGENT_SERVICE_URL: "http://h", AGENT_SERVICE_USER: "me", LOCAL_MODEL_URL: "http://h/v1", ...more };
    const others = { OIDC_ISSUER: "https://id.example.com", OIDC_CLIENT_ID: "parley", PUBLIC_URL: "https://p.example" };

    const config = readConfig({ ...needed, ...others, ...Object.fromEntries(files) });

    const given = readConfig({ ...needed, ...others, ...values });
    expect(JSON.stringify(config)).toBe(JSON.stringify(given));
    expect(config.secrets.length).toBeGreaterThan(5);
  });

  it("names the file setting of a secret whose file can't be used, in one line without its content", async () => {
    const folder = await temporaryFolder("secrets");
    const [empty, wrong] = [join(folder, "empty"), join(folder, "wrong")];
    await Promise.all([writeFile(empty, " \n"), writeFile(wrong, "hidden-content")]);
    const slack = (file: string) => lineFor({ SLACK_BOT_TOKEN_FILE: file, SLACK_APP_TOKEN: "xapp-1" });
    const example = "For example SLACK_BOT_TOKEN_FILE=/run/secrets/slack-bot-token";

    expect(slack("/nowhere/token")).toBe(`SLACK_BOT_TOKEN_FILE: names a file that can't be read. ${example}`);
    expect(slack(folder)).toBe(`SLACK_BOT_TOKEN_FILE: names a file that can't be read. ${example}`);
    expect(slack(empty)).toBe(`SLACK_BOT_TOKEN_FILE: names a file that is empty. ${example}`);
    expect(slack(wrong)).toBe(`SLACK_BOT_TOKEN_FILE: names a file whose content must begin with xoxb-. ${example}`);
    expect(slack("")).toContain("SLACK_BOT_TOKEN: ");
  });

  it("reads no file for what isn't a secret", () => {
    expect(lineFor({ PORT_FILE: "/nowhere/port" })).toBe("accepted");
  });

  it("treats an empty value, or only spaces, as not set", () => {
    const { platforms, ...config } = readConfig({ SLACK_BOT_TOKEN: "", PORT: "  ", CONSOLE: "" });
    const { platforms: byDefault, ...defaults } = readConfig({});

    expect(config).toEqual(defaults);
    expect(platforms.map(({ name }) => name)).toEqual(byDefault.map(({ name }) => name));
  });

  it("turns the page off once a platform is connected, unless it is set to on", () => {
    const slack = { SLACK_BOT_TOKEN: "xoxb-1", SLACK_APP_TOKEN: "xapp-1" };

    expect(pageIn(slack)).toBeUndefined();
    expect(pageIn({ DISCORD_TOKEN: "abc" })).toBeUndefined();
    expect(pageIn({ ...slack, CONSOLE: "on" })).toBeDefined();
    expect(pageIn({ ...slack, CONSOLE: "OFF" })).toBeUndefined();
  });

  it("connects Slack by socket with an app token, and by HTTP with a signing secret alone", () => {
    const botToken = { SLACK_BOT_TOKEN: "xoxb-1" };

    expect(slackIn({ ...botToken, SLACK_APP_TOKEN: "xapp-1" })).toEqual({
      botToken: "xoxb-1",
      intake: { kind: "socket", appToken: "xapp-1" },
      apiUrl: "https://slack.com/api",
    });
    expect(slackIn({ ...botToken, SLACK_SIGNING_SECRET: "s" })?.intake).toEqual({
      kind: "http",
      signingSecret: "s",
    });
    expect(slackIn({ ...botToken, SLACK_SIGNING_SECRET: "s", SLACK_APP_TOKEN: "xapp-1" })?.intake.kind).toBe("socket");
  });

  it("confines agents to their channels by default", () => {
    expect(readConfig({}).agentScope).toBe("bound");
    expect(readConfig({ AGENT_SCOPE: "OPEN" }).agentScope).toBe("open");
  });

  it("drops the slash at the end of URLs", () => {
    const config = readConfig({ AGENT_SERVICE_URL: "http://agents.example.com:47334/base/", DISCORD_TOKEN: "abc" });

    expect(config.service.url).toBe("http://agents.example.com:47334/base");
    expect(platformIn<DiscordConfig>(config, "discord")?.apiUrl).toBe("https://discord.com/api");
  });

  it("reads lists of people, roles and everyone", () => {
    const config = readConfig({ MANAGERS: "slack:U123, discord:role:456 ,", ASKERS: "*", WORKSPACES: "slack:T1" });

    expect(config.roles.managers).toEqual([
      { platform: "slack", kind: "user", id: "U123" },
      { platform: "discord", kind: "role", id: "456" },
    ]);
    expect(config.roles.askers).toEqual(["*"]);
    expect(config.roles.ingesters).toBeUndefined();
    expect(config.workspaces).toEqual([{ platform: "slack", id: "T1" }]);
  });

  it("reads what people may do in one workspace, and which project it has", () => {
    const { roles, workspaceProjects } = readConfig({
      MANAGERS: "slack:T1/U1, discord:12345/role:45678, slack:T1/console:ana@acme.example",
      WORKSPACE_PROJECTS: "slack:T1=acme , discord:12345 = my project",
    });

    expect(roles.managers).toEqual([
      { platform: "slack", workspace: "T1", kind: "user", id: "U1" },
      { platform: "discord", workspace: "12345", kind: "role", id: "45678" },
      { platform: "slack", workspace: "T1", kind: "user", id: "console:ana@acme.example" },
    ]);
    expect(workspaceProjects).toEqual([
      { platform: "slack", id: "T1", project: "acme" },
      { platform: "discord", id: "12345", project: "my project" },
    ]);
  });

  it("serves the Discord servers of WORKSPACES, else DISCORD_GUILD_ID, else the one of the first start", () => {
    const servers = (env: Environment) => discordIn({ DISCORD_TOKEN: "abc", ...env })?.servers;
    const guild = { DISCORD_GUILD_ID: "12345" };

    expect(servers({ WORKSPACES: "slack:T1, discord:67890, discord:67891", ...guild })).toEqual(["67890", "67891"]);
    expect(servers({ WORKSPACES: "slack:T1", ...guild })).toEqual(["12345"]);
    expect(servers(guild)).toEqual(["12345"]);
    expect(servers({ WORKSPACES: "slack:T1" })).toBeUndefined();
    expect(servers({})).toBeUndefined();
    expect(servers({ WORKSPACES: "*", ...guild })).toBe("*");
  });

  it("accepts proxies under both spellings and never sends this machine's own addresses through them", () => {
    const config = readConfig({ https_proxy: "proxy.example.com:3128", NO_PROXY: "intranet.example.com" });

    expect(config.proxy).toEqual({
      httpsProxy: "http://proxy.example.com:3128/",
      noProxy: "localhost,127.0.0.1,::1,intranet.example.com",
    });
    expect(readConfig({ NO_PROXY: "intranet.example.com" }).proxy).toBeUndefined();
  });

  it("sends nothing to another loopback address through a proxy either, for the service or a platform", () => {
    const { proxy } = readConfig({
      HTTP_PROXY: "http://proxy.example.com:3128",
      AGENT_SERVICE_URL: "http://127.0.0.2:47334",
      LOCAL_MODEL_URL: "http://127.3.4.5/v1",
      SLACK_API_URL: "http://[0::1]:4000/api",
      DISCORD_API_URL: "https://127.example.com/api",
    });

    expect(proxy?.noProxy?.split(",").sort()).toEqual(["127.0.0.1", "127.0.0.2", "127.3.4.5", "::1", "localhost"]);
  });

  it("lets the page be reached from elsewhere with a token, and listens anywhere without the page", () => {
    expect(readConfig({ HOST: "0.0.0.0", CONSOLE_TOKEN: "sixteen-letters-" }).host).toBe("0.0.0.0");
    expect(pageIn({ HOST: "0.0.0.0", CONSOLE: "off", DISCORD_TOKEN: "abc" })).toBeUndefined();
    expect(pageIn({ HOST: "127.1.2.3" })).toEqual({});
    expect(readConfig({ HOST: "[::1]" }).host).toBe("::1");
  });
});

describe("the secrets of a Config", () => {
  it("are the tokens, and of addresses the password alone", () => {
    const config = readConfig({ DISCORD_TOKEN: "abc.def", REDIS_URL: "redis://:hunter22@cache.example.com:6379" });

    expect(config.secrets).toEqual(["abc.def", "hunter22"]);
  });
});

describe("a setting that is wrong in form", () => {
  it.each<[string, Environment, string]>([
    ["a bot token alone", { SLACK_BOT_TOKEN: "xoxb-1" }, "SLACK_APP_TOKEN: is missing"],
    ["an app token alone", { SLACK_APP_TOKEN: "xapp-1" }, "SLACK_BOT_TOKEN: is missing"],
    ["a signing secret alone", { SLACK_SIGNING_SECRET: "abc" }, "SLACK_BOT_TOKEN: is missing"],
    [
      "a user token",
      { SLACK_BOT_TOKEN: "xoxp-1", SLACK_APP_TOKEN: "xapp-1" },
      "SLACK_BOT_TOKEN: must begin with xoxb-",
    ],
    [
      "swapped tokens",
      { SLACK_BOT_TOKEN: "xoxb-1", SLACK_APP_TOKEN: "xoxb-1" },
      "SLACK_APP_TOKEN: must begin with xapp-",
    ],
    [
      "a token that is its prefix",
      { SLACK_BOT_TOKEN: "xoxb-", SLACK_APP_TOKEN: "xapp-1" },
      "SLACK_BOT_TOKEN: must begin",
    ],
    ["a Discord token with its scheme", { DISCORD_TOKEN: "Bot abc" }, "DISCORD_TOKEN: must be a single token"],
    ["a server without a bot", { DISCORD_GUILD_ID: "123456789" }, "DISCORD_TOKEN: is missing"],
    ["a server by name", { DISCORD_TOKEN: "abc", DISCORD_GUILD_ID: "acme" }, "DISCORD_GUILD_ID: must be an ID"],
    [
      "an intent that is neither on nor off",
      { DISCORD_MESSAGE_CONTENT: "perhaps" },
      "DISCORD_MESSAGE_CONTENT: must be true",
    ],
    ["a host that is no address", { HOST: "999.1.1.1", CONSOLE: "off" }, "HOST: must be an IP address or a host name"],
    ["a host with a zone", { HOST: "fe80::1%eth0", CONSOLE: "off" }, "HOST: must be an IP address or a host name"],
    ["an open page without a token", { HOST: "0.0.0.0" }, "CONSOLE_TOKEN: is missing"],
    ["a token that can be guessed", { CONSOLE_TOKEN: "x" }, "CONSOLE_TOKEN: must have at least 16 characters"],
    ["a token one short", { CONSOLE_TOKEN: "fifteen-letters" }, "CONSOLE_TOKEN: must have at least 16 characters"],
    ["all addresses of IPv6", { HOST: "::" }, "CONSOLE_TOKEN: is missing"],
    ["a name that is not this machine", { HOST: "127.example.com" }, "CONSOLE_TOKEN: is missing"],
    ["a host with a port", { HOST: "127.0.0.1:3000" }, "HOST: must be an IP address or a host name"],
    [
      "an id without a platform",
      { MANAGERS: "slack:U1, U123" },
      "MANAGERS: entry 2 must be *, platform:id or platform:role:id",
    ],
    ["a platform without an id", { INGESTERS: "slack:" }, "INGESTERS: entry 1 must be *,"],
    ["a kind that is no role", { ASKERS: "slack:group:S1" }, "ASKERS: entry 1 isn't a valid slack ID"],
    ["a role without an id", { ASKERS: "discord:role:" }, "ASKERS: entry 1 isn't a valid discord ID"],
    ["a list of nothing", { ASKERS: ", ," }, "ASKERS: must have at least one entry"],
    ["a role among workspaces", { WORKSPACES: "discord:role:1" }, "WORKSPACES: entry 1 isn't a valid discord ID"],
    ["a platform that there is not", { MANAGERS: "slack:U1, slak:U1" }, "MANAGERS: entry 2 names an unknown platform"],
    [
      "a platform named like an object's own",
      { WORKSPACES: "constructor:1" },
      "WORKSPACES: entry 1 names an unknown platform",
    ],
    [
      "a workspace without a project",
      { WORKSPACE_PROJECTS: "slack:T1" },
      "WORKSPACE_PROJECTS: entry 1 must be platform:id=project",
    ],
    [
      "an empty project",
      { WORKSPACE_PROJECTS: "slack:T1=" },
      "WORKSPACE_PROJECTS: entry 1 must be platform:id=project",
    ],
    [
      "a project for no workspace",
      { WORKSPACE_PROJECTS: "slack:=acme" },
      "WORKSPACE_PROJECTS: entry 1 must be platform:id=project",
    ],
    [
      "a workspace without its platform",
      { WORKSPACE_PROJECTS: "T1=acme" },
      "WORKSPACE_PROJECTS: entry 1 must be platform:id=project",
    ],
    [
      "a project that can't be",
      { WORKSPACE_PROJECTS: "slack:T1=a/b" },
      "WORKSPACE_PROJECTS: entry 1 must be platform:id=project",
    ],
    ["a project for all", { WORKSPACE_PROJECTS: "*=acme" }, "WORKSPACE_PROJECTS: entry 1 must be platform:id=project"],
    [
      "every workspace at once",
      { WORKSPACE_PROJECTS: "*" },
      "WORKSPACE_PROJECTS: must name each workspace as platform:id=project",
    ],
    [
      "a workspace twice",
      { WORKSPACE_PROJECTS: "slack:T1=a, slack:T1=b" },
      "WORKSPACE_PROJECTS: names a workspace twice",
    ],
    ["no workspace", { WORKSPACE_PROJECTS: "," }, "WORKSPACE_PROJECTS: must have at least one entry"],
    [
      "a workspace of no platform",
      { WORKSPACE_PROJECTS: "slak:T1=a" },
      "WORKSPACE_PROJECTS: entry 1 names an unknown platform",
    ],
    [
      "a workspace by name",
      { WORKSPACE_PROJECTS: "discord:acme=a" },
      "WORKSPACE_PROJECTS: entry 1 isn't a valid discord ID",
    ],
    ["a person in a workspace that can't be", { MANAGERS: "slack:t1/U1" }, "MANAGERS: entry 1 isn't a valid slack ID"],
    ["a person in a workspace of the page", { MANAGERS: "console:a/b" }, "MANAGERS: entry 1 isn't a valid console ID"],
    ["a person by name", { ASKERS: "slack:alice" }, "ASKERS: entry 1 isn't a valid slack ID"],
    ["a server by what it is called", { WORKSPACES: "discord:acme" }, "WORKSPACES: entry 1 isn't a valid discord ID"],
    [
      "roles where there are none",
      { MANAGERS: "slack:role:S1" },
      "MANAGERS: entry 1 names a role, but slack has no roles",
    ],
    ["nobody who could ask", { CONSOLE: "off" }, "CONSOLE: is off and no chat platform is set"],
    ["two names for a project", { AGENT_PROJECT: "a/b" }, "AGENT_PROJECT: must be a name"],
    ["a project that is a step up", { AGENT_PROJECT: ".." }, "AGENT_PROJECT: must be a name"],
    ["a name in quotation marks", { AGENT_DEFAULT: '"support"' }, "AGENT_DEFAULT: must be a name"],
    ["a bot by name", { ANSWER_BOTS: "helper" }, "ANSWER_BOTS: entry 1 must be * or platform:id"],
    ["a port that is a word", { PORT: "http" }, "PORT: must be a whole number from 1 to 65535"],
    ["a port that nobody could be told", { PORT: "0" }, "PORT: must be a whole number from 1"],
    ["a port that does not exist", { PORT: "70000" }, "PORT: must be a whole number"],
    ["reviews after half a day", { ANSWER_REVIEW_DAYS: "0.5" }, "ANSWER_REVIEW_DAYS: must be a whole number"],
    ["reviews after less than no time", { ANSWER_REVIEW_DAYS: "-1" }, "ANSWER_REVIEW_DAYS: must be a whole number"],
    ["reviews after eleven years", { ANSWER_REVIEW_DAYS: "4000" }, "ANSWER_REVIEW_DAYS: must be a whole number"],
    ["half a day", { RETENTION_DAYS: "0.5" }, "RETENTION_DAYS: must be a whole number"],
    ["a negative limit", { AGENT_RUN_SECONDS: "-1" }, "AGENT_RUN_SECONDS: must be a whole number"],
    ["no runs at all", { AGENT_MAX_RUNS: "0" }, "AGENT_MAX_RUNS: must be a whole number from 1"],
    ["an address without its scheme", { AGENT_SERVICE_URL: "localhost:47334" }, "AGENT_SERVICE_URL: must be a URL"],
    ["an address of another kind", { AGENT_SERVICE_URL: "ftp://host" }, "AGENT_SERVICE_URL: must be a URL"],
    ["an address with a login", { AGENT_SERVICE_URL: "http://me:pass@host" }, "AGENT_SERVICE_URL: must not contain"],
    ["a path like Parley's own", { PUBLIC_URL: "https://x.example/docs" }, "PUBLIC_URL: must not have the path /docs"],
    ["a path that begins like it", { PUBLIC_URL: "https://x.example/api/chat" }, "PUBLIC_URL: must not have the path"],
    ["a path without an end", { PUBLIC_URL: "https://x.example/a/b/c/d/e/f" }, "PUBLIC_URL: must have a path"],
    ["a path with a comma", { PUBLIC_URL: "https://x.example/a,b" }, "PUBLIC_URL: must have a path of letters"],
    ["a path with an escape", { PUBLIC_URL: "https://x.example/a%2fb" }, "PUBLIC_URL: must have a path of letters"],
    ["a path with an empty folder", { PUBLIC_URL: "https://x.example/a//b" }, "PUBLIC_URL: must have a path"],
    [
      "a user without a password",
      { AGENT_SERVICE_URL: "http://h", AGENT_SERVICE_USER: "me" },
      "AGENT_SERVICE_PASSWORD: is",
    ],
    [
      "a password without a user",
      { AGENT_SERVICE_URL: "http://h", AGENT_SERVICE_PASSWORD: "p" },
      "AGENT_SERVICE_USER: is",
    ],
    ["a model without its endpoint", { LOCAL_MODEL: "small" }, "LOCAL_MODEL_URL: is missing, but LOCAL_MODEL is set"],
    [
      "two keys of a model",
      { LOCAL_MODEL_URL: "http://h/v1", LOCAL_MODEL_KEY: "k", LOCAL_MODEL_KEY_FILE: "/k" },
      "LOCAL_MODEL_KEY_FILE: is set, but so is LOCAL_MODEL_KEY",
    ],
    [
      "a key in a file that isn't there",
      { LOCAL_MODEL_URL: "http://h/v1", LOCAL_MODEL_KEY_FILE: "/nowhere/key" },
      "LOCAL_MODEL_KEY_FILE: names a file that can't be read. For example LOCAL_MODEL_KEY_FILE=/run/secrets/",
    ],
    ["a login to no service", { AGENT_SERVICE_TOKEN: "abc" }, "AGENT_SERVICE_URL: is missing"],
    ["the API of no service", { AGENT_SERVICE_KIND: "chat" }, "AGENT_SERVICE_URL: is missing"],
    [
      "an unknown API",
      { AGENT_SERVICE_URL: "http://h", AGENT_SERVICE_KIND: "openai" },
      "AGENT_SERVICE_KIND: must be mindsdb, responses or chat",
    ],
    [
      "a user of an API without users",
      {
        AGENT_SERVICE_URL: "http://h",
        AGENT_SERVICE_KIND: "chat",
        AGENT_SERVICE_USER: "me",
        AGENT_SERVICE_PASSWORD: "p",
      },
      "AGENT_SERVICE_TOKEN: is needed instead of AGENT_SERVICE_USER, because a service of the kind chat has no users",
    ],
    ["a Redis address of another kind", { REDIS_URL: "http://127.0.0.1:6379" }, "REDIS_URL: must be a URL"],
    ["an unknown level", { LOG_LEVEL: "loud" }, "LOG_LEVEL: must be debug, info, warn, error or silent"],
    ["an unknown switch", { CONSOLE: "maybe" }, "CONSOLE: must be on or off"],
    ["an unknown scope", { AGENT_SCOPE: "closed" }, "AGENT_SCOPE: must be bound or open"],
    ["an unknown way", { INGEST_BY: "magic" }, "INGEST_BY: must be auto, service or parley"],
    ["a prefix with a slash", { COMMAND_PREFIX: "/acme" }, "COMMAND_PREFIX: must be 1 to 20"],
    ["a proxy that is its port", { HTTP_PROXY: "3128" }, "HTTP_PROXY: must be a URL"],
    ["a proxy with a path", { HTTPS_PROXY: "http://proxy:3128/pac" }, "HTTPS_PROXY: must not contain a path"],
    ["a proxy of another kind", { HTTP_PROXY: "socks5://127.0.0.1:1080" }, "HTTP_PROXY: must be a URL"],
  ])("refuses %s", (_, env, beginning) => {
    const line = lineFor(env);

    expect(line.slice(0, beginning.length)).toBe(beginning);
    expect(line).not.toContain("\n");
    expect(line).toMatch(/ For example [A-Z_]+=\S/);
  });

  it("names the others that are wrong too", () => {
    expect(lineFor({ PORT: "x", LOG_LEVEL: "x" })).toMatch(/^PORT: .* \(Also wrong: LOG_LEVEL\.\)$/);
  });

  it("accepts names as services have them", () => {
    expect(readConfig({ AGENT_PROJECT: "My project-2", AGENT_DEFAULT: "a.b" })).toMatchObject({
      project: "My project-2",
      defaultAgent: "a.b",
    });
  });

  it("says once that a setting is wrong, not also that it is missing", () => {
    expect(lineFor({ SLACK_BOT_TOKEN: "xoxb-1", SLACK_APP_TOKEN: "wrong" })).not.toContain("Also wrong");
  });

  it("never repeats a value, whichever variable a secret was pasted into", () => {
    const secret = "xoxp-pasted secret";

    for (const name of [
      "SLACK_BOT_TOKEN",
      "DISCORD_TOKEN",
      "PORT",
      "MANAGERS",
      "CONSOLE",
      "CONSOLE_TOKEN",
      "HOST",
      "AGENT_SERVICE_URL",
    ]) {
      const line = lineFor({ [name]: secret });
      expect(line).toContain(name);
      expect(line).not.toContain("pasted");
    }
  });
});
