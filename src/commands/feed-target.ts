/** Where what is added goes, or the offer to make that knowledge base first. */
import { ParleyError } from "../bridge/errors.ts";
import type { CommandResult } from "../bridge/ports/commands.ts";
import type { Place } from "../bridge/words.ts";
import type { Action } from "../presentation/document.ts";
import { inline } from "../presentation/inline.ts";
import { infoDocument } from "../presentation/notice.ts";
import { feedSentences } from "../presentation/sentences-knowledge.ts";
import { findKnowledgeBase } from "./find.ts";
import { safeName } from "./names.ts";
import type { CommandPorts } from "./ports.ts";
import { privately } from "./results.ts";
import { targetOf } from "./target.ts";

export type FeedTarget = { readonly project: string; readonly knowledgeBase: string };
type Ports = Pick<CommandPorts, "service" | "bindings" | "names" | "settings">;

const fallbackName = "knowledge";
/** Of a button's value, after "kb create ". */
const maxButtonNameChars = 45;

/** `given`: "docs", or "shop.docs" of another project. */
export async function feedTarget(
  ports: Ports,
  place: Place,
  given: string | undefined,
): Promise<{ readonly target: FeedTarget } | { readonly refusal: CommandResult }> {
  if (given === undefined) {
    const target = await targetOf(ports, place);
    if (target === undefined) return { refusal: offerToMake(undefined, undefined) };
    return { target: { project: target.project, knowledgeBase: target.name } };
  }
  const at = given.indexOf(".");
  const project = at <= 0 ? ports.settings.project : given.slice(0, at);
  const name = at <= 0 ? given : given.slice(at + 1);
  try {
    const { name: found } = await findKnowledgeBase({ ...ports, settings: { ...ports.settings, project } }, name);
    return { target: { project, knowledgeBase: found } };
  } catch (failure) {
    const code = failure instanceof ParleyError ? failure.code : undefined;
    if (code === "project_not_found" && at > 0) {
      return { refusal: privately(infoDocument(feedSentences.unknownProject(project), { tone: "failed" })) };
    }
    if (!(failure instanceof ParleyError) || code !== "knowledge_base_not_found") throw failure;
    const isOwn = project === ports.settings.project;
    return { refusal: offerToMake(given, failure.hint, isOwn ? name : undefined) };
  }
}

/** Making one needs another role: the button says so to whoever has it not. */
function offerToMake(given: string | undefined, hint: string | undefined, name?: string): CommandResult {
  const wanted = name === undefined ? "" : ` ${safeName(name, fallbackName).slice(0, maxButtonNameChars)}`;
  const canMake = given === undefined || name !== undefined;
  const action: Action = {
    id: "open-form",
    label: feedSentences.create,
    value: `kb create${wanted}`,
    style: "primary",
  };
  const what = given === undefined ? inline(feedSentences.noBase) : feedSentences.unknownBase(given);
  const more = hint === undefined ? [] : [hint];
  return privately(
    infoDocument([what, ...more, ...(canMake ? [feedSentences.makeBase] : [])], {
      tone: "failed",
      actions: canMake ? [action] : [],
    }),
  );
}
