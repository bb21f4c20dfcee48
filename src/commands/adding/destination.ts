/** Finds the knowledge base that content goes to, or offers to create one. */
import type { Verdict } from "../../core/access.ts";
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { Inline } from "../../core/document.ts";
import { ParleyError } from "../../core/errors.ts";
import { splitName } from "../../core/tools/split-name.ts";
import { code, infoDocument, inlineText, say } from "../../presentation/drawing.ts";
import { accessSentences, errorText } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import { baseInReach, defaultBaseInReach, manages } from "../names/in-reach.ts";
import { safeName } from "../names/safe-name.ts";
import { formButton, privately } from "../results.ts";
import { knowledgeBaseSentences } from "../words.ts";

/** Answers to `/kb ingest`, `/kb add` and `/kb query`. */
const feedSentences = {
  unknownProject: (name: string): Inline => say`There is no project called ${code(name)}.`,
  noBase: "There are no knowledge bases yet.",
  makeBase: "Create one first, then run the command again.",
  create: "Create it",
} as const;

export type Destination = { readonly project: string; readonly knowledgeBase: string };

const fallbackName = "knowledge";
/** What fits into a button's value after "kb create ". */
const maxButtonNameChars = 45;

/** By name. */
export const basesOf = ({ names }: CommandApp): readonly string[] => names.knowledgeBases().map(({ name }) => name);

/** "handbook https://…" and "https://… to handbook" name one of these knowledge bases beside the URLs. */
export function namedBeside(
  words: readonly string[],
  bases: readonly string[],
): { readonly urls: readonly string[]; readonly into?: string } {
  const nameIn = (word = "") => bases.find((base) => base === word.replace(/:$/, "").toLowerCase());
  const isTo = /^(?:to|into|in)$/i;
  const first = nameIn(words[0]);
  if (first !== undefined && words.length > 1) return { urls: words.slice(1), into: first };
  const last = isTo.test(words.at(-2) ?? "") && words.length > 2 ? nameIn(words.at(-1)) : undefined;
  return last === undefined ? { urls: words } : { urls: words.slice(0, -2), into: last };
}

/** `given`: "docs", or "shop.docs" for another project. */
export async function findDestination(
  app: CommandApp,
  who: Pick<CommandContext, "actor" | "place">,
  given: string | undefined,
): Promise<{ readonly destination: Destination } | { readonly refusal: CommandResult }> {
  const isManager = manages(app, who);
  if (given === undefined) {
    const target = await defaultBaseInReach(app, "ingest", who);
    if (target !== undefined) return { destination: { project: target.project, knowledgeBase: target.name } };
    return { refusal: isManager ? offerToCreate(undefined, undefined) : refuse(accessSentences.noBaseHere) };
  }
  const { project, name } = splitName(given, app.settings.project);
  try {
    const found = await baseInReach(app, given, who);
    const verdict = await app.reach.mayBase(who.actor, "ingest", who.place, found);
    if (verdict.allowed) return { destination: { project, knowledgeBase: found.name } };
    return { refusal: refusalOf(verdict, found.name) };
  } catch (failure) {
    if (failure instanceof ParleyError && !isManager) {
      const { what, hint } = errorText(failure);
      return { refusal: refuse(what, hint) };
    }
    const code = failure instanceof ParleyError ? failure.code : undefined;
    if (code === "project_not_found" && project !== app.settings.project) {
      return { refusal: privately(infoDocument(feedSentences.unknownProject(project), { tone: "failed" })) };
    }
    if (!(failure instanceof ParleyError) || code !== "knowledge_base_not_found") throw failure;
    const isOwn = project === app.settings.project;
    return { refusal: offerToCreate(given, errorText(failure).hint, isOwn ? name : undefined) };
  }
}

/** For work that was started earlier: undefined while the base is still within the person's reach there. */
export async function refusalToAdd(
  app: Pick<CommandApp, "reach">,
  { actor, place }: Pick<CommandContext, "actor" | "place">,
  { project, knowledgeBase }: Destination,
): Promise<CommandResult | undefined> {
  const verdict = await app.reach.mayBase(actor, "ingest", place, { project, name: knowledgeBase });
  return verdict.allowed ? undefined : refusalOf(verdict, knowledgeBase);
}

function refusalOf({ why }: Extract<Verdict, { allowed: false }>, base: string): CommandResult {
  if (why === "read-only")
    return refuse(
      `${base} is Parley's own manual, which comes with each version of Parley.`,
      "Choose another knowledge base, or create one with /kb create.",
    );
  return refuse(inlineText(accessSentences.baseNotHere(base)));
}

/**
 * Records that someone added to a base, which keeps it within their reach. Never rejects, so that the work itself isn't
 * affected.
 */
export async function recordContribution(
  { contributions, log }: CommandApp,
  { actor, place }: Pick<CommandContext, "actor" | "place">,
  { project, knowledgeBase }: Destination,
): Promise<void> {
  await contributions
    .note(actor, place, { project, name: knowledgeBase })
    .catch((err: unknown) => log.warn({ err }, "Could not record who added to a knowledge base"));
}

function refuse(what: string, hint: string = accessSentences.basesFollow): CommandResult {
  return privately(infoDocument([what, hint], { tone: "failed" }));
}

function offerToCreate(given: string | undefined, hint: string | undefined, name?: string): CommandResult {
  const nameWord = name === undefined ? "" : ` ${safeName(name, fallbackName).slice(0, maxButtonNameChars)}`;
  const canCreate = given === undefined || name !== undefined;
  const action = formButton(feedSentences.create, `kb create${nameWord}`);
  const what = given === undefined ? say`${feedSentences.noBase}` : knowledgeBaseSentences.noSuch(given);
  const more = hint === undefined ? [] : [hint];
  return privately(
    infoDocument([what, ...more, ...(canCreate ? [feedSentences.makeBase] : [])], {
      tone: "failed",
      actions: canCreate ? [action] : [],
    }),
  );
}
