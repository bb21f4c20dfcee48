/**
 * Parley's own settings, one object a section of the settings page; platforms have theirs. Everything else about a
 * setting comes from here: parsing, types, the documents, `.env.example` and the page System. A group such as `history`
 * is what one part of Parley takes as a whole.
 */
import { z } from "zod";
import * as is from "./formats.ts";

const agentService = z.object({
  service: z
    .object({
      url: is.webUrl.optional().meta({
        env: "AGENT_SERVICE_URL",
        defaultWords: "the built-in service",
        example: "http://127.0.0.1:47334",
        about: "URL of the agent service, with or without the `/v1` of its API.",
      }),
      kind: is.oneOf(["mindsdb", "responses", "chat"]).optional().meta({
        env: "AGENT_SERVICE_KIND",
        defaultWords: "detected",
        example: "chat",
        about:
          "API that the service has: `mindsdb`, `responses` (OpenAI's Responses API) or `chat` (Chat Completions).",
      }),
      token: is.token.optional().meta({
        env: "AGENT_SERVICE_TOKEN",
        example: "abcdef0123456789",
        about: "Token sent to the service with every request.",
        isSecret: true,
      }),
      user: is.anyText.optional().meta({
        env: "AGENT_SERVICE_USER",
        example: "parley",
        about:
          "User to log in to the service as, with AGENT_SERVICE_PASSWORD. Parley logs in again when the session expires.",
      }),
      password: is.anyText.optional().meta({
        env: "AGENT_SERVICE_PASSWORD",
        example: "a-long-password",
        about: "Password of AGENT_SERVICE_USER.",
        isSecret: true,
      }),
    })
    .prefault({}),
  project: is.serviceName.prefault("mindsdb").meta({ env: "AGENT_PROJECT", about: "Project whose agents answer." }),
  defaultAgent: is.serviceName.optional().meta({
    env: "AGENT_DEFAULT",
    defaultWords: "the only agent",
    example: "support",
    about: "Agent that answers where none is set.",
  }),
  approvers: is.oneOf(["asker", "manage"]).prefault("asker").meta({
    env: "APPROVERS",
    example: "manage",
    about:
      "Who approves or denies what an agent wants to do with a tool, where its service asks for that: the person who asked (`asker`), or people who manage Parley (`manage`).",
  }),
  agentScope: is.oneOf(["bound", "open"]).prefault("bound").meta({
    env: "AGENT_SCOPE",
    example: "open",
    about:
      "Where an agent that is assigned to channels answers: only there and where it is the default (`bound`), or everywhere that someone names it (`open`).",
  }),
  maxRuns: is.wholeNumber(1, 10_000).optional().meta({
    env: "AGENT_MAX_RUNS",
    defaultWords: "depends on the service",
    example: "4",
    about: "Most questions that the service answers at once; the others wait.",
  }),
  agentDailyTokens: is.wholeNumber(1, 999_999_999).optional().meta({
    env: "AGENT_DAILY_TOKENS",
    defaultWords: "no limit",
    example: "2000000",
    about:
      "Most tokens that each agent's models read and write in a day of TIME_ZONE, where the endpoint tells them (docs/tokens.md). Further questions to the agent are refused until the next day.",
  }),
  agentTokenPrices: is.tokenPrices.default([]).meta({
    env: "AGENT_TOKEN_PRICES",
    defaultWords: "none: no cost is shown",
    example: "support=2.5/10, *=0.15/0.6",
    about:
      "What a million tokens cost in US dollars, in and out: `agent=in/out`; `*` for every other agent. Show steps and the page Agents then show the cost.",
  }),
  serviceLimits: z
    .object({
      firstChunkMs: is.seconds
        .prefault("60")
        .meta({ env: "AGENT_FIRST_CHUNK_SECONDS", about: "Time limit for the service to start an answer." }),
      silenceMs: is.seconds
        .prefault("180")
        .meta({ env: "AGENT_SILENCE_SECONDS", about: "Longest silence of the service during an answer." }),
      runMs: is.seconds.prefault("900").meta({ env: "AGENT_RUN_SECONDS", about: "Time limit for a whole answer." }),
      insertMs: is.seconds
        .prefault("3600")
        .meta({ env: "AGENT_INSERT_SECONDS", about: "Time limit for the service to add content to a knowledge base." }),
    })
    .prefault({}),
});

const builtInService = z.object({
  localModel: z
    .object({
      url: is.webUrl.optional().meta({
        env: "LOCAL_MODEL_URL",
        defaultWords: "none: it quotes",
        example: "http://127.0.0.1:11434/v1",
        about:
          "Endpoint of a language model (Chat Completions or Responses), with or without `/v1`. The built-in service's agents then answer in its words, from the passages they find.",
      }),
      name: is.anyText.optional().meta({
        env: "LOCAL_MODEL",
        defaultWords: "the first it lists",
        example: "qwen3:8b",
        about: "Model that writes, unless an agent names another one of the endpoint.",
      }),
      key: is.token.optional().meta({
        env: "LOCAL_MODEL_KEY",
        example: "sk-0123456789abcdef",
        about: "Key of the endpoint.",
        isSecret: true,
      }),
      embeddingModel: is.anyText.optional().meta({
        env: "LOCAL_EMBEDDING_MODEL",
        defaultWords: "none: words alone",
        example: "nomic-embed-text",
        about: "Embedding model of the endpoint. Passages are then found by meaning too.",
      }),
      rerankModel: is.anyText.optional().meta({
        env: "LOCAL_RERANK_MODEL",
        defaultWords: "none",
        example: "bge-reranker-v2-m3",
        about:
          "Rerank model of the endpoint (`POST /rerank`). It orders the passages found, and says which ones answer.",
      }),
    })
    .prefault({}),
});

const server = z.object({
  host: is.hostName.prefault("127.0.0.1").meta({
    env: "HOST",
    example: "0.0.0.0",
    about: "Address to listen on, for the page, the health probes and Slack's HTTP events.",
  }),
  publicUrl: is.publicUrl.optional().meta({
    env: "PUBLIC_URL",
    example: "https://parley.example.com",
    about:
      "URL at which people reach Parley, for its links, cookies and sign-in. It may have a path (`https://example.com/parley`), which a proxy can strip or pass on. Without it, links to the page and the documents are shown on the page only.",
  }),
  trustedProxy: is.proxyAddresses.optional().meta({
    env: "TRUSTED_PROXY",
    example: "loopback, 10.1.0.0/16",
    about:
      "The proxies in front of Parley: addresses, ranges, or `loopback` for this machine. `X-Forwarded-For`, `-Proto`, `-Host` and `-Prefix` count only from them.",
  }),
  port: is.wholeNumber(1, 65_535).prefault("3000").meta({ env: "PORT", about: "Port to listen on." }),
});

const access = z.object({
  roles: z
    .object({
      managers: is.roleList.optional().meta({
        env: "MANAGERS",
        defaultWords: "workspace admins",
        example: "slack:U0123, discord:role:456",
        about:
          "Who can manage agents and settings: `platform:id`, `platform:role:id` or `*`; `slack:T0123/U0456` in that workspace only.",
      }),
      ingesters: is.roleList.optional().meta({
        env: "INGESTERS",
        defaultWords: "full members",
        example: "slack:U0123, discord:role:456",
        about: "Who can add to knowledge bases.",
      }),
      askers: is.roleList
        .optional()
        .meta({ env: "ASKERS", defaultWords: "full members and guests", example: "*", about: "Who can ask." }),
    })
    .prefault({}),
  workspaces: is.platformList.optional().meta({
    env: "WORKSPACES",
    defaultWords: "the Slack workspace and one Discord server",
    example: "slack:T0123, discord:123456789012345678",
    about:
      "The only workspaces that Parley serves; `*` for all. If no Discord server is listed, Parley serves DISCORD_GUILD_ID, or else the server that the bot was in at its first start.",
  }),
  workspaceProjects: is.workspaceProjects.optional().meta({
    env: "WORKSPACE_PROJECTS",
    defaultWords: "AGENT_PROJECT for all",
    example: "slack:T0123=acme, discord:123456789012345678=globex",
    about:
      "The project of the agent service that each workspace has: `platform:id=project`. It reaches nothing of another project, and a workspace without an entry gets no agent (docs/access.md).",
  }),
  answerBots: is.platformList.default([]).meta({
    env: "ANSWER_BOTS",
    defaultWords: "none",
    example: "slack:B0123",
    about: "Bots whose messages Parley answers: `platform:id` or `*`.",
  }),
  questionLimits: z
    .object({
      questionsPerPersonPerMinute: is
        .wholeNumber(1, 100_000)
        .prefault("60")
        .meta({ env: "QUESTIONS_PER_PERSON", about: "Most questions that one person can ask per minute; more wait." }),
      questionsPerChannelPerMinute: is.wholeNumber(1, 100_000).prefault("120").meta({
        env: "QUESTIONS_PER_CHANNEL",
        about: "Most questions that one channel can ask per minute; more wait.",
      }),
    })
    .prefault({}),
  jobsPerPerson: is
    .wholeNumber(1, 1000)
    .prefault("2")
    .meta({ env: "JOBS_PER_PERSON", about: "Ingest jobs that one person can run at once." }),
});

const knowledgeBases = z.object({
  ingest: z
    .object({
      by: is.oneOf(["auto", "service", "parley"]).prefault("auto").meta({
        env: "INGEST_BY",
        example: "parley",
        about:
          "Who fetches web pages: `service`, `parley`, or `auto`: Parley for built-in knowledge bases, else the one that preserves source links. With `parley`, commands can't choose `by service`.",
      }),
      allowsPrivate: is.trueOrFalse.prefault("false").meta({
        env: "INGEST_ALLOW_PRIVATE",
        example: "true",
        about: "Whether pages of the internal network can be ingested.",
      }),
      requiresDns: is.trueOrFalse.prefault("false").meta({
        env: "INGEST_REQUIRE_DNS",
        example: "true",
        about: "Whether to refuse a host that Parley can't resolve, even if the service fetches the page.",
      }),
      maxPages: is
        .wholeNumber(1, 10_000)
        .prefault("500")
        .meta({ env: "INGEST_MAX_PAGES", about: "Most pages per URL." }),
      maxDepth: is.wholeNumber(0, 20).prefault("5").meta({ env: "INGEST_MAX_DEPTH", about: "Maximum link depth." }),
    })
    .prefault({}),
  sync: z
    .object({
      folders: is.folderList.optional().meta({
        env: "SYNC_FOLDERS",
        defaultWords: "none",
        example: "/srv/handbook, /mnt/policies",
        about: "Folders of this machine that `/kb sync` may read, with all that is in them; whole paths.",
      }),
      gitTokens: is.gitTokens.optional().meta({
        env: "SYNC_GIT_TOKENS",
        defaultWords: "none",
        example: "github.com/acme=/run/secrets/github-token",
        about:
          "Files with tokens for `/kb sync` of git repositories: the host and the first part of the path of those that it is sent to, and the file. Read again each time.",
      }),
    })
    .prefault({}),
  sourceOldMs: is.days(1, 36_500).prefault("365").meta({
    env: "SOURCE_OLD_DAYS",
    about: "A source that was last read more days ago than this is marked with its month.",
  }),
  answerReviewMs: is.days(0, 3650).prefault("180").meta({
    env: "ANSWER_REVIEW_DAYS",
    example: "90",
    about: "Parley asks the author of an added answer after this many days whether it still holds; 0 for never.",
  }),
  saveEmoji: is.anyText.prefault("📌").meta({
    env: "SAVE_EMOJI",
    about: "Reaction that saves a message to the knowledge base, as a character or a name; `off` for none.",
  }),
});

const storage = z.object({
  dataDir: is.anyText
    .prefault("./data")
    .meta({ env: "DATA_DIR", example: "/var/lib/parley", about: "Folder of the database." }),
  redisUrl: is.redisUrl.optional().meta({
    env: "REDIS_URL",
    example: "redis://127.0.0.1:6379",
    about: "Stores everything in Redis instead, for running several instances.",
    isSecret: true,
  }),
  retentionMs: is
    .days(1, 36_500)
    .prefault("90")
    .meta({ env: "RETENTION_DAYS", example: "30", about: "Idle conversations are deleted after this many days." }),
  auditMs: is
    .days(1, 36_500)
    .prefault("365")
    .meta({ env: "AUDIT_DAYS", about: "Days to keep the audit log (changes and refused attempts)." }),
  logPrivate: is.trueOrFalse.prefault("false").meta({
    env: "LOG_PRIVATE",
    example: "true",
    about:
      "Whether people who manage Parley can read, on its admin pages and in what these export, what others asked in private channels and direct messages.",
  }),
  history: z
    .object({
      maxTurns: is
        .wholeNumber(0, 1000)
        .prefault("20")
        .meta({ env: "HISTORY_TURNS", about: "Most earlier questions sent to the agent." }),
      maxChars: is
        .wholeNumber(0, 10_000_000)
        .prefault("60000")
        .meta({ env: "HISTORY_CHARS", about: "Most characters of history; the oldest questions are dropped first." }),
    })
    .prefault({}),
});

const other = z.object({
  notifyAfterMs: is
    .wholeNumber(0, 86_400)
    .transform((seconds) => seconds * 1000)
    .prefault("60")
    .meta({
      env: "NOTIFY_AFTER_SECONDS",
      about: "Parley tells the asker that an answer is ready if it took longer than this; 0 for never.",
    }),
  timeZone: is.timeZone.prefault("UTC").meta({
    env: "TIME_ZONE",
    example: "Europe/Berlin",
    about:
      "Time zone of schedules, except for people whose time zone Slack provides, and of the days of AGENT_DAILY_TOKENS.",
  }),
  commandPrefix: is.commandPrefix
    .default("")
    .meta({ env: "COMMAND_PREFIX", example: "acme-", about: "Prefix for every command: `/acme-ask`." }),
  logLevel: is
    .oneOf(["debug", "info", "warn", "error", "silent"])
    .prefault("info")
    .meta({ env: "LOG_LEVEL", example: "debug", about: "Log level: `debug`, `info`, `warn`, `error` or `silent`." }),
  httpProxy: is.proxyUrl.optional().meta({
    env: "HTTP_PROXY",
    example: "http://proxy.example.com:3128",
    about: "Proxy for http URLs. Without a scheme, http is assumed.",
    isSecret: true,
    hasLowerCaseTwin: true,
  }),
  httpsProxy: is.proxyUrl.optional().meta({
    env: "HTTPS_PROXY",
    example: "http://proxy.example.com:3128",
    about: "Proxy for https URLs. Without a scheme, http is assumed.",
    isSecret: true,
    hasLowerCaseTwin: true,
  }),
  noProxy: is.anyText.optional().meta({
    env: "NO_PROXY",
    defaultWords: "this machine",
    example: "intranet.example.com, .internal",
    about: "Hosts to reach without the proxy; this machine always is.",
    hasLowerCaseTwin: true,
  }),
});

/** In the order of the documents. */
export const sections = {
  "The agent service": agentService,
  "The built-in service": builtInService,
  "The server": server,
  Access: access,
  "Knowledge bases": knowledgeBases,
  Storage: storage,
  Other: other,
};

export const settingsSchema = z.object({
  ...agentService.shape,
  ...builtInService.shape,
  ...server.shape,
  ...access.shape,
  ...knowledgeBases.shape,
  ...storage.shape,
  ...other.shape,
});

/** All of them, parsed. One that is off, or left to its default elsewhere, is absent. */
export type Settings = z.infer<typeof settingsSchema>;
