/**
 * `/kb ingest`: checks URLs while the person waits, then adds the pages in a background Job. One bad URL doesn't stop
 * the others: the Job's message lists it with the reason.
 */

import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { Inline } from "../../core/document.ts";
import type { CrawlLimits, IngestSettings } from "../../knowledge/knowledge.ts";
import { code, dotted, infoDocument, listDocument, say } from "../../presentation/drawing.ts";
import { countText, numberText, shorten } from "../../presentation/sentences.ts";
import { addressItems } from "../adding/address-items.ts";
import { basesOf, findDestination, namedBeside, recordContribution } from "../adding/destination.ts";
import type { CommandApp } from "../app.ts";
import { type Command, type OptionValues, textOption } from "../command.ts";
import { maxListChars, maxListed } from "../parsing/parsed.ts";
import { privately } from "../results.ts";
import { feedSentences, problemSentences } from "../words.ts";
import { intoOption } from "./kb-words.ts";

/** Answers to `/kb ingest`, `/kb add` and `/kb query`. */
const says = {
  runningAlready: (addresses: readonly string[]): Inline =>
    say`Already being added by another job: ${addresses.join(", ")}`,
  twice: (count: number): string => `${countText(count, "duplicate URL")} skipped.`,
  noneTaken: "Nothing was added:",
  tooMany: (most: number): string => `That's more than ${numberText(most)} URLs. Split them over several commands.`,
  noAddress: "Add at least one URL that starts with https://.",
  limited: (pages: number, depth: number): string =>
    `Limited to ${countText(pages, "page")} and a link depth of ${numberText(depth)} for each URL.`,
  badDomain: (domain: string): Inline =>
    say`${code(domain)} isn't a domain name. Write it like ${code("example.com")}.`,
  onlyParleyReads: say`Parley reads web pages itself here. Leave out ${code("by service")}.`,
} as const;

const maxShown = 20;
/** Limits of a crawl where the command doesn't give any. */
const defaultPages = 20;
const defaultDepth = 2;

export const kbIngest: Command = {
  path: "kb ingest",
  summary: "Add web pages to a knowledge base",
  offer: "knowledge-bases",
  options: [
    {
      name: "urls",
      summary: "Page URLs, separated by spaces",
      type: "text",
      isRequired: true,
      isList: true,
    },
    intoOption,
    {
      name: "limit",
      summary: "Most pages to read per URL",
      type: "integer",
      isRequired: false,
      minimum: 1,
      maximum: 10_000,
    },
    {
      name: "depth",
      summary: "How many links deep to follow (0 = this page only)",
      type: "integer",
      isRequired: false,
      minimum: 0,
      maximum: 20,
    },
    {
      name: "domains",
      summary: "Other domains to follow, separated by commas",
      type: "text",
      isRequired: false,
    },
    {
      name: "by",
      summary: "Who reads the pages: the agent service, Parley, or automatic",
      type: "choice",
      isRequired: false,
      choices: ["auto", "service", "parley"],
    },
  ],
  role: "ingest",
  examples: ["kb ingest https://example.com/faq", "kb ingest https://example.com/docs into docs limit 20 depth 2"],
  run: ingest,
};

export async function ingest(app: CommandApp, options: OptionValues, context: CommandContext): Promise<CommandResult> {
  const given = Array.isArray(options["urls"]) ? options["urls"].map(String) : [];
  const parts = given.flatMap((text) => text.split(/(?<![\s,])[\s,]+(?=https?:)|\s+/i));
  // People separate URLs as in a sentence or list; a final dot may belong to the URL.
  const words = parts.map((text) => text.replace(/[,;]$/, "")).filter((text) => text !== "");
  const named = textOption(options, "into");
  const { urls: texts, into = named } = named === undefined ? namedBeside(words, basesOf(app)) : { urls: words };
  if (texts.length === 0) return refuse(says.noAddress);
  // Text that is only URLs comes here from `/kb add` too, and several can be one word.
  if (texts.length > maxListed) return refuse(says.tooMany(maxListed));
  if (texts.join(" ").length > maxListChars) return refuse(problemSentences.listTooLong(maxListed, maxListChars));
  const domains = domainsOf(textOption(options, "domains") ?? "");
  if ("wrong" in domains) return refuse(says.badDomain(domains.wrong));
  const limits = crawlLimits(options, domains.domains, app.knowledge.settings);
  if (limits === undefined) {
    return refuse(says.limited(app.knowledge.settings.maxPages, app.knowledge.settings.maxDepth));
  }
  const found = await findDestination(app, context, into);
  if ("refusal" in found) return found.refusal;
  const way = await app.knowledge.way(wayOf(textOption(options, "by")));
  if (way === undefined) return refuse(says.onlyParleyReads);
  const { items, duplicates } = await addressItems(app, texts, way, context);
  const about = { knowledgeBase: `${found.destination.project}.${found.destination.knowledgeBase}`, way };
  if (items.every((item) => item.state === "failed")) {
    const addresses = items
      .map(({ label }) => label)
      .join(" ")
      .slice(0, 1_000);
    const entry = { role: "ingest", action: "kb ingest", about: { ...about, addresses }, outcome: "failed" } as const;
    await app.audit.record(context, entry);
    const lines = items
      .slice(0, maxShown)
      .map(({ label, reason = "" }) => ({ mark: "failed" as const, text: dotted(label, reason) }));
    return privately(listDocument(says.noneTaken, lines, { tone: "failed" }));
  }
  const { job, running } = await app.knowledge.jobs.begin({
    context,
    ...found.destination,
    way,
    limits,
    action: "kb ingest",
    items: items.map((item) => ({ item, payload: { kind: "url" } })),
  });
  if (job !== undefined) await recordContribution(app, context, found.destination);
  const said: (string | Inline)[] = [];
  if (job !== undefined) said.push(feedSentences.begun(job.items.length, "address", found.destination.knowledgeBase));
  if (running.length > 0) said.push(says.runningAlready(running.slice(0, maxShown)));
  if (duplicates > 0) said.push(says.twice(duplicates));
  return privately(infoDocument(said, { tone: job === undefined ? "info" : "running" }));
}

/** A single page unless more is requested; undefined when it exceeds the settings. */
function crawlLimits(
  options: OptionValues,
  domains: readonly string[],
  settings: Pick<IngestSettings, "maxPages" | "maxDepth">,
): CrawlLimits | undefined {
  const { limit, depth } = options;
  const isCrawl = limit !== undefined || depth !== undefined || domains.length > 0;
  const pages = typeof limit === "number" ? limit : isCrawl ? Math.min(defaultPages, settings.maxPages) : 1;
  const steps = typeof depth === "number" ? depth : isCrawl ? Math.min(defaultDepth, settings.maxDepth) : 0;
  if (pages > settings.maxPages || steps > settings.maxDepth) return undefined;
  return { limit: steps === 0 ? 1 : pages, depth: steps, domains };
}

function domainsOf(text: string): { readonly domains: readonly string[] } | { readonly wrong: string } {
  const domains: string[] = [];
  for (const given of text.split(/[\s,;]+/).filter((part) => part !== "")) {
    const bare = given.replace(/^https?:\/\//i, "").replace(/^\*?\./, "");
    const host = URL.parse(`https://${bare}`)?.hostname;
    if (host === undefined || host === "" || !/^[\p{L}\p{N}.:[\]-]+$/u.test(bare)) {
      return { wrong: shorten(given, 80) };
    }
    domains.push(host);
  }
  return { domains: [...new Set(domains)] };
}

function wayOf(text: string | undefined): "auto" | "service" | "parley" | undefined {
  return text === "service" || text === "parley" || text === "auto" ? text : undefined;
}

function refuse(sentence: string | Inline): CommandResult {
  return privately(infoDocument(say`${sentence}`, { tone: "failed" }));
}
