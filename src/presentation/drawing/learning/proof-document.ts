/** Draws what a question shows when it is asked again with an added answer, and the note to those who asked. */

import type { Action, Block, Document, Inline } from "../../../core/document.ts";
import type { Actor } from "../../../core/model/place.ts";
import type { Source } from "../../../core/model/turn.ts";
import { answerSentences, proofSentences, those } from "../../sentences/insight.ts";
import { durationText, numberText } from "../../sentences/quantities.ts";
import { shorten } from "../../sentences/steps.ts";
import { bold, dotted, inlineText, italic, link, person, say } from "../inline.ts";
import { cleanText } from "../sanitise.ts";
import { sourceTitle } from "../source-title.ts";

const says = {
  /** `author`: of someone else's answer, here and below. */
  works: (author: string | undefined): Inline =>
    say`✅ ${bold("It works.")} I asked again and the answer now uses ${author === undefined ? "yours" : `${author}'s`}.`,
  /** "[1] ". */
  number: (at: number): string => `[${numberText(at)}] `,
  notTold: "Nobody has been told.",
  /** "1. ". */
  rank: (at: number): string => `${numberText(at)}. `,
  isIn: (base: string, author: string | undefined): Inline =>
    say`${author === undefined ? "Your answer" : answerOf(author)} is in ${bold(base)}.`,
};

const maxQuestionChars = 200;
const maxSummaryChars = 150;
const maxNameChars = 60;

type SaidFacts = {
  readonly answer: string;
  readonly sources: readonly Pick<Source, "title" | "url" | "addedBy">[];
};

type PassageFacts = Pick<Source, "title" | "url" | "relevance"> & { readonly isOwn?: true };

export type ProofFacts = {
  readonly id: string;
  readonly answerId: string;
  readonly gapId: string | undefined;
  readonly question: string;
  readonly agent: string;
  readonly knowledgeBase: string;
  /** What the reader may see of the last answer. */
  readonly before: SaidFacts | undefined;
  /** How many are told, or would be. */
  readonly people: number;
  readonly tell: boolean;
  /** Of someone else's answer. */
  readonly author: string | undefined;
  readonly nowMs: number;
  readonly result:
    | { readonly kind: "used"; readonly tookMs: number; readonly after: SaidFacts }
    | {
        readonly kind: "unused";
        readonly tookMs: number;
        readonly passages?: readonly PassageFacts[];
        readonly isElsewhere?: true;
      }
    /** The answer was removed or replaced meanwhile. */
    | { readonly kind: "failed" | "outdated"; readonly what: string; readonly hint: string };
};

export function proofDocument(facts: ProofFacts): Document {
  const { result } = facts;
  switch (result.kind) {
    case "used":
      return usedDocument(facts, result);
    case "unused":
      return unusedDocument(facts, result);
    case "failed":
      return failedDocument(facts, result);
    case "outdated":
      return said(say`⚠️ ${bold(result.what)}`, [{ kind: "text", text: say`${result.hint}` }], [], "failed");
    default:
      return result satisfies never;
  }
}

type Of<Kind extends ProofFacts["result"]["kind"]> = Extract<ProofFacts["result"], { readonly kind: Kind }>;

function usedDocument(facts: ProofFacts, { after, tookMs }: Of<"used">): Document {
  const { id, before, people, tell, knowledgeBase, nowMs } = facts;
  const told = people === 0 ? "nobody else asked" : tell ? `telling ${those(people)}` : "nobody told yet";
  const tellThem: Action = {
    id: "tell-askers",
    label: people === 1 ? "Tell who asked" : `Tell the ${numberText(people)} who asked`,
    value: id,
    style: "primary",
  };
  return said(
    says.works(whose(facts)),
    [
      ...(before === undefined ? [] : [heading("Before"), ...quoted(before, nowMs)]),
      heading("After"),
      ...quoted(after, nowMs),
      quiet(dotted(say`Added to ${bold(cleanText(knowledgeBase))}`, `tested in ${durationText(tookMs)}`, told)),
    ],
    [...(people > 0 && !tell ? [tellThem] : []), edit(facts, "plain")],
    "done",
  );
}

function unusedDocument(facts: ProofFacts, result: Of<"unused">): Document {
  const { gapId, question, agent, knowledgeBase } = facts;
  const { passages, isElsewhere } = result;
  const dismiss: readonly Action[] =
    gapId === undefined ? [] : [{ id: "gap-dismiss", label: "Dismiss", value: gapId, style: "plain" }];
  const own = passages?.find(({ isOwn }) => isOwn === true);
  const ranking: readonly Block[] =
    isElsewhere === true
      ? [
          {
            kind: "text",
            text: say`${bold(cleanText(agent))} doesn't look in ${bold(cleanText(knowledgeBase))}, so it can't find the answer.`,
          },
        ]
      : passages === undefined
        ? []
        : passages.length === 0
          ? [
              {
                kind: "text",
                text: say`A search for this question finds nothing in ${bold(cleanText(knowledgeBase))}.`,
              },
            ]
          : passages.length === 1 && own !== undefined
            ? [{ kind: "text", text: say`It ranks first for this question, but the agent didn't rely on it.` }]
            : [
                {
                  kind: "text",
                  text: say`${own === undefined ? `A search for this question finds these first, and ${answerOf(whose(facts))} isn't among the first 10.` : "These passages ranked higher:"}`,
                },
                {
                  kind: "list",
                  items: passages.map((passage, at) => ({ text: passageLine(passage, at + 1, whose(facts)) })),
                },
              ];
  const advice =
    isElsewhere === true
      ? "Choose a knowledge base that it looks in, or add this one to it with /agent edit."
      : "Try using the same words as the question.";
  return said(
    say`⚠️ ${bold("Not yet.")} I asked “${shorten(cleanText(question), maxQuestionChars)}” again, but ${answerOf(whose(facts))} wasn't used.`,
    [...ranking, quiet(say`${says.notTold} ${advice}`)],
    [edit(facts, "primary"), ...dismiss],
    "waiting",
  );
}

function failedDocument(
  facts: ProofFacts,
  { what, hint }: Pick<Extract<ProofFacts["result"], { readonly what: string }>, "what" | "hint">,
): Document {
  const again: Action = { id: "prove-again", label: "Ask again", value: facts.id, style: "primary" };
  return said(
    say`⚠️ ${bold("I couldn't ask again.")} ${what}`,
    [
      ...(hint === "" ? [] : [{ kind: "text" as const, text: say`${hint}` }]),
      quiet(say`${says.isIn(cleanText(facts.knowledgeBase), whose(facts))} ${says.notTold}`),
    ],
    [again, edit(facts, "plain")],
    "failed",
  );
}

/** Notifies that person alone: whatever an agent wrote is drawn without pings. */
export function toldDocument(asker: Pick<Actor, "id" | "name"> | undefined, note: SaidFacts, nowMs: number): Document {
  return {
    tone: "info",
    blocks: [
      { kind: "text", text: toldLine(asker) },
      { kind: "markdown", text: note.answer },
      ...sourceLines(note, nowMs),
    ],
    actions: [],
    summary: "There's a better answer to your question now.",
  };
}

/** On the page nobody has a name. */
function toldLine(asker: Pick<Actor, "id" | "name"> | undefined): Inline {
  if (asker === undefined) return say`There's a better answer to your question now:`;
  return say`${{ ...person(asker.name, asker.id), notifies: true }} there's a better answer to your question now:`;
}

/** An answer that was just added, while it is asked again. */
export function provingDocument(done: Document): Document {
  return { ...done, tone: "running", blocks: [...done.blocks, quiet(say`${proofSentences.asking}`)] };
}

/** The proof in place of "Your answer is in …", with what else there is to know and to do. */
export function proofAfter(done: Document, proof: Document): Document {
  const known = ["remove-answer", ...proof.actions.map(({ id }) => id)];
  const more = done.actions.filter(({ id }) => !known.includes(id));
  return { ...proof, blocks: [...proof.blocks, ...done.blocks.slice(1)], actions: [...proof.actions, ...more] };
}

function said(first: Inline, rest: readonly Block[], actions: readonly Action[], tone: Document["tone"]): Document {
  const summary = shorten(inlineText(first), maxSummaryChars);
  return { tone, blocks: [{ kind: "text", text: first }, ...rest], actions, summary };
}

function whose({ author }: ProofFacts): string | undefined {
  return author === undefined ? undefined : shorten(cleanText(author), maxNameChars);
}

function heading(text: string): Block {
  return { kind: "text", text: say`${bold(text)}` };
}

function quiet(text: Inline): Block {
  return { kind: "quiet", text };
}

function edit({ answerId }: ProofFacts, style: Action["style"]): Action {
  return { id: "edit-answer", label: "Edit", value: answerId, style };
}

function quoted(facts: SaidFacts, nowMs: number): readonly Block[] {
  const answer = facts.answer.trim() === "" ? "There was no answer." : facts.answer;
  return [{ kind: "markdown", text: answer.replace(/^/gm, "> ") }, ...sourceLines(facts, nowMs)];
}

function sourceLines({ sources }: SaidFacts, nowMs: number): readonly Block[] {
  return sources.map(({ addedBy, ...source }, at) => {
    const title = sourceTitle(source, undefined, String(at + 1));
    const named = source.url === undefined ? italic(title) : link(title, source.url);
    const from = addedBy === undefined ? undefined : answerSentences.from(cleanText(addedBy.name), addedBy.atMs, nowMs);
    return quiet(dotted(say`${says.number(at + 1)}${named}`, from));
  });
}

function passageLine({ title, url, relevance, isOwn }: PassageFacts, at: number, author: string | undefined): Inline {
  const name = sourceTitle({ title, url }, undefined, String(at));
  const named =
    isOwn === true
      ? bold(author === undefined ? "Your answer" : answerOf(author))
      : url === undefined
        ? say`${name}`
        : link(name, url);
  const rank = say`${says.rank(at)}${named}`;
  return dotted(
    rank,
    relevance === undefined ? undefined : `${Math.round(Math.min(1, Math.max(0, relevance)) * 100)}%`,
  );
}

function answerOf(author: string | undefined): string {
  return author === undefined ? "your answer" : `${author}'s answer`;
}
