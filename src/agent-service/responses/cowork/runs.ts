/**
 * Runs on cowork-server, which keeps conversations and continues a run whose stream was left. A second question in a
 * conversation would replay the first one's run and be lost, so every conversation is looked at before it is continued.
 */
import { randomUUID } from "node:crypto";
import { ParleyError } from "../../../core/errors.ts";
import type { AgentEvent } from "../../../core/model/agent-event.ts";
import type { AskOptions, ServiceMessage } from "../../../core/ports/agent-service.ts";
import type { Log } from "../../../core/ports/log.ts";
import type { HttpRequest } from "../../http/http-request.ts";
import { questionOf } from "../requests.ts";
import type { ResponsesDecoder } from "../stream/decoder.ts";
import type { CoworkCalls } from "./calls.ts";
import { newConversation, type Plan, planConversation } from "./conversation.ts";

export type CoworkDeps = {
  readonly calls: CoworkCalls;
  readonly log: Log;
  /** The events of one request. */
  readonly stream: (request: HttpRequest, decoder: ResponsesDecoder) => AsyncGenerator<AgentEvent, void, undefined>;
  readonly decoder: (
    onIdentified: (response: string, conversation?: string) => readonly AgentEvent[],
  ) => ResponsesDecoder;
};

/** Parley's own limits: nobody reads the rest of such a run. */
const givenUp = new Set(["stream_silent", "stream_too_long", "answer_too_large"]);

type Events = AsyncGenerator<AgentEvent, void, undefined>;

/** AGENT_PROJECT's default names a project of another service; this one has a default of its own. */
const othersDefaultProject = "mindsdb";

/** Ids of conversations become parts of paths. */
const idPattern = /^[\w-]{1,100}$/;

/** Failures of a stream after which the run itself may continue. */
const lostStreams = new Set(["stream_cut", "service_unreachable"]);

export function createCoworkRuns({ calls, log, stream, decoder }: CoworkDeps) {
  async function* ask(project: string, messages: readonly ServiceMessage[], asked: AskOptions = {}): Events {
    questionOf(messages);
    const { resume, thread, signal } = asked;
    let left: string | undefined;
    if (resume !== undefined) {
      const found = yield* readOn(resume, signal);
      if (found === "read") return;
      log.info({}, "The agent service no longer has the run, so the question is asked again");
      left = resume["conversation"];
      if (found === "lost" && left !== undefined && left !== "") forgetLater(left);
    }
    // The question is there already, perhaps half answered, and the next one would be lost.
    const plan = await choosePlan(messages, thread?.["conversation"] === left ? undefined : thread, signal);
    if (plan.outdated !== undefined) forgetLater(plan.outdated);
    yield* start(project, plan, signal);
  }

  /** A conversation that has been deleted, or has a run under way, isn't continued. */
  async function choosePlan(
    messages: readonly ServiceMessage[],
    thread: AskOptions["thread"],
    signal: AbortSignal | undefined,
  ): Promise<Plan> {
    const plan = planConversation(messages, thread, randomUUID);
    if (plan.isNew) return plan;
    const [isKnown, { isRunning }] = await Promise.all([
      calls.knows(plan.conversation, signal),
      calls.inFlight(plan.conversation, signal),
    ]);
    if (isKnown && !isRunning) return plan;
    return { ...newConversation(messages, randomUUID), outdated: isKnown ? plan.conversation : undefined };
  }

  async function* start(project: string, plan: Plan, signal: AbortSignal | undefined): Events {
    const { conversation, thread, input, isNew } = plan;
    let kept = conversation;
    const reader = decoder((response, given) => {
      if (given !== undefined && idPattern.test(given)) kept = given;
      return [
        { type: "thread", thread: { ...thread, conversation: kept } },
        { type: "run", run: { conversation: kept, response } },
      ];
    });
    const json = {
      input,
      conversation,
      stream: true,
      // A conversation stays in its project.
      project: isNew && project !== othersDefaultProject ? project : undefined,
    };
    const request: HttpRequest = { method: "POST", path: "/responses/", subject: "agent", json, signal };
    try {
      yield* follow(request, reader, () => kept);
    } catch (thrown) {
      // Before its first event nobody knows whether there is a run.
      if (!isLost(thrown) || reader.eventsRead() === 0 || signal?.aborted) throw thrown;
    }
    if (reader.hasEnded()) return;
    if (reader.eventsRead() > 0) yield* tail(kept, reader, signal);
    if (!reader.hasEnded()) throw cutStream();
  }

  /** The rest of a run whose stream ended early. A restarted server has lost it. */
  async function* tail(conversation: string, reader: ResponsesDecoder, signal: AbortSignal | undefined): Events {
    reader.reconnect();
    try {
      yield* follow(tailRequest(conversation, reader.eventsRead(), signal), reader, () => conversation);
    } catch (thrown) {
      if (isLost(thrown) || isCode(thrown, "resource_not_found")) throw cutStream();
      throw thrown;
    }
  }

  /** Cancels what it gives up. `conversation`: undefined while the run may be another one. */
  async function* follow(
    request: HttpRequest,
    reader: ResponsesDecoder,
    conversation: () => string | undefined,
  ): Events {
    try {
      yield* stream(request, reader);
    } catch (thrown) {
      const known = isGivenUp(thrown) ? conversation() : undefined;
      if (known !== undefined) cancelLater(known);
      throw thrown;
    }
  }

  /** Reads a run from its beginning. "other": the conversation has a newer one, of which nothing is yielded. */
  async function* readOn(
    run: NonNullable<AskOptions["resume"]>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<AgentEvent, "read" | "lost" | "other", undefined> {
    const { conversation = "", response = "" } = run;
    if (conversation === "" || !(await calls.inFlight(conversation, signal)).hasEvents) return "lost";
    let isSame = false;
    const reader = decoder((found) => {
      isSame = found === response;
      return [{ type: "run", run }];
    });
    const early: AgentEvent[] = [];
    try {
      const request = tailRequest(conversation, 0, signal);
      for await (const event of follow(request, reader, () => (isSame ? conversation : undefined))) {
        if (isSame) {
          yield* early.splice(0);
          yield event;
        } else if (reader.eventsRead() > 1) return "other";
        else early.push(event);
      }
    } catch (thrown) {
      if (!isSame && isCode(thrown, "resource_not_found")) return "lost";
      if (!isSame || !isLost(thrown) || signal?.aborted) throw thrown;
      yield* tail(conversation, reader, signal);
    }
    // It closed without an end: cancelled, or lost by a restart. What came of it is no answer.
    if (isSame && !reader.hasEnded()) yield { type: "answer", text: "" };
    return isSame && reader.hasEnded() ? "read" : "lost";
  }

  /** Leaving the stream doesn't stop it. */
  function cancelLater(conversation: string): void {
    calls.cancel(conversation).catch((err: unknown) => {
      log.warn({ err }, "A run that Parley gave up couldn't be cancelled at the agent service");
    });
  }

  /** What it holds was edited or forgotten, or nobody follows its run. */
  function forgetLater(conversation: string): void {
    calls
      .cancel(conversation)
      .then(() => calls.deleteConversation(conversation))
      .catch((err: unknown) => {
        log.warn({ err }, "A conversation that is no longer used couldn't be deleted at the agent service");
      });
  }

  return ask;
}

function tailRequest(conversation: string, from: number, signal: AbortSignal | undefined): HttpRequest {
  const path = `/responses/tail?conversation_id=${encodeURIComponent(conversation)}&from_seq=${from}`;
  return { method: "GET", path, subject: "run", signal };
}

function cutStream(): ParleyError {
  return new ParleyError("stream_cut", { cause: new Error("The stream closed without a terminal event.") });
}

function isLost(thrown: unknown): boolean {
  return thrown instanceof ParleyError && lostStreams.has(thrown.code);
}

function isGivenUp(thrown: unknown): boolean {
  return thrown instanceof ParleyError && givenUp.has(thrown.code);
}

function isCode(thrown: unknown, code: ParleyError["code"]): boolean {
  return thrown instanceof ParleyError && thrown.code === code;
}
