/**
 * What the admin pages may send to be carried out, and where: commands, buttons and forms that change or read what Parley
 * runs on. Nothing that asks a question: its answer would appear in a channel. Pure.
 */
import { z } from "zod";
import type { ActionId, Block, Document } from "../../../../src/core/document.ts";
import { isActionId } from "../../../../src/core/document.ts";
import { files, identifier } from "../../intake/inbound.ts";

const part = z.string().min(1).max(200);

const request = {
  /** Of this event. */
  id: identifier,
  /** `channel`: "" for a workspace as a whole. Absent: the page itself. */
  place: z.object({ platform: part, workspace: part, channel: z.string().max(200) }).optional(),
};

export const actRequest = z.discriminatedUnion("kind", [
  z.object({
    ...request,
    kind: z.literal("command"),
    path: z.string().max(100),
    options: z.record(z.string().max(50), z.string().max(4_000)),
  }),
  z.object({ ...request, kind: z.literal("action"), action: z.string().max(100), value: z.string().max(200) }),
  z.object({
    ...request,
    kind: z.literal("form"),
    formId: z.string().max(100),
    /** Never logged, because a field may be a secret. */
    values: z.record(z.string().max(200), z.union([z.string(), z.array(z.string())])),
    context: z.string().max(2_000),
    /** Of all file fields. */
    files,
  }),
]);

export type ActRequest = z.infer<typeof actRequest>;

/** First words of commands and forms. */
const groups: Readonly<Record<"ingest" | "manage", readonly string[]>> = {
  ingest: ["kb"],
  manage: ["kb", "agent", "schedule"],
};
const otherCommands = ["parley mode"];

const ofKnowledge: readonly ActionId[] = [
  ...(["cancel-job", "retry-job", "kb-page", "refresh-document", "remove-document", "add-pages"] as const),
  ...(["gap-show", "gap-page", "gap-dismiss", "gap-reopen", "gap-merge", "gap-split"] as const),
  ...(["add-answer", "edit-answer", "restore-answer", "remove-answer", "answer-holds"] as const),
  ...(["tell-askers", "prove-again", "confirm", "dismiss", "open-form"] as const),
];
const ofManaging: readonly ActionId[] = [
  ...(["use-agent", "connect-base", "run-checks", "choose-here"] as const),
  ...(["schedule-pause", "schedule-resume", "schedule-run", "schedule-delete"] as const),
];

type Actor = "ingest" | "manage";

function mayPress(role: Actor, action: string): action is ActionId {
  return isActionId(action) && (ofKnowledge.includes(action) || (role === "manage" && ofManaging.includes(action)));
}

/** Whether it can be done from the admin pages at all. Whether this person may do it there, the bridge decides. */
export function isForHere(role: Actor, request: ActRequest): boolean {
  const isOfGroup = (name: string) => groups[role].includes(name.split(" ")[0] ?? "");
  switch (request.kind) {
    case "command":
      return isOfGroup(request.path) || (role === "manage" && otherCommands.includes(request.path));
    case "form":
      return isOfGroup(request.formId);
    case "action":
      return mayPress(role, request.action);
    default:
      return request satisfies never;
  }
}

/** Whether it only ends what was begun or set for a place, and needs nothing of the place: its platform may be off. */
export function isRemoval(request: ActRequest): boolean {
  if (request.kind === "command") return request.path === "agent clear";
  return request.kind === "action" && ["schedule-pause", "schedule-delete", "cancel-job"].includes(request.action);
}

/** Without the buttons that would be refused. */
export function withOwnButtons(role: Actor, document: Document): Document {
  const isOwn = ({ id }: { readonly id: string }) => mayPress(role, id);
  const blocks = document.blocks.flatMap((block): readonly Block[] => {
    if (block.kind === "fold") return [{ ...block, actions: block.actions.filter(isOwn) }];
    if (block.kind !== "actions") return [block];
    const actions = block.actions.filter(isOwn);
    return actions.length === 0 ? [] : [{ ...block, actions }];
  });
  return { ...document, blocks, actions: document.actions.filter(isOwn) };
}
