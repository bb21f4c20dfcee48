/** Tries a saved agent and draws the result: what it was asked, what it answered, from which source. */
import type { Agent } from "../../ports/agent-service.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import type { Action, Block, Document, Inline } from "../../ports/document.ts";
import { infoDocument, inline } from "../../presentation/drawing.ts";
import { plainText } from "../../presentation/markdown.ts";
import { agentFormTexts, errorText, makingSentences, shorten } from "../../presentation/sentences.ts";
import { writtenName } from "../find-by-name.ts";
import type { CommandPorts } from "../ports.ts";
import { formButton, privately, working } from "../results.ts";
import { knowledgeOf } from "./known-question.ts";
import { refOfName } from "./name-ref.ts";
import { askTestQuestion, needsTestQuestion, plainQuestion, type TestAnswer } from "./test-question.ts";

const maxAnswerChars = 300;
const maxRows = 5;

/** `said`: what was done with it; `actions`: offered with the result. */
export function tryAgent(
  ports: CommandPorts,
  agent: Agent,
  said: Inline,
  actions: readonly Action[],
  { place }: CommandContext,
): CommandResult {
  const { service, settings, log } = ports;
  const written = writtenName(agent, settings.project);
  const offer = actions.length === 0 ? [] : [makingSentences.useHereQuestion];
  const shown = infoDocument(makingSentences.trying(said), { tone: "running" });
  return working(shown, log, async () => {
    const [profile, knowledge] = await Promise.all([
      service.profile().catch(() => undefined),
      knowledgeOf(ports, agent),
    ]);
    const isModelUsed = profile?.ignores.includes("model") !== true;
    const isAboutKnowledge = knowledge.kind === "question";
    const lacks: (string | Inline)[] = [];
    const fixes: Action[] = [];
    if (knowledge.kind === "none") {
      const isEmpty = knowledge.why === "empty";
      const fill = makingSentences.fillKnowledge(`/${settings.commandPrefix}kb ingest`);
      lacks.push(
        inline(makingSentences.nothingToLookUp, " ", ...(isEmpty ? fill : inline(makingSentences.chooseKnowledge))),
      );
      if (!isEmpty) fixes.push(editButton(written));
    }
    if (!isAboutKnowledge && !(isModelUsed && needsTestQuestion(profile))) {
      return privately(infoDocument([said, ...lacks, ...offer], { tone: "done", actions: [...actions, ...fixes] }));
    }
    const question = isAboutKnowledge ? knowledge.question : plainQuestion;
    const tried = await askTestQuestion(ports, { project: agent.project, agent: agent.name, question }, place);
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
    const end = offer.map((text): Block => ({ kind: "text", text: inline(text) }));
    const answer: Document = { ...top, blocks: [...top.blocks, ...answerBlocks(tried, isModelUsed), ...end] };
    return privately(answer);
  });
}

/** Without a model, an answer without a source is only a remark about the search. */
function answerBlocks(
  { text, table, sources: [source] }: Extract<TestAnswer, { kind: "answered" }>,
  isModelUsed: boolean,
): readonly Block[] {
  if (!isModelUsed && source === undefined) return [{ kind: "text", text: inline(makingSentences.foundNothing) }];
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
