/** The thread in which pages are read, so that a large one does not hold up everybody's answers. */
import { parentPort } from "node:worker_threads";
import { decodeText } from "./charset.ts";
import { readPageText } from "./page-text.ts";
import type { PageTask } from "./page-thread.ts";

parentPort?.on("message", ({ id, html, address }: PageTask & { readonly id: number }) => {
  try {
    const text = decodeText(html.bytes, html.contentType);
    parentPort?.postMessage({ id, page: readPageText(text, address) });
  } catch (thrown) {
    parentPort?.postMessage({ id, error: thrown instanceof Error ? thrown.message : String(thrown) });
  }
});
