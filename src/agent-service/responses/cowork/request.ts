/**
 * Client for cowork-server: one agent, projects, and conversations that it keeps. It continues a run whose stream was
 * left. A second question in a conversation would replay the first one's run and be lost, so every conversation is looked
 * at before it is continued.
 */
import { randomUUID } from "node:crypto";
import { ParleyError } from "../../../core/errors.ts";
import type { AgentEvent } from "../../../core/model/agent-event.ts";
import type { AgentService, AskOptions, ServiceMessage, ServiceProfile } from "../../../core/ports/agent-service.ts";
import { type DialectOptions, limitsOf, questionOf } from "../../dialect.ts";
import type { Decoder } from "../../http/decoder.ts";
import type { HttpRequest } from "../../http/request.ts";
import { createRunLog, streamEvents } from "../../http/stream.ts";
import { redactInternals, redactSecrets } from "../../http/texts.ts";
import { modelsAsAgents, openAiHttp, statelessProfile } from "../../openai/server.ts";
import type { Run } from "../run.ts";
import { createResponsesDecoder } from "../stream.ts";
import { agentOf, createCalls } from "./calls.ts";
import { newConversation, type Plan, planConversation } from "./conversation.ts";

/** Eight open streams lock cowork-server, and the health check with them (2026-11-22): each takes two connections. */
const maxRunsAtOnce = 4;

/** Parley's own limits: nobody reads the rest of such a run. */
const givenUp = ["stream_silent", "stream_too_long", "answer_too_large"];

/** Failures of a stream after which the run itself may continue. */
const lostStreams = ["stream_cut", "service_unreachable"];

/** AGENT_PROJECT's default names a project of another service; this one has a default of its own. */
const othersDefaultProject = "mindsdb";

/** Ids of conversations become parts of paths. */
const idPattern = /^[\w-]{1,100}$/;

const maxLoggedChars = 200;

type Events = AsyncGenerator<AgentEvent, void, undefined>;

export function createCoworkService(options: DialectOptions): AgentService {
  const limits = limitsOf(options);
  const { clock, log, onMalformed } = options;
  const http = openAiHttp(options, limits);
  const secrets = options.token === undefined ? [] : [options.token];
  const calls = createCalls(http, limits.statusMs);
  const logged = createRunLog(log);
  let problemLogged = "";
  let agentName: string | undefined;
  const profile: ServiceProfile = {
    ...statelessProfile("responses", options),
    maxRuns: options.maxRuns ?? maxRunsAtOnce,
    closeStopsRun: false,
    cancels: true,
    resumes: true,
    offers: ["projects"],
    // Without a stream nobody could stop or read on what it does.
    plainWorks: false,
  };

  function decoderOf(): Decoder<Run> {
    const { maxChunkBytes } = limits;
    return createResponsesDecoder({ maxChunkBytes, secrets, isCowork: true, tellsRun: true, onMalformed });
  }

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
    const decoder = decoderOf();
    const json = {
      input,
      conversation,
      stream: true,
      // A conversation stays in its project.
      project: isNew && project !== othersDefaultProject ? project : undefined,
    };
    const request: HttpRequest = { method: "POST", path: "/responses/", subject: "agent", json, signal };
    async function* named(events: Events): Events {
      for await (const event of events) {
        if (event.type !== "run") {
          yield event;
          continue;
        }
        const { conversation: given, response = "" } = event.run;
        if (given !== undefined && idPattern.test(given)) kept = given;
        yield { type: "thread", thread: { ...thread, conversation: kept } };
        yield { type: "run", run: { conversation: kept, response } };
      }
    }
    try {
      yield* named(follow(request, decoder, () => kept));
    } catch (thrown) {
      // Before its first event nobody knows whether there is a run.
      if (!isOneOf(lostStreams, thrown) || decoder.eventsRead() === 0 || signal?.aborted) throw thrown;
    }
    if (decoder.hasEnded()) return;
    if (decoder.eventsRead() > 0) yield* named(tail(kept, decoder, signal));
    if (!decoder.hasEnded()) throw cutStream();
  }

  /** The rest of a run whose stream ended early. A restarted server has lost it. */
  async function* tail(conversation: string, decoder: Decoder<Run>, signal: AbortSignal | undefined): Events {
    decoder.reconnect();
    try {
      yield* follow(tailRequest(conversation, decoder.eventsRead(), signal), decoder, () => conversation);
    } catch (thrown) {
      if (isOneOf([...lostStreams, "resource_not_found"], thrown)) throw cutStream();
      throw thrown;
    }
  }

  /** The events of one request. Cancels what it gives up. `conversation`: undefined while the run may be another one. */
  async function* follow(request: HttpRequest, decoder: Decoder<Run>, conversation: () => string | undefined): Events {
    try {
      yield* logged(streamEvents(http, clock, limits, request, decoder), decoder);
    } catch (thrown) {
      const known = isOneOf(givenUp, thrown) ? conversation() : undefined;
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
    const decoder = decoderOf();
    const isSame = () => decoder.state().response === response;
    const early: AgentEvent[] = [];
    try {
      const request = tailRequest(conversation, 0, signal);
      for await (const event of follow(request, decoder, () => (isSame() ? conversation : undefined))) {
        if (isSame()) {
          yield* early.splice(0);
          yield event.type === "run" ? { type: "run", run } : event;
        } else if (decoder.eventsRead() > 1) return "other";
        else early.push(event);
      }
    } catch (thrown) {
      if (!isSame() && isOneOf(["resource_not_found"], thrown)) return "lost";
      if (!isSame() || !isOneOf(lostStreams, thrown) || signal?.aborted) throw thrown;
      yield* tail(conversation, decoder, signal);
    }
    // It closed without an end: cancelled, or lost by a restart. What came of it is no answer.
    if (isSame() && !decoder.hasEnded()) yield { type: "answer", text: "" };
    return isSame() && decoder.hasEnded() ? "read" : "lost";
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

  /** A request can't name an agent: the server would answer as whichever it has. */
  async function checkAgent(name: string, signal?: AbortSignal): Promise<void> {
    if (name === agentName) return;
    agentName = (await calls.health(signal)).agent;
    if (name !== agentName) throw new ParleyError("agent_not_found");
  }

  /** Without a model it answers every question with a failure. */
  function logProblem(problem: string | undefined): void {
    if (problem !== undefined && problem !== problemLogged) {
      const said = redactInternals(redactSecrets(problem, secrets)).slice(0, maxLoggedChars);
      log.warn({ said }, "The agent service is not configured yet");
    }
    problemLogged = problem ?? "";
  }

  return {
    ...modelsAsAgents(http),
    profile: async () => profile,
    status: async (signal) => {
      const { problem, version } = await calls.health(signal);
      logProblem(problem);
      return version === "" ? profile : { ...profile, version };
    },
    listProjects: calls.projects,
    listAgents: async (project) => [agentOf(project, await calls.health())],
    getAgent: async (project, name) => {
      const agent = agentOf(project, await calls.health());
      if (agent.name !== name) throw new ParleyError("agent_not_found");
      return agent;
    },
    ask: async function* (project, agent, messages, asked) {
      await checkAgent(agent, asked?.signal);
      yield* ask(project, messages, asked);
    },
    /** The text of a streamed run, in a conversation of its own. */
    askPlain: async (project, agent, messages, asked) => {
      await checkAgent(agent, asked?.signal);
      let text = "";
      let conversation: string | undefined;
      try {
        for await (const event of ask(project, messages, { signal: asked?.signal })) {
          if (event.type === "answer-delta") text += event.text;
          else if (event.type === "answer") text = event.text;
          else if (event.type === "failed") throw event.error;
          else if (event.type === "thread") conversation = event.thread["conversation"];
        }
        return text;
      } finally {
        if (conversation !== undefined) calls.deleteConversation(conversation).catch(() => {});
      }
    },
    cancel: async (run, signal) => {
      const { conversation } = run;
      return conversation === undefined ? "unknown" : calls.cancel(conversation, signal);
    },
    forgetThread: async ({ conversation }) => {
      if (conversation !== undefined) await calls.deleteConversation(conversation);
    },
    close: http.close,
  };
}

function tailRequest(conversation: string, from: number, signal: AbortSignal | undefined): HttpRequest {
  const path = `/responses/tail?conversation_id=${encodeURIComponent(conversation)}&from_seq=${from}`;
  return { method: "GET", path, subject: "run", signal };
}

function cutStream(): ParleyError {
  return new ParleyError("stream_cut", { cause: new Error("The stream closed without a terminal event.") });
}

function isOneOf(codes: readonly string[], thrown: unknown): boolean {
  return thrown instanceof ParleyError && codes.includes(thrown.code);
}
