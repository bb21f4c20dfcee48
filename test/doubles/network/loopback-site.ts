/**
 * A small site on 127.0.0.1 with three pages to read, which journeys add to a knowledge base. The words of its pages are
 * exported, so that a question asks for what is really there.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const changedWords = "three long tones a minute";
const oldWords = "two long tones a minute";

const pages: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  "/lighthouse-lamp": {
    title: "The lighthouse lamp",
    text: "The lamp of the lighthouse is lit at dusk by the keeper, who trims its wick every evening before the boats return.",
  },
  "/lighthouse-foghorn": {
    title: "The lighthouse foghorn",
    text: "The foghorn of the lighthouse is sounded by the keeper whenever mist hides the lamp, two long tones a minute.",
  },
  "/harbour-boat/": {
    title: "The harbour boat",
    text: "The harbour boat fetches the pilot at low tide, and is moored at the northern quay when a storm is announced.",
  },
};

export type LoopbackSite = {
  readonly good: readonly [string, string];
  /** Has to do with neither of them. Its URL ends with a slash. */
  readonly other: string;
  /** Of the good pages and the other one. */
  readonly titles: readonly [string, string, string];
  /** From now on the second good page says something else. */
  readonly change: () => void;
  readonly changedWords: string;
  readonly oldWords: string;
  /** Answers 404. */
  readonly bad: string;
  /** Has to do with both good pages. */
  readonly question: string;
  readonly close: () => Promise<void>;
};

export async function startLoopbackSite(): Promise<LoopbackSite> {
  let isChanged = false;
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ""];
    if (page === undefined) {
      response.writeHead(404, { "content-type": "text/plain" }).end("Nothing here.\n");
      return;
    }
    const { title } = page;
    const text = isChanged ? page.text.replace(oldWords, changedWords) : page.text;
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8" })
      .end(
        `<!doctype html><html lang="en"><head><title>${title}</title></head>` +
          `<body><main><article><h1>${title}</h1><p>${text}</p></article></main></body></html>`,
      );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const at = (path: string) => `http://127.0.0.1:${port}${path}`;
  return {
    good: [at("/lighthouse-lamp"), at("/lighthouse-foghorn")],
    other: at("/harbour-boat/"),
    titles: ["The lighthouse lamp", "The lighthouse foghorn", "The harbour boat"],
    change: () => {
      isChanged = true;
    },
    changedWords,
    oldWords,
    bad: at("/nothing-here"),
    question: "What does the keeper of the lighthouse do?",
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
