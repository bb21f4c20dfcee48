/** Turns what a server cites, or what its searches found, into Sources. */
import type { Source } from "../../core/model/turn.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import { cut } from "../http/texts.ts";

const maxTitleChars = 500;
const maxUrlChars = 4_000;
/** The port limits a Source's excerpt to this length. */
const maxExcerptChars = 300;
/** Of one search, and of one answer. More would never be shown. */
export const maxSources = 100;

/** An annotation of an answer: `url_citation`, `file_citation`, `container_file_citation`. Others cite nothing. */
export function citedSource(annotation: unknown): Source | undefined {
  if (!isObject(annotation) || isProgram(annotation["url"])) return undefined;
  const url = webUrl(annotation["url"]);
  const title = titleOf(annotation["title"], annotation["filename"], url, annotation["file_id"]);
  if (title === undefined) return undefined;
  return { title: cut(title, maxTitleChars).text, url };
}

/** A result of `file_search_call`. */
export function foundPassage(result: unknown): Source | undefined {
  if (!isObject(result)) return undefined;
  const attributes = isObject(result["attributes"]) ? result["attributes"] : {};
  const url = webUrl(attributes["url"]) ?? webUrl(attributes["source"]);
  const title = titleOf(attributes["title"], result["filename"], url, result["file_id"]);
  if (title === undefined) return undefined;
  const excerpt = cut(textOf(result["text"]), maxExcerptChars).text;
  return {
    title: cut(title, maxTitleChars).text,
    url,
    relevance: relevanceOf(result["score"]),
    excerpt: excerpt || undefined,
  };
}

/** Where a web search looked: `{type: "url", url}`. */
export function searchedPage(page: unknown): Source | undefined {
  if (!isObject(page)) return undefined;
  const url = webUrl(page["url"]);
  if (url === undefined) return undefined;
  return { title: cut(titleOf(page["title"], url) ?? url, maxTitleChars).text, url };
}

export function sourceKey({ title, url }: Source): string {
  return url ?? `title ${title}`;
}

function relevanceOf(score: unknown): number | undefined {
  if (typeof score !== "number" || !Number.isFinite(score)) return undefined;
  return Math.min(1, Math.max(0, score));
}

function webUrl(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > maxUrlChars || !/^https?:\/\//i.test(value)) return undefined;
  return URL.canParse(value) ? value : undefined;
}

/** Nobody cites a program, whatever it calls itself. Other addresses, as of files, are left out, and their titles stay. */
function isProgram(url: unknown): boolean {
  return /^(?:javascript|data|vbscript|blob):/i.test(textOf(url).replace(/[\p{Cc}\p{Cf}\s]/gu, ""));
}

/** The first that a person can see. */
function titleOf(...given: readonly unknown[]): string | undefined {
  return given.map(textOf).find((text) => /[^\p{C}\p{Z}]/u.test(text) && !isProgram(text));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}
