/** The thread in which pages are read, so that a large one does not hold up everybody's answers. */
import { parentPort } from "node:worker_threads";
import { readPageText } from "./page-text.ts";

type Task = { readonly id: number; readonly html: string; readonly address: string };

parentPort?.on("message", ({ id, html, address }: Task) => {
  try {
    parentPort?.postMessage({ id, page: readPageText(html, address) });
  } catch (thrown) {
    parentPort?.postMessage({ id, error: thrown instanceof Error ? thrown.message : String(thrown) });
  }
});
