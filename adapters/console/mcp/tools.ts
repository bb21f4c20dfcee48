/** The tools of the MCP server, each as a command, a button or a form of the page. */
import { McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { toParleyError } from "../../../src/core/errors.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import { errorText } from "../../../src/presentation/sentences.ts";
import type { Visitor } from "../people/visitor.ts";
import { type Acting, type Said, textOf } from "./acting.ts";
import type { Answer, Asking, Waiting } from "./asking.ts";

/** Who calls, and how their calls end. */
export type Caller = {
  readonly visitor: Visitor;
  readonly stillHolds: Waiting["stillHolds"];
  /** `work` ends when that request is cancelled. Rejects with too_many_questions beyond the limit of the person. */
  readonly during: <T>(requestId: string | number, work: (cancelled: AbortSignal) => Promise<T>) => Promise<T>;
};

type Result = { content: { type: "text"; text: string }[]; isError?: boolean };

const says = {
  working: (id: string) =>
    `Still working. Call get_answer with the id ${id} to get the answer. It will also be on Parley's page.`,
  waits: (id: string) => `It waits for somebody to decide on Parley's page. Then call get_answer with the id ${id}.`,
  stopped: "Stopped.",
  revoked: "This token was revoked, so the question was stopped.",
  unknown: "You have no question with this id.",
  nothing: "Done.",
};

const result = (text: string, isError = false): Result => ({ content: [{ type: "text", text }], isError });

const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;
const writes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false } as const;

/** Longer ones are refused with a sentence where they are read. */
const text = z.string().max(200_000);
const name = z.string().min(1).max(200);

export function createTools(parts: { readonly acting: Acting; readonly asking: Asking; readonly log: Log }) {
  const { acting, asking, log } = parts;

  return (caller: Caller, version: string, isModern: boolean): McpServer => {
    const { visitor } = caller;
    const server = new McpServer(
      { name: "parley", title: "Parley", version },
      {
        capabilities: { tools: {} },
        instructions:
          "Asks the agents that this person can ask in Parley, and searches the knowledge that they reach there. " +
          "ask may answer that it is still working: then call get_answer with its id.",
      },
    );

    /** Every failure is a sentence, for the model and its person. */
    const safely = async (ctx: ServerContext, work: (cancelled: AbortSignal) => Promise<Result>): Promise<Result> => {
      try {
        return await caller.during(ctx.mcpReq.id, work);
      } catch (thrown) {
        const error = toParleyError(thrown);
        log.warn({ err: thrown, code: error.code }, "A call over MCP failed");
        const { what, hint } = errorText(error);
        return result(`${what} ${hint}`.trim(), true);
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
        left: signal,
        stillHolds: caller.stillHolds,
        onProgress: async (message) => {
          if (progressToken === undefined) return;
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
          question: text.describe("What you want to know, in one self-contained question"),
          agent: name.optional().describe("Name of the agent (default: the one that answers there)"),
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

    return server;
  };
}

function resultOf({ document, errors }: Said): Result {
  if (errors !== undefined) return result(Object.values(errors).join("\n"), true);
  return document === undefined ? result(says.nothing) : result(textOf(document), document.tone === "failed");
}

function answerResult(answer: Answer): Result {
  switch (answer.kind) {
    case "ended":
      return result(answer.text, answer.isFailed);
    case "waiting":
      return result(`${answer.text}\n\n${says.waits(answer.id)}`);
    case "running":
      return result(says.working(answer.id));
    case "stopped":
    case "revoked":
    case "unknown":
      return result(says[answer.kind], true);
    default:
      return answer satisfies never;
  }
}
