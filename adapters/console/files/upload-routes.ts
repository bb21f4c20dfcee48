/**
 * Routes for attached files: announced, uploaded as a stream, removed before sending, and downloaded by those who can
 * read their conversation. Refusals come before the content, because browsers show none that comes during it.
 */
import { ReadableStream as NodeStream } from "node:stream/web";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import type { Channels } from "../channels/channels.ts";
import { identifier } from "../intake/inbound.ts";
import { problemOf } from "../intake/problem.ts";
import { isGuest, visitorOf } from "../people/visitor.ts";
import type { ConsoleStore } from "../writing/store.ts";
import type { Upload, Uploads } from "./uploads.ts";

const announcement = z.object({
  name: z.string(),
  mediaType: z.string().max(200),
  sizeBytes: z.number().int().nonnegative(),
});
const maxAnnouncementBytes = 10_000;

export function createUploadRoutes(options: {
  readonly uploads: Uploads;
  readonly store: Pick<ConsoleStore, "get">;
  readonly channels: Pick<Channels, "isOpenTo">;
  readonly log: Log;
}): Hono {
  const { uploads, store, channels, log } = options;
  const app = new Hono();

  /** The visitor's own file; an id of someone else's finds nothing. */
  async function own(context: Context): Promise<Upload | undefined> {
    const id = identifier.safeParse(context.req.param("id"));
    return id.success ? uploads.findOwn(visitorOf(context).id, id.data) : undefined;
  }

  function failed(thrown: unknown): Response {
    // The page waits and announces the file again.
    if (thrown instanceof ParleyError && thrown.code === "platform_rate_limited") return problem(thrown, 429);
    if (thrown instanceof ParleyError && thrown.code !== "state_unavailable") {
      return problem(thrown, thrown.code === "resource_not_found" ? 404 : 422);
    }
    log.warn({ err: thrown }, "A file could not be stored");
    return problem(new ParleyError("state_unavailable"), 503);
  }

  app.use("/api/uploads/*", async (context, next) => {
    await next();
    context.header("cache-control", "no-store");
  });

  app.post(
    "/api/uploads",
    bodyLimit({
      maxSize: maxAnnouncementBytes,
      onError: () => problem(new ParleyError("command_invalid"), 413),
    }),
    async (context) => {
      const visitor = visitorOf(context);
      if (visitor.role === "nobody") return problem(new ParleyError("not_allowed"), 403);
      // A form on another site can't send a JSON body.
      if (context.req.header("content-type")?.startsWith("application/json") !== true) {
        return context.text("Send application/json.\n", 415);
      }
      const parsed = announcement.safeParse(await context.req.json().catch(() => undefined));
      if (!parsed.success) return problem(new ParleyError("command_invalid"), 400);
      try {
        const guest = isGuest(visitor) ? { network: context.get("network") ?? "" } : undefined;
        return context.json(shown(await uploads.announce(visitor.id, parsed.data, guest)), 201);
      } catch (thrown) {
        return failed(thrown);
      }
    },
  );

  app.put("/api/uploads/:id", async (context) => {
    if (context.req.header("content-type") !== "application/octet-stream") {
      return context.text("Send application/octet-stream.\n", 415);
    }
    try {
      const upload = await own(context);
      const { body } = context.req.raw;
      if (upload === undefined || body === null) return problem(new ParleyError("resource_not_found"), 404);
      return context.json(shown(await uploads.receive(upload, body)));
    } catch (thrown) {
      return failed(thrown);
    }
  });

  app.delete("/api/uploads/:id", async (context) => {
    try {
      const upload = await own(context);
      if (upload !== undefined) await uploads.removeIf(upload.id, async ({ usedBy }) => usedBy === undefined);
      return context.body(null, 204);
    } catch (thrown) {
      return failed(thrown);
    }
  });

  app.get("/api/uploads/:channel/:thread/:message/:id", async (context) => {
    const { channel, thread, message: messageId, id } = context.req.param();
    const isOpen = await channels.isOpenTo(visitorOf(context), channel);
    const message = isOpen ? await store.get({ channel, thread }, messageId) : undefined;
    const file = message?.author === "you" ? message.files?.find((one) => one.id === id) : undefined;
    const upload = file === undefined ? undefined : await uploads.find(file.id);
    if (upload?.state !== "complete") return context.text("This file is no longer available.\n", 404);
    const content = uploads.read(upload, context.req.raw.signal);
    // Node's own: the types of browsers, which check the page's tests too, lack `from`.
    return context.body(NodeStream.from(content) as ReadableStream, 200, {
      // Always a download, never a page: the content is untrusted.
      "content-type": "application/octet-stream",
      "content-length": String(upload.sizeBytes),
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(upload.name)}`,
    });
  });

  return app;
}

const shown = ({ id, name, sizeBytes }: Upload) => ({ id, name, sizeBytes });

function problem(error: ParleyError, status: number): Response {
  return Response.json(problemOf(error), { status });
}
