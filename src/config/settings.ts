/**
 * Table of Parley's own settings; platforms have theirs. The Config is parsed with these tables, and `.env.example` and
 * the tables in the documents are generated from them.
 */

import type { SettingTable } from "../ports/platform-module.ts";
import * as is from "./forms.ts";

export const settingGroups = {
  "The agent service": {
    AGENT_SERVICE_URL: {
      form: is.webAddress,
      defaultWords: "the service that Parley carries",
      example: "http://127.0.0.1:47334",
      about: "The agent service.",
    },
    AGENT_SERVICE_TOKEN: {
      form: is.token,
      example: "abcdef0123456789",
      about: "Sent to the service with every request.",
      isSecret: true,
    },
    AGENT_SERVICE_USER: {
      form: is.anyText,
      example: "parley",
      about: "Logs in to the service with AGENT_SERVICE_PASSWORD, and again when the login has run out.",
    },
    AGENT_SERVICE_PASSWORD: {
      form: is.anyText,
      example: "a-long-password",
      about: "The password of AGENT_SERVICE_USER.",
      isSecret: true,
    },
    AGENT_PROJECT: {
      form: is.serviceName,
      default: "mindsdb",
      example: "mindsdb",
      about: "The project whose agents answer.",
    },
    AGENT_DEFAULT: {
      form: is.serviceName,
      defaultWords: "the only agent there is",
      example: "support",
      about: "Who answers where no agent was chosen.",
    },
    AGENT_SCOPE: {
      form: is.oneOf(["bound", "open"]),
      default: "bound",
      example: "open",
      about:
        "Where an agent that is bound to channels answers: only in those and where it is the default (`bound`), or wherever somebody names it (`open`).",
    },
    AGENT_MAX_RUNS: {
      form: is.wholeNumber(1, 10_000),
      defaultWords: "by the kind of service",
      example: "4",
      about: "Questions that the service works on at once; the others wait in line.",
    },
    AGENT_FIRST_CHUNK_SECONDS: {
      form: is.seconds,
      default: "60",
      example: "60",
      about: "How long the service may take to begin an answer.",
    },
    AGENT_SILENCE_SECONDS: {
      form: is.seconds,
      default: "180",
      example: "180",
      about: "How long the service may be silent in the middle of one.",
    },
    AGENT_RUN_SECONDS: {
      form: is.seconds,
      default: "900",
      example: "900",
      about: "How long an answer may take in all.",
    },
    AGENT_INSERT_SECONDS: {
      form: is.seconds,
      default: "3600",
      example: "3600",
      about: "How long the service may take to add content to a knowledge base.",
    },
  },
  "The server": {
    HOST: {
      form: is.hostName,
      default: "127.0.0.1",
      example: "0.0.0.0",
      about: "Where Parley listens: the page, the probes, Slack's HTTP events.",
    },
    PORT: { form: is.wholeNumber(1, 65_535), default: "3000", example: "3000", about: "The port there." },
  },
  "Who may do what": {
    MANAGERS: {
      form: is.roleList,
      defaultWords: "workspace admins",
      example: "slack:U0123, discord:role:456",
      about: "Who may change agents and bindings: `platform:id`, `platform:role:id`, or `*`.",
    },
    INGESTERS: {
      form: is.roleList,
      defaultWords: "full members",
      example: "slack:U0123, discord:role:456",
      about: "Who may add to knowledge bases.",
    },
    ASKERS: {
      form: is.roleList,
      defaultWords: "full members and guests",
      example: "*",
      about: "Who may ask.",
    },
    WORKSPACES: {
      form: is.platformList,
      defaultWords: "Slack's workspace, and one Discord server",
      example: "slack:T0123, discord:123456789012345678",
      about:
        "The only workspaces that are served; `*` for all. Without a Discord server in it, DISCORD_GUILD_ID is served, else the one server that the bot was in at its first start.",
    },
    ANSWER_BOTS: {
      form: is.platformList,
      defaultWords: "none",
      example: "slack:B0123",
      about: "Bots that are answered: `platform:id`, or `*`.",
    },
    QUESTIONS_PER_PERSON: {
      form: is.wholeNumber(1, 100_000),
      default: "60",
      example: "60",
      about: "Questions a minute from one person; beyond that they wait.",
    },
    QUESTIONS_PER_CHANNEL: {
      form: is.wholeNumber(1, 100_000),
      default: "120",
      example: "120",
      about: "Questions a minute in one channel; beyond that they wait.",
    },
    JOBS_PER_PERSON: {
      form: is.wholeNumber(1, 1000),
      default: "2",
      example: "2",
      about: "Ingest jobs that one person may have running at once.",
    },
  },
  "Knowledge bases": {
    INGEST_BY: {
      form: is.oneOf(["auto", "service", "parley"]),
      default: "auto",
      example: "parley",
      about:
        "Who reads web pages: `service`, `parley`, or `auto`, which takes the one that keeps the sources. With `parley`, `by service` in a command is refused.",
    },
    INGEST_ALLOW_PRIVATE: {
      form: is.trueOrFalse,
      default: "false",
      example: "true",
      about: "Whether pages of the internal network may be ingested.",
    },
    INGEST_REQUIRE_DNS: {
      form: is.trueOrFalse,
      default: "false",
      example: "true",
      about: "Whether a name that Parley cannot resolve is refused even when the service does the reading.",
    },
    INGEST_MAX_PAGES: {
      form: is.wholeNumber(1, 10_000),
      default: "500",
      example: "500",
      about: "Pages that one address may lead to, at most.",
    },
    INGEST_MAX_DEPTH: {
      form: is.wholeNumber(0, 20),
      default: "5",
      example: "5",
      about: "Links that a page may be away from the address, at most.",
    },
    SAVE_EMOJI: {
      form: is.anyText,
      default: "📌",
      example: "📌",
      about: "The reaction that saves a message to the knowledge base, as a character or by its name; `off` for none.",
    },
  },
  "Keeping things": {
    DATA_DIR: { form: is.anyText, default: "./data", example: "/var/lib/parley", about: "The folder of the database." },
    REDIS_URL: {
      form: is.redisAddress,
      example: "redis://127.0.0.1:6379",
      about: "Keeps everything in Redis instead, for more than one instance.",
      isSecret: true,
    },
    RETENTION_DAYS: {
      form: is.wholeNumber(1, 36_500),
      default: "90",
      example: "30",
      about: "Conversations that rested for so long are deleted.",
    },
    AUDIT_DAYS: {
      form: is.wholeNumber(1, 36_500),
      default: "365",
      example: "365",
      about: "How long it is kept who changed agents and knowledge bases, and who tried without the role for it.",
    },
    HISTORY_TURNS: {
      form: is.wholeNumber(0, 1000),
      default: "20",
      example: "20",
      about: "Earlier questions of a conversation that the agent is told, at most.",
    },
    HISTORY_CHARS: {
      form: is.wholeNumber(0, 10_000_000),
      default: "60000",
      example: "60000",
      about: "Characters of them, at most; the oldest go first.",
    },
  },
  "The rest": {
    COMMAND_PREFIX: {
      form: is.commandPrefix,
      example: "acme-",
      about: "Goes before each command's name: `/acme-ask`.",
    },
    LOG_LEVEL: {
      form: is.oneOf(["debug", "info", "warn", "error", "silent"]),
      default: "info",
      example: "debug",
      about: "`debug`, `info`, `warn`, `error` or `silent`.",
    },
    HTTP_PROXY: {
      form: is.proxyAddress,
      example: "http://proxy.example.com:3128",
      about: "The proxy for http addresses; one without a scheme is taken for http.",
      isSecret: true,
      hasLowerCaseTwin: true,
    },
    HTTPS_PROXY: {
      form: is.proxyAddress,
      example: "http://proxy.example.com:3128",
      about: "The proxy for https addresses; one without a scheme is taken for http.",
      isSecret: true,
      hasLowerCaseTwin: true,
    },
    NO_PROXY: {
      form: is.anyText,
      defaultWords: "this machine",
      example: "intranet.example.com, .internal",
      about: "Hosts that are reached without the proxy; this machine always is.",
      hasLowerCaseTwin: true,
    },
  },
} as const satisfies Readonly<Record<string, SettingTable>>;
