/** The tools of the MCP server, each as a command, a button or a form of the page. */
import { McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { toParleyError } from "../../../src/core/errors.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import { withTimeout } from "../../../src/core/tools/timeout.ts";
import { errorText } from "../../../src/presentation/sentences.ts";
import { stillWorkingMs } from "../limits.ts";
import type { Acting, Said } from "./acting.ts";
import type { Answer, Asking, Caller, Waiting } from "./asking.ts";
import { type createMcpKnowledge, foundPassages, knowledgeQuery, openGaps } from "./knowledge.ts";
import { registerResources } from "./resources.ts";

type Result = {
  content: { type: "text"; text: string }[];
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
};

const says = {
  working: (id: string) =>
    `Still working. Call get_answer with the id ${id} to get the answer. It will also be on Parley's page.`,
  waits: (id: string) => `It waits for someone to decide on Parley's page. Then call get_answer with the id ${id}.`,
  stopped: "Stopped.",
  revoked: "This token was revoked, so the question was stopped.",
  deleted: "This answer was deleted on Parley's page.",
  unknown: "You have no question with this id.",
  "unknown-conversation": "You have no conversation with this id. Leave it out to begin a new one.",
  continues: (conversation: string) =>
    `To ask further in this conversation, call ask with conversation ${conversation}.`,
  nothing: "Done.",
  adding: "The answer is being added. Parley's page shows how it ends.",
  noGaps: "No open gaps: nobody was left without a good answer.",
};

const result = (text: string, isError = false): Result => ({ content: [{ type: "text", text }], isError });

const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;
const writes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false } as const;

/** Longer ones are refused with a sentence where they are read. */
const text = z.string().max(200_000);
const name = z.string().min(1).max(200);

export function createTools(parts: {
  readonly acting: Acting;
  readonly asking: Asking;
  readonly knowledge: ReturnType<typeof createMcpKnowledge>;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { acting, asking, knowledge, clock, log } = parts;

  return (caller: Caller, version: string, isModern: boolean): McpServer => {
    const { visitor } = caller;
    const server = new McpServer(
      { name: "parley", title: "Parley", version },
      {
        capabilities: { tools: {}, resources: {} },
        instructions:
          "Asks the agents that this person can ask in Parley, and searches the knowledge that they reach there. " +
          "ask may answer that it is still working: then call get_answer with its id.",
      },
    );

    const resultOf = ({ document, errors }: Said): Result => {
      if (errors !== undefined) return result(Object.values(errors).join("\n"), true);
      return document === undefined
        ? result(says.nothing)
        : result(acting.textOf(document), document.tone === "failed");
    };

    const failed = (thrown: unknown): Result => {
      const error = toParleyError(thrown);
      // One client can cause a thousand refusals, and they say nothing about Parley.
      const level = error.code === "internal" ? "warn" : "debug";
      log[level]({ err: thrown, code: error.code }, "A call over MCP failed");
      const { what, hint } = errorText(error);
      return result(`${what} ${hint}`.trim(), true);
    };

    /** Every failure is a sentence, for the model and its person. */
    const safely = async (ctx: ServerContext, work: (cancelled: AbortSignal) => Promise<Result>): Promise<Result> => {
      try {
        return await caller.during(ctx.mcpReq.id, work);
      } catch (thrown) {
        return failed(thrown);
      }
    };

    const command = (ctx: ServerContext, path: string, options: Readonly<Record<string, string>>) =>
      safely(ctx, async () => resultOf(await acting.act(visitor, { kind: "command", path, options })));

    const waitingFor = (ctx: ServerContext, cancelled: AbortSignal): Waiting => {
      const { signal, _meta } = ctx.mcpReq;
      const progressToken = _meta?.progressToken;
      let progress = 0;
      return {
        // Since 2026-07-28, closing the stream is how a client cancels. Before, it only lost its connection.
        cancelled: isModern ? AbortSignal.any([cancelled, signal]) : cancelled,
        left: AbortSignal.any([signal, caller.closing]),
        stillHolds: caller.stillHolds,
        onProgress:
          progressToken === undefined
            ? undefined
            : async (message) => {
                progress += 1;
                const params = { progressToken, progress, message };
                await ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
              },
      };
    };

    server.registerTool(
      "ask",
      {
        title: "Ask an agent",
        description:
          "Asks an agent of this workspace a question, and returns its answer with sources. list_agents names the agents.",
        inputSchema: z.object({
          question: text.describe("What you want to know; self-contained, unless it continues a conversation"),
          agent: name.optional().describe("Name of the agent (default: the one that answers there)"),
          conversation: name
            .optional()
            .describe("The id that an answer gave, to ask further there (default: a new one)"),
        }),
        // An agent may use tools of its own.
        annotations: { ...writes, openWorldHint: true },
      },
      (given, ctx) =>
        safely(ctx, async (cancelled) => answerResult(await asking.ask(visitor, given, waitingFor(ctx, cancelled)))),
    );

    server.registerTool(
      "get_answer",
      {
        title: "Get an answer",
        description: "Waits for the answer to a question that ask said was still working.",
        inputSchema: z.object({ id: name.describe("The id that ask returned") }),
        annotations: readOnly,
      },
      ({ id }, ctx) =>
        safely(ctx, async (cancelled) => answerResult(await asking.answer(visitor, id, waitingFor(ctx, cancelled)))),
    );

    server.registerTool(
      "list_agents",
      {
        title: "List agents",
        description: "Lists the agents that this person can ask, and what each is for.",
        inputSchema: z.object({}),
        annotations: readOnly,
      },
      (_given, ctx) => command(ctx, "agent list", {}),
    );

    server.registerTool(
      "search_knowledge",
      {
        title: "Search knowledge",
        description:
          "Searches a knowledge base that this person reaches, and returns whole passages with their sources.",
        inputSchema: knowledgeQuery,
        outputSchema: foundPassages,
        annotations: readOnly,
      },
      (query, ctx) =>
        safely(ctx, async () => {
          const { text: said, found } = await knowledge.search(visitor, query);
          return { ...result(said, found === undefined), structuredContent: found };
        }),
    );

    server.registerTool(
      "list_gaps",
      {
        title: "List gaps",
        description: "Lists questions that weren't answered well, for people who may add knowledge.",
        inputSchema: z.object({ cursor: name.optional() }),
        outputSchema: openGaps,
        annotations: readOnly,
      },
      ({ cursor }, ctx) =>
        safely(ctx, async () => {
          const found = await knowledge.gaps(visitor, cursor);
          const lines = found.gaps.map(({ id, question, people }) => `${question} (asked by ${people}, id ${id})`);
          return { ...result(lines.length === 0 ? says.noGaps : lines.join("\n")), structuredContent: found };
        }),
    );

    server.registerTool(
      "add_answer",
      {
        title: "Add an answer",
        description:
          "Adds the answer to a gap to a knowledge base, in this person's name. Parley then asks the question again, and tells those who asked.",
        inputSchema: z.object({
          gap: name.describe("The id from list_gaps"),
          answer: text.describe("The answer, as Markdown"),
          question: text.optional().describe("The question as people ask it (default: the gap's)"),
          knowledge_base: name.optional().describe("Where it goes (default: the agent's)"),
        }),
        annotations: writes,
      },
      ({ knowledge_base: knowledgeBase, ...given }, ctx) =>
        safely(ctx, async () => {
          const adding = knowledge.addAnswer(visitor, { ...given, knowledgeBase });
          // What is refused is known at once; the rest is stored, and continues.
          const said = await withTimeout(adding.then(resultOf, failed), stillWorkingMs, clock);
          return said ?? result(says.adding);
        }),
    );

    registerResources(server, { knowledge, caller });
    return server;
  };
}

function answerResult(answer: Answer): Result {
  switch (answer.kind) {
    case "ended":
      return result(`${answer.text}\n\n${says.continues(answer.conversation)}`, answer.isFailed);
    case "waiting":
      return result(`${answer.text}\n\n${says.waits(answer.id)}\n\n${says.continues(answer.conversation)}`);
    case "running":
      return result(says.working(answer.id));
    case "refused":
      return result(answer.text, true);
    case "stopped":
    case "revoked":
    case "deleted":
    case "unknown":
    case "unknown-conversation":
      return result(says[answer.kind], true);
    default:
      return answer satisfies never;
  }
}
