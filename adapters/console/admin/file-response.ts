/** Sends a file while it is written, however long it is: it is read on only as fast as the browser takes it. */
import type { Log } from "../../../src/core/ports/log.ts";
import type { AdminFile } from "../../../src/core/ports/overview.ts";

/** Characters sent at once. */
const chunkChars = 32_000;

export function fileResponse({ name, type, text }: AdminFile, log: Log): Response {
  const iterator = text[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let hasLeft = false;
  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    let chunk = "";
    while (chunk.length < chunkChars) {
      const { done, value } = await iterator.next();
      if (hasLeft) return;
      if (done) {
        controller.enqueue(encoder.encode(chunk));
        controller.close();
        return;
      }
      chunk += value;
    }
    controller.enqueue(encoder.encode(chunk));
  }
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        await pull(controller);
      } catch (err) {
        log.error({ err, file: name }, "A file of the admin part can't be read to its end");
        // The browser sees that the file isn't whole.
        controller.error(err);
      }
    },
    // The browser has left.
    cancel: async () => {
      hasLeft = true;
      await iterator.return?.();
    },
  });
  return new Response(body, {
    headers: { "content-type": type, "content-disposition": `attachment; filename="${name}"` },
  });
}
