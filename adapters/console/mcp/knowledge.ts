/** Gaps and knowledge bases for an MCP client, as the page and /admin show them to that person. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Form, FormValues } from "../../../src/core/document.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Overview } from "../../../src/core/ports/overview.ts";
import { adminSentences } from "../../../src/presentation/sentences.ts";
import { placeFor } from "../admin/act.ts";
import { adminPagesFor } from "../admin/routes.ts";
import type { Channels } from "../channels/channels.ts";
import { actorOf, type Visitor } from "../people/visitor.ts";
import type { Acting, Said } from "./acting.ts";

/** Pages of a knowledge base's list that are read at once: 200 documents. */
const maxPages = 20;

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

export type GivenAnswer = {
  readonly gap: string;
  readonly answer: string;
  readonly question?: string | undefined;
  readonly knowledgeBase?: string | undefined;
};

export function createMcpKnowledge(parts: {
  readonly acting: Acting;
  readonly overview: Overview;
  readonly channels: Pick<Channels, "isOpenTo" | "listFor">;
}) {
  const { acting, overview } = parts;

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
      const where = await placeFor(visitor, { ...press, id: randomUUID(), place: gap.place }, parts);
      const opened = await acting.act(visitor, press, where);
      if (opened.form === undefined) return opened;
      const { id: formId, context } = opened.form;
      return acting.act(visitor, { kind: "form", formId, values: filledIn(opened.form, given), context }, where);
    },

    /** Names of those that this person reaches, at most 25. */
    bases: (visitor: Visitor): Promise<readonly string[]> => acting.names(visitor, "knowledge-base"),

    /** The documents of one, as `/kb show` lists them. */
    documents: async (visitor: Visitor, base: string): Promise<string> => {
      const texts: string[] = [];
      for (let page = 1; page <= maxPages; page += 1) {
        const options = { name: base, page: String(page) };
        const { document } = await acting.act(visitor, { kind: "command", path: "kb show", options });
        if (document === undefined) break;
        texts.push(acting.textOf(document));
        const hasMore = document.actions.some(({ id, label }) => id === "kb-page" && label === "Older");
        if (!hasMore) break;
      }
      return texts.join("\n\n");
    },
  };
}

/** What the form offers stays where nothing else is given. */
function filledIn({ fields }: Form, { answer, question, knowledgeBase }: GivenAnswer): FormValues {
  const given: Readonly<Record<string, string | undefined>> = { answer, question, base: knowledgeBase };
  return Object.fromEntries(fields.map(({ name, initial }) => [name, given[name] ?? initial ?? ""]));
}
