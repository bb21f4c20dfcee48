/**
 * Carries out what people change on the admin pages: as the command, button or form that exists in chat, in the place that
 * they change. What Parley says goes back in the response, line by line, so only the tab that asked reads it.
 */
import type { Hono } from "hono";
import { stream } from "hono/streaming";
import type { FieldErrors, Form } from "../../../src/core/document.ts";
import { ParleyError, toParleyError } from "../../../src/core/errors.ts";
import {
  type Actor,
  type Attachment,
  idAway,
  type Place,
  type Workspace,
  workspaceKey,
} from "../../../src/core/model/place.ts";
import type { Inbound, InboundPort } from "../../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import type { Overview } from "../../../src/core/ports/overview.ts";
import { byWhom } from "../../../src/core/tools/ids.ts";
import { createPause } from "../../../src/core/tools/pause.ts";
import { defaultRoom, drawWithin } from "../../../src/presentation/drawing.ts";
import { adminSentences, errorText } from "../../../src/presentation/sentences.ts";
import type { Channels } from "../channels/channels.ts";
import { render, renderForm } from "../drawing/render.ts";
import type { AttachedFiles } from "../files/attached-files.ts";
import { platformName, workspaceName } from "../intake/inbound.ts";
import { heartbeatMs, platformLimits } from "../limits.ts";
import { actorOf, localVisitor, type Visitor, visitorOf } from "../people/visitor.ts";
import type { ConsolePayload } from "../writing/messages.ts";
import { type ActRequest, actRequest, isForHere, isRemoval, withOwnButtons } from "./acting/act-request.ts";

const says = {
  /** In a chat, where nobody signs in to the page. */
  someone: "Someone on Parley's page",
};

const { answers: room = defaultRoom } = platformLimits;

export type ActParts = {
  readonly overview: Overview;
  readonly channels: Pick<Channels, "isOpenTo" | "listFor">;
  readonly attached: Pick<AttachedFiles, "take">;
  /** Undefined before the start and after the end. */
  readonly port: () => InboundPort | undefined;
  readonly clock: Clock;
  readonly log: Log;
};

export function mountAct(app: Hono, parts: ActParts): void {
  app.post("/api/admin/act", async (context) => {
    // A form on another site can't send a JSON body.
    if (context.req.header("content-type")?.startsWith("application/json") !== true) {
      return context.text("Send application/json.\n", 415);
    }
    const parsed = actRequest.safeParse(await context.req.json().catch(() => undefined));
    if (!parsed.success) throw new ParleyError("command_invalid", { hint: "Reload the page and try again." });
    const visitor = visitorOf(context);
    const place = await placeFor(visitor, parsed.data, parts);
    const attachments = await attachmentsOf(visitor, place, parsed.data, parts);
    const port = parts.port();
    if (port === undefined) throw new ParleyError("state_unavailable");
    return stream(context, async (out) => {
      context.header("content-type", "application/x-ndjson; charset=utf-8");
      const say = async (line: ActLine) => void (await out.write(`${JSON.stringify(line)}\n`));
      let stopBeat = () => {};
      const beat = () => {
        stopBeat = parts.clock.after(heartbeatMs, () => void say({ kind: "beat" }).then(beat, () => undefined));
      };
      beat();
      try {
        await act(port, { visitor, place, request: parsed.data, attachments, say }, parts);
      } finally {
        stopBeat();
      }
    });
  });
}

/** There, from here. Whether they really may, the bridge decides. */
const roleAt = ({ role, managesIn = [] }: Visitor, place: Workspace | undefined) =>
  role === "manage" || (place !== undefined && managesIn.includes(workspaceKey(place))) ? "manage" : "ingest";

/** Throws for what can't be done from here: another person's direct messages, and for some people private channels. */
export async function placeFor(
  visitor: Visitor,
  request: ActRequest,
  { overview, channels }: Pick<ActParts, "overview" | "channels">,
): Promise<Place> {
  const role = roleAt(visitor, request.place);
  if (!isForHere(role, request)) throw new ParleyError("not_allowed", adminSentences.notHere);
  const [first] = await channels.listFor(visitor);
  const place = request.place ?? { platform: platformName, workspace: workspaceName, channel: first?.id ?? "" };
  if (place.platform === platformName) {
    const isOwn = place.workspace === workspaceName && (await channels.isOpenTo(visitor, place.channel));
    if (!isOwn) throw new ParleyError("place_gone", adminSentences.noSuchPlace);
    // What it says later, such as the end of a job, begins a conversation.
    return { ...place, thread: request.id };
  }
  const kind = overview.kindOf(place);
  if (kind === "unknown" && role === "manage" && isRemoval(request)) return place;
  if (kind === "unknown") throw new ParleyError("place_gone", adminSentences.noSuchPlace);
  const isOpen = role === "manage" || (await overview.isPublic(place));
  if (kind === "direct" || !isOpen) throw new ParleyError("not_allowed", adminSentences.notHere);
  return place;
}

/** Another platform couldn't open them. Throws file_refused where one is no longer stored, or is another person's. */
async function attachmentsOf(
  visitor: Visitor,
  place: Place,
  request: ActRequest,
  { attached }: ActParts,
): Promise<readonly Attachment[]> {
  const files = request.kind === "form" ? (request.files ?? []) : [];
  if (files.length === 0) return [];
  if (place.platform !== platformName) throw new ParleyError("command_invalid", adminSentences.notHere);
  return (await attached.take(files, visitor.id)).attachments;
}

/** Elsewhere the id begins with the page's name, so that it is nobody's there, and "You" would mean the reader. */
export function actorAt(visitor: Visitor, { platform }: Place): Actor {
  const actor = actorOf(visitor);
  if (platform === platformName) return actor;
  const name = visitor.id === localVisitor.id ? says.someone : actor.name;
  return { ...actor, id: idAway(actor), name };
}

/** A line of the response. "beat": it is still at work. */
export type ActLine =
  | { readonly kind: "beat" | "done" }
  | { readonly kind: "form"; readonly form: Form }
  | { readonly kind: "errors"; readonly errors: FieldErrors }
  | { readonly kind: "shown"; readonly payloads: readonly ConsolePayload[] }
  | {
      readonly kind: "failed";
      readonly error: { readonly code: string; readonly what: string; readonly hint: string };
    };

/** What someone does, where, and who hears what Parley says to it. */
type Deed = {
  readonly visitor: Visitor;
  readonly place: Place;
  readonly request: ActRequest;
  readonly attachments: readonly Attachment[];
  readonly say: (line: ActLine) => Promise<void>;
};

function inboundOf(
  { visitor, place, request, attachments }: Deed,
  answer: Pick<Inbound, "ack" | "reply" | "order">,
): Inbound {
  const actor = actorAt(visitor, place);
  const eventKey = `${workspaceKey(place)}/admin/${byWhom(visitor.id, request.id)}`;
  const base = { eventKey, place, actor, conversation: place, ...answer };
  switch (request.kind) {
    case "command": {
      const { path, options } = request;
      return { ...base, kind: "command", input: { kind: "structured", path, options }, attachments: [] };
    }
    case "action":
      return { ...base, kind: "action", action: request.action, value: request.value };
    case "form": {
      const { formId, values, context } = request;
      return { ...base, kind: "form", formId, values, context, attachments };
    }
    default:
      return request satisfies never;
  }
}

/** Without file fields where files couldn't be opened. */
function formFor({ platform }: Place, form: Form): Form {
  return platform === platformName ? form : { ...form, fields: form.fields.filter(({ type }) => type !== "file") };
}

async function act(port: InboundPort, deed: Deed, { clock, log }: Pick<ActParts, "clock" | "log">): Promise<void> {
  const { visitor, place, say } = deed;
  const role = roleAt(visitor, place);
  const inbound = inboundOf(deed, {
    order: String(clock.now()).padStart(16, "0"),
    ack: async (how) => {
      if (how.kind === "form") await say({ kind: "form", form: renderForm(formFor(place, how.form)) });
      if (how.kind === "form-errors") await say({ kind: "errors", errors: how.errors });
    },
    reply: {
      send: async (document) => {
        try {
          const { pages } = await drawWithin(withOwnButtons(role, document), room, render, createPause(clock));
          await say({ kind: "shown", payloads: pages.flatMap((page) => render(page)) });
        } catch (thrown) {
          log.info({ err: thrown }, "What Parley said to a person on the admin pages didn't reach them");
        }
      },
    },
  });
  try {
    await port.handle(inbound);
    await say({ kind: "done" });
  } catch (thrown) {
    log.error({ err: thrown }, "A change on the admin pages failed in the bridge");
    const error = toParleyError(thrown);
    await say({ kind: "failed", error: { code: error.code, ...errorText(error) } });
  }
}
