/** Gaps and knowledge bases for an MCP client, as the page and /admin show them to that person. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Form, FormValues } from "../../../src/core/document.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Overview } from "../../../src/core/ports/overview.ts";
import type { KnowledgeReading, ReadableDocument } from "../../../src/core/ports/platform-module.ts";
import { adminSentences, countText } from "../../../src/presentation/sentences.ts";
import { placeFor } from "../admin/act.ts";
import { adminPagesFor } from "../admin/routes.ts";
import type { Channels } from "../channels/channels.ts";
import { placeOf } from "../intake/inbound.ts";
import { maxMcpFileChars, maxMcpQueryChars } from "../limits.ts";
import { actorOf, type Visitor } from "../people/visitor.ts";
import type { Acting, Said } from "./acting.ts";

/** Documents of a knowledge base in one list, newest first. */
const maxDocuments = 200;
/** Characters of all passages of one search: about what a model reads of ten pages. */
const maxFoundChars = 40_000;
const passagesByDefault = 5;
const maxPassages = 20;

const says = {
  nothingFound: (base: string) => `Nothing found in ${base}.`,
  noBase: "No knowledge base is set here. Name one of those that the resources list.",
  leftOut: (count: number) => `${count} more found, which would be too long. Search for something narrower.`,
  documents: (count: number, base: string) => `${countText(count, "document")} in ${base}`,
  older: (count: number) => `${count} older documents aren't listed here.`,
  noText: "only the agent service knows its text",
  cut: (chars: number) => `${chars} more characters, which would be too long. Search for what you need of them.`,
};

export const uriOf = (base: string, document?: string) =>
  ["parley://knowledge", base, ...(document === undefined ? [] : [document])].map(encodedAfterFirst).join("/");

const encodedAfterFirst = (part: string, index: number) => (index === 0 ? part : encodeURIComponent(part));

const place = z.object({ platform: z.string(), workspace: z.string(), channel: z.string() });
const gapLine = z.object({
  id: z.string(),
  key: z.string(),
  agent: z.string(),
  question: z.string().optional(),
  people: z.number(),
  lastAtMs: z.number(),
  place: place.optional(),
});
const gapList = z.object({ gaps: z.array(gapLine), next: z.string().optional() });

/** As the tool's schema has it. */
export const openGaps = z.object({
  gaps: z.array(
    z.object({
      id: z.string().describe("For add_answer"),
      question: z.string(),
      agent: z.string(),
      people: z.number().describe("How many people asked"),
      lastAskedAt: z.string(),
    }),
  ),
  next: z.string().optional().describe("The cursor of the next page. Absent: this is the last one"),
});

/** As the tool's schemas have it. */
export const knowledgeQuery = z.object({
  query: z.string().min(1).max(maxMcpQueryChars).describe("What to look for"),
  knowledge_base: z.string().min(1).max(200).optional().describe("Its name (default: the one that is set there)"),
  limit: z
    .number()
    .int()
    .min(1)
    .max(maxPassages)
    .optional()
    .describe(`Passages at most (default: ${passagesByDefault})`),
});
export const foundPassages = z.object({
  knowledge_base: z.string(),
  passages: z.array(
    z.object({ text: z.string().describe("The whole passage"), title: z.string(), url: z.string().optional() }),
  ),
  left_out: z.number().describe("Passages that were found, and would have been too long"),
});

export type GivenAnswer = {
  readonly gap: string;
  readonly answer: string;
  readonly question?: string | undefined;
  readonly knowledgeBase?: string | undefined;
};

export function createMcpKnowledge(parts: {
  readonly acting: Acting;
  readonly overview: Overview;
  readonly readKnowledge: KnowledgeReading;
  readonly channels: Pick<Channels, "isOpenTo" | "listFor">;
}) {
  const { acting, overview, readKnowledge, channels } = parts;

  /** Where a new conversation of theirs would begin. */
  const whoIs = async (visitor: Visitor) => ({
    actor: actorOf(visitor),
    place: placeOf(await acting.channelFor(visitor), ""),
  });

  /** What the page of gaps answers. Throws not_allowed for those who don't see it. */
  async function gapsPage(visitor: Visitor, path: string, input: object): Promise<unknown> {
    const page = overview.pages.find(({ name }) => name === "gaps");
    const read = page?.get?.[path];
    if (page === undefined || read === undefined || adminPagesFor([page], visitor).length === 0)
      throw new ParleyError("not_allowed", adminSentences.noRight);
    return read({ viewer: actorOf(visitor), input });
  }

  return {
    gaps: async (visitor: Visitor, cursor?: string): Promise<z.infer<typeof openGaps>> => {
      const { gaps, next } = gapList.parse(await gapsPage(visitor, "", { cursor }));
      const shown = gaps.flatMap(({ key, question, agent, people, lastAtMs }) =>
        question === undefined
          ? []
          : [{ id: key, question, agent, people, lastAskedAt: new Date(lastAtMs).toISOString() }],
      );
      return { gaps: shown, next };
    },

    /** As with the button "Add the answer" at that gap. */
    addAnswer: async (visitor: Visitor, given: GivenAnswer): Promise<Said> => {
      const gap = gapLine.parse(await gapsPage(visitor, "/one", { key: given.gap }));
      const press = { kind: "action", action: "add-answer", value: gap.id } as const;
      const where = await placeFor(visitor, { ...press, id: randomUUID(), place: gap.place }, { overview, channels });
      const opened = await acting.act(visitor, press, where);
      if (opened.form === undefined) return opened;
      const { id: formId, context } = opened.form;
      return acting.act(visitor, { kind: "form", formId, values: filledIn(opened.form, given), context }, where);
    },

    /** Names of those that this person reaches, at most 25. */
    bases: (visitor: Visitor): Promise<readonly string[]> => acting.names(visitor, "knowledge-base"),

    /** Whole passages, best first, with what they are from. */
    search: async (
      visitor: Visitor,
      { query: words, knowledge_base: base, limit = passagesByDefault }: z.infer<typeof knowledgeQuery>,
    ): Promise<{ readonly text: string; readonly found?: z.infer<typeof foundPassages> }> => {
      const result = await readKnowledge.search(await whoIs(visitor), { words, base, limit });
      if (result === undefined) return { text: says.noBase };
      const passages: z.infer<typeof foundPassages>["passages"] = [];
      let chars = 0;
      for (const { text, title, url } of result.passages) {
        chars += text.length;
        if (chars > maxFoundChars && passages.length > 0) break;
        passages.push({ text, title, url });
      }
      const leftOut = result.passages.length - passages.length;
      const lines = passages.map(
        ({ text, title, url }) => `Source: ${url === undefined ? title : `${title} (${url})`}\n${text}`,
      );
      if (lines.length === 0) lines.push(says.nothingFound(result.base));
      if (leftOut > 0) lines.push(says.leftOut(leftOut));
      return { text: lines.join("\n\n"), found: { knowledge_base: result.base, passages, left_out: leftOut } };
    },

    documents: async (visitor: Visitor, base: string): Promise<readonly ReadableDocument[]> =>
      (await readKnowledge.documents(await whoIs(visitor), base, { from: 0, count: maxDocuments })).documents,

    /** The documents of a base, one a line. */
    contents: async (visitor: Visitor, base: string): Promise<string> => {
      const page = { from: 0, count: maxDocuments };
      const { documents, total } = await readKnowledge.documents(await whoIs(visitor), base, page);
      const lines = documents.map(({ id, title, url, hasText }) =>
        [title, url, hasText ? uriOf(base, id) : says.noText].filter((part) => part !== undefined).join(" · "),
      );
      lines.unshift(says.documents(total, base));
      if (total > documents.length) lines.push(says.older(total - documents.length));
      return lines.join("\n");
    },

    /** The text of one. */
    read: async (visitor: Visitor, base: string, id: string): Promise<string> => {
      const { text } = await readKnowledge.read(await whoIs(visitor), base, id);
      if (text.length <= maxMcpFileChars) return text;
      return `${text.slice(0, maxMcpFileChars)}\n\n${says.cut(text.length - maxMcpFileChars)}`;
    },
  };
}

/** What the form offers stays where nothing else is given. */
function filledIn({ fields }: Form, { answer, question, knowledgeBase }: GivenAnswer): FormValues {
  const given: Readonly<Record<string, string | undefined>> = { answer, question, base: knowledgeBase };
  return Object.fromEntries(fields.map(({ name, initial }) => [name, given[name] ?? initial ?? ""]));
}
