/**
 * Tries a saved agent and draws the result: what it was asked, what it answered, from which source. Some services
 * accept any model and key, and fail only when asked. The question is about something that the agent can look up.
 */

import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { Action, Block, Document, Inline } from "../../core/document.ts";
import { ParleyError, toParleyError } from "../../core/errors.ts";
import { type Place, workspaceKey } from "../../core/model/place.ts";
import type { Source, Table } from "../../core/model/turn.ts";
import { type Agent, runsKey, type ServiceProfile } from "../../core/ports/agent-service.ts";
import { splitName } from "../../core/tools/split-name.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { code, infoDocument, questionsFromTitles, say, titlesIn } from "../../presentation/drawing.ts";
import { plainText } from "../../presentation/markdown.ts";
import { errorText, shorten } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import { writtenName } from "../names/find-by-name.ts";
import { refOfName } from "../names/name-ref.ts";
import { formButton, privately, working } from "../results.ts";
import { agentFormTexts } from "../words.ts";

/** Creating and editing, from the first word to the result. */
const makingSentences = {
  trying: (said: Inline): Inline => say`${said} Asking it a test question…`,
  /** Only where a model was called. */
  answered: "It replied to a test question.",
  asked: (question: string): string => `Test question: “${question}”`,
  foundNothing: "It found nothing about that.",
  nothingToLookUp: "It has nothing to look up yet.",
  chooseKnowledge: "Choose a knowledge base for it.",
  fillKnowledge: (command: string): Inline => say`Add pages with ${code(command)}.`,
  didNotAnswer: "It didn't reply to a test question.",
  useHereQuestion: "Should it answer in this channel?",
} as const;

const maxAnswerChars = 300;
const maxRows = 5;
/** For an agent about whose knowledge nothing is known. */
const plainQuestion = "Answer with one word: are you there?";
/** Includes the wait for a run permit. */
const limitMs = 90_000;

type TestAnswer =
  | { readonly kind: "answered"; readonly text: string; readonly table?: Table; readonly sources: readonly Source[] }
  | { readonly kind: "failed"; readonly error: ParleyError };

type Knowledge =
  | { readonly kind: "none"; readonly why: "no-base" | "empty" }
  | { readonly kind: "question"; readonly question: string }
  /** It has tables, untitled documents, or a list that didn't come in time. */
  | { readonly kind: "unknown" };

const maxBases = 3;
const maxPassages = 60;
const listMs = 10_000;

/** `said`: what was done with it; `actions`: offered with the result. */
export function tryAgent(
  app: CommandApp,
  agent: Agent,
  said: Inline,
  actions: readonly Action[],
  { place }: CommandContext,
): CommandResult {
  const { service, settings, log } = app;
  const written = writtenName(agent, settings.project);
  const offer = actions.length === 0 ? [] : [makingSentences.useHereQuestion];
  const shown = infoDocument(makingSentences.trying(said), { tone: "running" });
  return working(shown, log, async () => {
    const [profile, knowledge] = await Promise.all([service.profile().catch(() => undefined), knowledgeOf(app, agent)]);
    const isModelUsed = profile?.ignores.includes("model") !== true;
    const isAboutKnowledge = knowledge.kind === "question";
    const lacks: (string | Inline)[] = [];
    const fixes: Action[] = [];
    if (knowledge.kind === "none") {
      const isEmpty = knowledge.why === "empty";
      const fill = makingSentences.fillKnowledge(`/${settings.commandPrefix}kb ingest`);
      lacks.push(say`${makingSentences.nothingToLookUp} ${isEmpty ? fill : say`${makingSentences.chooseKnowledge}`}`);
      if (!isEmpty) fixes.push(editButton(written));
    }
    if (!isAboutKnowledge && !(isModelUsed && needsTestQuestion(profile))) {
      return privately(infoDocument([said, ...lacks, ...offer], { tone: "done", actions: [...actions, ...fixes] }));
    }
    const question = isAboutKnowledge ? knowledge.question : plainQuestion;
    const tried = await askTestQuestion(app, { project: agent.project, agent: agent.name, question }, place);
    if (tried.kind === "failed") {
      log.warn({ err: tried.error, agent: agent.name }, "An agent did not answer its test question");
      const { what, hint } = errorText(tried.error);
      return privately(
        infoDocument([said, makingSentences.didNotAnswer, `${what} ${hint}`, ...lacks], {
          tone: "partial",
          actions: [editButton(written), ...actions.map((action) => ({ ...action, style: "plain" as const }))],
        }),
      );
    }
    if (!isAboutKnowledge) {
      const sentences = [said, makingSentences.answered, ...lacks, ...offer];
      return privately(infoDocument(sentences, { tone: "done", actions: [...actions, ...fixes] }));
    }
    const top = infoDocument([said, makingSentences.asked(question)], { tone: "done", actions });
    const end = offer.map((text): Block => ({ kind: "text", text: say`${text}` }));
    const answer: Document = { ...top, blocks: [...top.blocks, ...answerBlocks(tried, isModelUsed), ...end] };
    return privately(answer);
  });
}

/** Without a model, an answer without a source is only a remark about the search. */
function answerBlocks(
  { text, table, sources: [source] }: Extract<TestAnswer, { kind: "answered" }>,
  isModelUsed: boolean,
): readonly Block[] {
  if (!isModelUsed && source === undefined) return [{ kind: "text", text: say`${makingSentences.foundNothing}` }];
  const blocks: Block[] = [];
  if (text.trim() !== "") blocks.push({ kind: "markdown", text: shorten(plainText(text), maxAnswerChars) });
  else if (table !== undefined) {
    const omittedRows = Math.max(0, table.rows.length - maxRows) + (table.omittedRows ?? 0);
    const rest = omittedRows === 0 ? {} : { omittedRows };
    blocks.push({ kind: "table", table: { columns: table.columns, rows: table.rows.slice(0, maxRows), ...rest } });
  }
  if (source !== undefined) {
    const { title, url } = source;
    blocks.push({ kind: "sources", sources: [{ number: 1, title, url }] });
  }
  return blocks;
}

/** `name`: as written, so with its project if that is another one. */
export function editButton(name: string): Action {
  return formButton(agentFormTexts.openEdit(name), `agent edit ${refOfName(name)}`, "plain");
}

/** The newer generation tests the model itself before it creates an agent. */
function needsTestQuestion(profile: ServiceProfile | undefined): boolean {
  return profile?.generation !== "26.x";
}

/** The question takes a run permit like any other. Never throws. */
async function askTestQuestion(
  app: CommandApp,
  asked: { readonly project: string; readonly agent: string; readonly question: string },
  place: Place,
): Promise<TestAnswer> {
  const { service, clock } = app;
  const { coordinator } = app.state;
  const { project, agent, question } = asked;
  const messages = [{ question, answer: "" }];
  const tooLong = new AbortController();
  const cancel = clock.after(limitMs, () => tooLong.abort(new ParleyError("stream_too_long")));
  const { signal } = tooLong;
  try {
    const profile = await service.profile();
    const permit = await coordinator.permit(runsKey, profile.maxRuns, workspaceKey(place), { signal });
    try {
      const streamed = await streamedAnswer();
      if (streamed !== undefined) return streamed;
      // A stream can lose the answer without an error; the plain endpoint, where it works, shows whether it did.
      if (profile.plainWorks) {
        const text = await service.askPlain(project, agent, messages, { signal });
        if (text.trim() !== "") return { kind: "answered", text, sources: [] };
      }
      return { kind: "failed", error: new ParleyError("no_answer") };
    } finally {
      await permit.release();
    }
  } catch (failure) {
    return { kind: "failed", error: toParleyError(signal.aborted ? signal.reason : failure) };
  } finally {
    cancel();
  }

  /** Undefined when the stream ended without an answer; throws on failure. */
  async function streamedAnswer(): Promise<TestAnswer | undefined> {
    let answer: TestAnswer | undefined;
    let sources: readonly Source[] = [];
    for await (const event of service.ask(project, agent, messages, { signal })) {
      if (event.type === "failed") throw event.error;
      if (event.type === "step-finished") sources = [...sources, ...event.sources];
      if (event.type !== "answer") continue;
      const { text, table } = event;
      const isEmpty = text.trim() === "" && table === undefined;
      answer = isEmpty ? undefined : { kind: "answered", text, sources, table };
    }
    return answer;
  }
}

/** Never throws. Bases are listed one after the other: 26.x refuses two calls on one base at once. */
async function knowledgeOf(app: CommandApp, agent: Agent): Promise<Knowledge> {
  const { service, clock } = app;
  if (agent.knowledgeBases.length === 0) {
    return agent.tables.length === 0 ? { kind: "none", why: "no-base" } : { kind: "unknown" };
  }
  const bases = await withTimeout(basesOf(app, agent), listMs, clock);
  const namesDocument = (await withTimeout(service.profile(), listMs, clock))?.generation === "local";
  let isSure = bases !== undefined && agent.tables.length === 0;
  for (const { project, name } of (bases ?? []).slice(0, maxBases)) {
    const documents = await withTimeout(service.listDocuments(project, name, maxPassages), listMs, clock);
    const [question] = questionsFromTitles(titlesIn(documents ?? []), { namesDocument });
    if (question !== undefined) return { kind: "question", question };
    if (documents?.length !== 0) isSure = false;
  }
  const isAll = (bases?.length ?? 0) <= maxBases;
  return isSure && isAll ? { kind: "none", why: "empty" } : { kind: "unknown" };
}

async function basesOf({ service, names, settings }: CommandApp, agent: Agent) {
  const lists = agent.knowledgeBases.map(async (entry) => {
    const base = splitName(entry, agent.project);
    if (base.name !== "*") return [base];
    const own = base.project === settings.project;
    const all = own ? names.knowledgeBases() : await service.listKnowledgeBases(base.project);
    return all.map(({ name }) => ({ project: base.project, name }));
  });
  return (await Promise.all(lists)).flat();
}
