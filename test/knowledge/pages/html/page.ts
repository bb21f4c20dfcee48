/** A page whose main part a test writes. */
import { readPageText } from "../../../../src/knowledge/pages/page-text.ts";

const address = "https://docs.example.com/guide/page";

export function markdownOf(main: string): string {
  return readPageText(
    `<!doctype html><html><head><title>Page</title></head><body><nav>Menu of the site</nav><main><h1>Page</h1>
    <p>These are the words that stand before the part which matters, long enough to be text.</p>${main}
    <p>And these are the words that stand behind it, so that nothing is lost at the end either.</p></main></body></html>`,
    address,
  ).markdown;
}

/** Only what stands between the two paragraphs. */
export function partOf(main: string): string {
  const markdown = markdownOf(main);
  const start = markdown.indexOf("to be text.") + "to be text.".length;
  return markdown.slice(start, markdown.indexOf("And these are the words")).trim();
}

export function read(html: string): ReturnType<typeof readPageText> {
  return readPageText(html, address);
}
