/**
 * Routes the page's requests to the bridge. The HTTP response is the acknowledgement: 202 means that the event is
 * journaled; after a 503 the page keeps what was typed and retries under the same id.
 */
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { z } from "zod";
import { completions, type Document } from "../../../src/core/document.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { ChartPictures } from "../../../src/core/model/chart.ts";
import type { Actor, Place } from "../../../src/core/model/place.ts";
import type { Acknowledgement, Inbound, InboundPort, Responder } from "../../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import { withTimeout } from "../../../src/core/tools/timeout.ts";
import type { Channels } from "../channels/channels.ts";
import { mayRead, mayReceive } from "../channels/reading.ts";
import type { Deletions } from "../conversations/deletions.ts";
import { render, renderForm, safeChoices } from "../drawing/render.ts";
import type { AttachedFiles } from "../files/attached-files.ts";
import { ackTimeoutMs, maxBodyBytes, pictureTimeoutMs } from "../limits.ts";
import { authorOf, isOwn, mayDelete } from "../people/authors.ts";
import { actorOf, type Visitor, visitorOf } from "../people/visitor.ts";
import { chartsOf, type PageEvent } from "../writing/messages.ts";
import type { ResponderFor } from "../writing/responder.ts";
import type { Hub } from "../writing/sse.ts";
import type { ConsoleStore } from "../writing/store.ts";
import type { CommandDescription } from "./command-list.ts";
import * as inbound from "./inbound.ts";
import { problem, problemOf } from "./problem.ts";

export type RoutesOptions = {
  readonly store: ConsoleStore;
  readonly hub: Hub;
  readonly channels: Pick<Channels, "isOpenTo">;
  readonly deletions: Pick<Deletions, "question" | "edit">;
  readonly clock: Clock;
  readonly log: Log;
  /** Every command, for completion. */
  readonly commands: () => readonly CommandDescription[];
  /** What an empty conversation shows. Within half a second. */
  readonly firstView: (actor: Actor, place: Place) => Promise<Document>;
  readonly pictures: Pick<ChartPictures, "svg">;
  readonly responderFor: ResponderFor;
  readonly attached: AttachedFiles;
  /** Undefined before the start and after the end. */
  readonly port: () => InboundPort | undefined;
};

const refused = (error: ParleyError) => Response.json(problemOf(error), { status: 422 });
const notAccepted = () =>
  Response.json(problem("state_unavailable", "Your message is saved here and will be sent again."), { status: 503 });

export function createRoutes(options: RoutesOptions): Hono {
  const { store, hub, clock, log, responderFor, channels, attached } = options;
  const app = new Hono();

  /** Hands over the event and waits for its acknowledgement; undefined if there was none. */
  async function deliver(
    visitor: Visitor,
    reply: Responder,
    build: (parts: inbound.EventParts) => Inbound,
    given?: { readonly order: string },
  ): Promise<Acknowledgement | undefined> {
    const port = options.port();
    if (port === undefined) return undefined;
    const order = given?.order ?? (await store.nextOrder());
    const acknowledged = new Promise<Acknowledgement | undefined>((resolve) => {
      const ack = async (how: Acknowledgement) => resolve(how);
      port.handle(build({ actor: actorOf(visitor), order, ack, reply })).then(
        () => resolve(undefined),
        (thrown: unknown) => {
          log.error({ err: thrown }, "An event from the page failed in the bridge");
          resolve(undefined);
        },
      );
    });
    return withTimeout(acknowledged, ackTimeoutMs, clock);
  }

  function answer(acknowledged: Acknowledgement | undefined, thread: string): Response {
    if (acknowledged === undefined) return notAccepted();
    switch (acknowledged.kind) {
      case "none":
      case "defer":
      case "defer-private":
        return Response.json({ thread }, { status: 202 });
      case "form":
        return Response.json({ thread, form: renderForm(acknowledged.form) }, { status: 200 });
      case "form-errors":
        return Response.json({ errors: acknowledged.errors }, { status: 422 });
      default:
        return acknowledged satisfies never;
    }
  }

  /** A route for an event: parses its body, checks its channel, and answers 503 if the storage fails. */
  function accepts<T extends { readonly channel: string }>(
    method: "post" | "put" | "delete",
    path: string,
    schema: z.ZodType<T>,
    handle: (request: T, visitor: Visitor) => Promise<Response>,
  ): void {
    app[method](path, async (context) => {
      // A form on another site can't send a JSON body.
      if (context.req.header("content-type")?.startsWith("application/json") !== true) {
        return context.text("Send application/json.\n", 415);
      }
      const parsed = schema.safeParse(await context.req.json().catch(() => undefined));
      if (!parsed.success) return context.json(problem("command_invalid", "Reload the page and try again."), 400);
      const visitor = visitorOf(context);
      if (options.port() === undefined) return notAccepted();
      try {
        const isOpen = await channels.isOpenTo(visitor, parsed.data.channel);
        return isOpen ? await handle(parsed.data, visitor) : context.json(problem("place_gone"), 404);
      } catch (thrown) {
        if (thrown instanceof ParleyError && thrown.code === "file_refused") return refused(thrown);
        log.error({ err: thrown, path }, "An event from the page could not be accepted");
        return notAccepted();
      }
    });
  }

  app.use(
    "/api/*",
    bodyLimit({ maxSize: maxBodyBytes, onError: (context) => context.json(problem("question_too_long"), 413) }),
  );
  app.use("/api/*", async (context, next) => {
    await next();
    context.header("cache-control", "no-store");
  });

  accepts("post", "/api/messages", inbound.messageRequest, async (request, visitor) => {
    if (request.text.trim() === "" && !hasFiles(request))
      return Response.json(problem("question_empty", "Write your question in the box below."), { status: 422 });
    const at = { channel: request.channel, thread: inbound.threadOf(request) };
    const isCommand = inbound.isCommand(request.text);
    const before = await store.get(at, request.id);
    if (before !== undefined && !isOwn(before, visitor)) return notAllowed();
    // Someone is deleting the conversation.
    if (await store.isGoing(at)) return Response.json(problem("place_gone"), { status: 404 });
    const usedBy = isCommand ? undefined : { ...at, message: request.id };
    const { attachments, files } = await attached.take(request.files, visitor.id, usedBy);
    if (isCommand) await store.noteAsked(at, request.id, request.text, visitor.id);
    const by = authorOf(visitor);
    const question = isCommand ? undefined : await store.putQuestion(at, request.id, request.text, by, files);
    const acknowledged = await deliver(
      visitor,
      responderFor({ ...request, person: visitor.id }, at),
      (parts) => inbound.messageInbound(request, parts, attachments),
      question,
    );
    return answer(acknowledged, at.thread);
  });

  accepts("put", "/api/messages", inbound.editRequest, async (request, visitor) => {
    const before = await store.get(threadIn(request), request.messageId);
    if (before?.author === "you" && !isOwn(before, visitor)) return notAllowed();
    const files = before?.author === "you" ? before.files : undefined;
    if (request.text.trim() === "" && files === undefined)
      return Response.json(problem("question_empty", "Write a question, or delete the message."), { status: 422 });
    const finished = await options.deletions.edit(request, actorOf(visitor));
    const changed = await store.changeText(request, request.messageId, request.text);
    if (changed === undefined) {
      await finished();
      return Response.json(problem("message_gone"), { status: 404 });
    }
    const reply = responderFor({ ...request, person: visitor.id }, threadIn(request));
    const attachments = await attached.of(files);
    const build = (parts: inbound.EventParts) => inbound.editInbound(request, parts, attachments);
    const acknowledged = await deliver(visitor, reply, build);
    if (acknowledged !== undefined) await finished();
    return answer(acknowledged, request.thread);
  });

  accepts("delete", "/api/messages", inbound.deleteRequest, async (request, visitor) => {
    const at = threadIn(request);
    const message = await store.get(at, request.messageId);
    if (message === undefined) return Response.json({ thread: at.thread }, { status: 202 });
    if (!mayDelete(message, visitor)) return notAllowed();
    const isForgotten = await options.deletions.question(request, actorOf(visitor));
    return isForgotten ? Response.json({ thread: at.thread }, { status: 202 }) : notAccepted();
  });

  accepts("post", "/api/actions", inbound.actionRequest, async (request, visitor) => {
    const { id, tab, action, messageId } = request;
    // One note per button of a message: pressing it again replaces the earlier note. Thumbs and their form share one.
    const event = {
      id: `${messageId ?? id}.${action.startsWith("thumb-") ? "feedback" : action}`,
      tab,
      person: visitor.id,
    };
    const reply = responderFor(event, { ...threadIn(request), anchor: messageId });
    return answer(
      await deliver(visitor, reply, (parts) => inbound.actionInbound(asVoter(request, visitor), parts)),
      request.thread,
    );
  });

  accepts("post", "/api/forms", inbound.formRequest, async (request, visitor) => {
    const { id, tab, messageId, formId } = request;
    const event = { id: messageId === undefined ? id : `${messageId}.${formId}`, tab, person: visitor.id };
    const reply = responderFor(event, { ...threadIn(request), anchor: messageId });
    const { attachments } = await attached.take(request.files, visitor.id);
    const build = (parts: inbound.EventParts) => inbound.formInbound(asVoter(request, visitor), parts, attachments);
    return answer(await deliver(visitor, reply, build), request.thread);
  });

  app.get("/api/complete", async (context) => {
    const asked = context.req.query("completes");
    const completes = completions.find((known) => known === asked);
    const channel = context.req.query("channel") ?? "";
    const port = options.port();
    const visitor = visitorOf(context);
    const isOpen = completes !== undefined && (await channels.isOpenTo(visitor, channel));
    if (completes === undefined || !isOpen || port === undefined) return context.json([]);
    const typed = (context.req.query("typed") ?? "").slice(0, 200);
    const { platformName: platform, workspaceName: workspace } = inbound;
    const place = { platform, workspace, channel };
    return context.json(safeChoices(await port.complete({ completes, typed, place, actor: actorOf(visitor) })));
  });

  app.get("/api/commands", (context) => context.json(options.commands()));

  app.get("/api/channels/:channel/first-view", async (context) => {
    const { channel } = context.req.param();
    const visitor = visitorOf(context);
    if (!(await channels.isOpenTo(visitor, channel))) return context.json(problem("place_gone"), 404);
    const { platformName: platform, workspaceName: workspace } = inbound;
    const [payload] = render(await options.firstView(actorOf(visitor), { platform, workspace, channel }));
    return context.json(payload);
  });

  /** What happens, as a stream; or only what waits for that tab, for pages that can't have a stream. */
  for (const path of ["/api/events", "/api/notes"] as const) {
    app.get(path, (context) => {
      const tab = inbound.identifier.safeParse(context.req.query("tab"));
      if (!tab.success) return context.text("The tab is missing or invalid.\n", 400);
      const visitor = visitorOf(context);
      const reader = { tab: tab.data, person: visitor.id, session: context.get("session") };
      const isFor = (event: PageEvent) => mayReceive(visitor, event);
      return path === "/api/notes" ? context.json(hub.take(reader, isFor)) : hub.stream(context, reader, isFor);
    });
  }

  // The picture of a message's chart, by its number in the message: the URL holds nothing of what is drawn.
  app.get("/api/charts/:channel/:thread/:message/:number", async (context) => {
    const { channel, thread, message: id, number } = context.req.param();
    const isOpen = await channels.isOpenTo(visitorOf(context), channel);
    const message = isOpen ? await store.get({ channel, thread }, id) : undefined;
    const chart =
      message?.author === "parley" && /^\d{1,4}$/.test(number)
        ? chartsOf(message.payload.blocks)[Number(number)]
        : undefined;
    if (chart === undefined) return context.text("This chart is no longer available.\n", 404);
    const theme = context.req.query("theme") === "dark" ? "dark" : "light";
    const width = context.req.query("width") === "narrow" ? "narrow" : "wide";
    const svg = await withTimeout(options.pictures.svg(chart, theme, width), pictureTimeoutMs, clock);
    if (svg === undefined) return context.text("This chart can't be drawn now.\n", 503);
    return context.body(svg.toString(), 200, { "content-type": "image/svg+xml; charset=utf-8" });
  });

  app.get("/files/:id", async (context) => {
    const file = await store.getFile(context.req.param("id"));
    const isOpen = file !== undefined && mayRead(visitorOf(context), file.channel);
    if (!isOpen) return context.text("This file is no longer available.\n", 404);
    return context.body(file.content, 200, {
      // Always a download, never a page: the content is untrusted.
      "content-type": /^text\/(csv|plain)$/.test(file.mediaType)
        ? `${file.mediaType}; charset=utf-8`
        : "application/octet-stream",
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    });
  });

  return app;
}

const hasFiles = ({ files = [] }: { readonly files?: readonly string[] | undefined }) => files.length > 0;
const notAllowed = () => Response.json(problem("not_allowed"), { status: 403 });

/** Where nobody signs in, each browser has a vote; elsewhere each person. */
function asVoter<T extends { readonly voter?: string | undefined }>(request: T, visitor: Visitor): T {
  return visitor.how === "loopback" ? request : { ...request, voter: undefined };
}

function threadIn({ channel, thread }: { readonly channel: string; readonly thread: string }) {
  return { channel, thread };
}
