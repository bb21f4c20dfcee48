/**
 * Table of Parley's own settings; platforms have theirs. The Config is parsed with these tables, and `.env.example` and
 * the tables in the documents are generated from them. It is one file, because its order is the order of those tables.
 */
import type { SettingTable } from "../ports/platform-module.ts";
import * as is from "./formats.ts";

export const settingGroups = {
  "The agent service": {
    AGENT_SERVICE_URL: {
      format: is.webUrl,
      defaultWords: "the built-in service",
      example: "http://127.0.0.1:47334",
      about: "URL of the agent service, with or without the `/v1` of its API.",
    },
    AGENT_SERVICE_KIND: {
      format: is.oneOf(["mindsdb", "responses", "chat"]),
      defaultWords: "detected",
      example: "chat",
      about: "API that the service has: `mindsdb`, `responses` (OpenAI's Responses API) or `chat` (Chat Completions).",
    },
    AGENT_SERVICE_TOKEN: {
      format: is.token,
      example: "abcdef0123456789",
      about: "Token sent to the service with every request.",
      isSecret: true,
    },
    AGENT_SERVICE_USER: {
      format: is.anyText,
      example: "parley",
      about:
        "User to log in to the service as, with AGENT_SERVICE_PASSWORD. Parley logs in again when the session expires.",
    },
    AGENT_SERVICE_PASSWORD: {
      format: is.anyText,
      example: "a-long-password",
      about: "Password of AGENT_SERVICE_USER.",
      isSecret: true,
    },
    AGENT_PROJECT: {
      format: is.serviceName,
      default: "mindsdb",
      about: "Project whose agents answer.",
    },
    AGENT_DEFAULT: {
      format: is.serviceName,
      defaultWords: "the only agent",
      example: "support",
      about: "Agent that answers where none is set.",
    },
    APPROVERS: {
      format: is.oneOf(["asker", "manage"]),
      default: "asker",
      example: "manage",
      about:
        "Who approves or denies what an agent wants to do with a tool, where its service asks for that: the person who asked (`asker`), or people who manage Parley (`manage`).",
    },
    AGENT_SCOPE: {
      format: is.oneOf(["bound", "open"]),
      default: "bound",
      example: "open",
      about:
        "Where an agent that is assigned to channels answers: only there and where it is the default (`bound`), or everywhere that someone names it (`open`).",
    },
    AGENT_MAX_RUNS: {
      format: is.wholeNumber(1, 10_000),
      defaultWords: "depends on the service",
      example: "4",
      about: "Most questions that the service answers at once; the others wait.",
    },
    AGENT_FIRST_CHUNK_SECONDS: {
      format: is.seconds,
      default: "60",
      about: "Time limit for the service to start an answer.",
    },
    AGENT_SILENCE_SECONDS: {
      format: is.seconds,
      default: "180",
      about: "Longest silence of the service during an answer.",
    },
    AGENT_RUN_SECONDS: {
      format: is.seconds,
      default: "900",
      about: "Time limit for a whole answer.",
    },
    AGENT_INSERT_SECONDS: {
      format: is.seconds,
      default: "3600",
      about: "Time limit for the service to add content to a knowledge base.",
    },
  },
  "The built-in service": {
    LOCAL_MODEL_URL: {
      format: is.webUrl,
      defaultWords: "none: it quotes",
      example: "http://127.0.0.1:11434/v1",
      about:
        "Endpoint of a language model (Chat Completions or Responses), with or without `/v1`. The built-in service's agents then answer in its words, from the passages they find.",
    },
    LOCAL_MODEL: {
      format: is.anyText,
      defaultWords: "the first it lists",
      example: "qwen3:8b",
      about: "Model that writes, unless an agent names another one of the endpoint.",
    },
    LOCAL_MODEL_KEY: {
      format: is.token,
      example: "sk-0123456789abcdef",
      about: "Key of the endpoint.",
      isSecret: true,
    },
    LOCAL_MODEL_KEY_FILE: {
      format: is.anyText,
      example: "/run/secrets/local-model-key",
      about: "File to read the key from instead.",
    },
    LOCAL_EMBEDDING_MODEL: {
      format: is.anyText,
      defaultWords: "none: words alone",
      example: "nomic-embed-text",
      about: "Embedding model of the endpoint. Passages are then found by meaning too.",
    },
    LOCAL_RERANK_MODEL: {
      format: is.anyText,
      defaultWords: "none",
      example: "bge-reranker-v2-m3",
      about: "Rerank model of the endpoint (`POST /rerank`). It orders the passages found, and says which ones answer.",
    },
  },
  "The server": {
    HOST: {
      format: is.hostName,
      default: "127.0.0.1",
      example: "0.0.0.0",
      about: "Address to listen on, for the page, the health probes and Slack's HTTP events.",
    },
    PUBLIC_URL: {
      format: is.publicUrl,
      example: "https://parley.example.com",
      about:
        "URL at which people reach Parley, for its links, cookies and sign-in. It may have a path (`https://example.com/parley`), which a proxy can strip or pass on. Without it, links to the page and the documents are shown on the page only.",
    },
    PORT: { format: is.wholeNumber(1, 65_535), default: "3000", about: "Port to listen on." },
  },
  Access: {
    MANAGERS: {
      format: is.roleList,
      defaultWords: "workspace admins",
      example: "slack:U0123, discord:role:456",
      about: "Who can manage agents and settings: `platform:id`, `platform:role:id` or `*`.",
    },
    INGESTERS: {
      format: is.roleList,
      defaultWords: "full members",
      example: "slack:U0123, discord:role:456",
      about: "Who can add to knowledge bases.",
    },
    ASKERS: {
      format: is.roleList,
      defaultWords: "full members and guests",
      example: "*",
      about: "Who can ask.",
    },
    WORKSPACES: {
      format: is.platformList,
      defaultWords: "the Slack workspace and one Discord server",
      example: "slack:T0123, discord:123456789012345678",
      about:
        "The only workspaces that Parley serves; `*` for all. If no Discord server is listed, Parley serves DISCORD_GUILD_ID, or else the server that the bot was in at its first start.",
    },
    ANSWER_BOTS: {
      format: is.platformList,
      defaultWords: "none",
      example: "slack:B0123",
      about: "Bots whose messages Parley answers: `platform:id` or `*`.",
    },
    QUESTIONS_PER_PERSON: {
      format: is.wholeNumber(1, 100_000),
      default: "60",
      about: "Questions per minute and person; more have to wait.",
    },
    QUESTIONS_PER_CHANNEL: {
      format: is.wholeNumber(1, 100_000),
      default: "120",
      about: "Questions per minute and channel; more have to wait.",
    },
    JOBS_PER_PERSON: {
      format: is.wholeNumber(1, 1000),
      default: "2",
      about: "Ingest jobs that one person can run at once.",
    },
  },
  "Knowledge bases": {
    INGEST_BY: {
      format: is.oneOf(["auto", "service", "parley"]),
      default: "auto",
      example: "parley",
      about:
        "Who fetches web pages: `service`, `parley`, or `auto`: Parley for built-in knowledge bases, else the one that preserves source links. With `parley`, commands can't choose `by service`.",
    },
    INGEST_ALLOW_PRIVATE: {
      format: is.trueOrFalse,
      default: "false",
      example: "true",
      about: "Whether pages of the internal network can be ingested.",
    },
    INGEST_REQUIRE_DNS: {
      format: is.trueOrFalse,
      default: "false",
      example: "true",
      about: "Whether to refuse a host that Parley can't resolve, even if the service fetches the page.",
    },
    INGEST_MAX_PAGES: {
      format: is.wholeNumber(1, 10_000),
      default: "500",
      about: "Most pages per URL.",
    },
    INGEST_MAX_DEPTH: {
      format: is.wholeNumber(0, 20),
      default: "5",
      about: "Maximum link depth.",
    },
    SOURCE_OLD_DAYS: {
      format: is.wholeNumber(1, 36_500),
      default: "365",
      about: "A source that was last read more days ago than this is marked with its month.",
    },
    ANSWER_REVIEW_DAYS: {
      format: is.wholeNumber(0, 3650),
      default: "180",
      example: "90",
      about: "Parley asks the author of an added answer after this many days whether it still holds; 0 for never.",
    },
    SAVE_EMOJI: {
      format: is.anyText,
      default: "📌",
      about: "Reaction that saves a message to the knowledge base, as a character or a name; `off` for none.",
    },
  },
  Storage: {
    DATA_DIR: { format: is.anyText, default: "./data", example: "/var/lib/parley", about: "Folder of the database." },
    REDIS_URL: {
      format: is.redisUrl,
      example: "redis://127.0.0.1:6379",
      about: "Stores everything in Redis instead, for running several instances.",
      isSecret: true,
    },
    RETENTION_DAYS: {
      format: is.wholeNumber(1, 36_500),
      default: "90",
      example: "30",
      about: "Idle conversations are deleted after this many days.",
    },
    AUDIT_DAYS: {
      format: is.wholeNumber(1, 36_500),
      default: "365",
      about: "Days to keep the audit log (changes and refused attempts).",
    },
    LOG_PRIVATE: {
      format: is.trueOrFalse,
      default: "false",
      example: "true",
      about:
        "Whether people who manage Parley can read, on its admin pages and in what these export, what others asked in private channels and direct messages.",
    },
    HISTORY_TURNS: {
      format: is.wholeNumber(0, 1000),
      default: "20",
      about: "Most earlier questions sent to the agent.",
    },
    HISTORY_CHARS: {
      format: is.wholeNumber(0, 10_000_000),
      default: "60000",
      about: "Most characters of history; the oldest questions are dropped first.",
    },
  },
  Other: {
    NOTIFY_AFTER_SECONDS: {
      format: is.wholeNumber(0, 86_400),
      default: "60",
      about: "Parley tells the asker that an answer is ready if it took longer than this; 0 for never.",
    },
    TIME_ZONE: {
      format: is.timeZone,
      default: "UTC",
      example: "Europe/Berlin",
      about: "Time zone of schedules, except for people whose time zone Slack provides.",
    },
    COMMAND_PREFIX: {
      format: is.commandPrefix,
      example: "acme-",
      about: "Prefix for every command: `/acme-ask`.",
    },
    LOG_LEVEL: {
      format: is.oneOf(["debug", "info", "warn", "error", "silent"]),
      default: "info",
      example: "debug",
      about: "Log level: `debug`, `info`, `warn`, `error` or `silent`.",
    },
    HTTP_PROXY: {
      format: is.proxyUrl,
      example: "http://proxy.example.com:3128",
      about: "Proxy for http URLs. Without a scheme, http is assumed.",
      isSecret: true,
      hasLowerCaseTwin: true,
    },
    HTTPS_PROXY: {
      format: is.proxyUrl,
      example: "http://proxy.example.com:3128",
      about: "Proxy for https URLs. Without a scheme, http is assumed.",
      isSecret: true,
      hasLowerCaseTwin: true,
    },
    NO_PROXY: {
      format: is.anyText,
      defaultWords: "this machine",
      example: "intranet.example.com, .internal",
      about: "Hosts to reach without the proxy; this machine always is.",
      hasLowerCaseTwin: true,
    },
  },
} as const satisfies Readonly<Record<string, SettingTable>>;
