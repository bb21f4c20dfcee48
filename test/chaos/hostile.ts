/**
 * Hostile content from an agent, its tools or a web page: Markdown that is slow to read, links that pretend, pings,
 * endless steps, and pages that crash or block their parser.
 */
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { article, startSite } from "../doubles/network/site.ts";
import { chunk, type Move } from "../doubles/service/scripted-moves.ts";
import type { Chance } from "./chance.ts";

const words: readonly [string, ...string[]] = [
  `${">".repeat(480)}\`\`\`\n${"\n".repeat(8_000)}`,
  "| a | b |\n|---|---|\n| 1 | 2 |\n\n".repeat(600),
  "| 表 | é́ |\n|---|---|\n| 漢字 | ﷽ |\n\n".repeat(300),
  Array.from({ length: 200 }, (_, index) => "`".repeat(index)).join(" x "),
  "\\[".repeat(8_000),
  "select ".repeat(4_000),
  "@everyone @here <!channel> <!here> <@U0ALICE> <@100000000000000001> <#C0GENERAL> ".repeat(20),
  "[mybank.com](https://evil.example/(a(b)c)) [https://mybank.com]: http://evil.example\n\n- [https://mybank.com]: http://evil.example\n",
  "* ".repeat(3_000),
  "<b><i>".repeat(3_000),
];

/** An answer that says its tag, and then something that was made to hurt. */
export function hostileAnswer(tag: string, chance: Chance): string {
  return `Answer to ${tag} ${chance.pick(words)}`;
}

/** More steps than are kept, with names, inputs and findings that are too large. */
export function hostileSteps(tag: string, chance: Chance): readonly Move[] {
  const steps = Array.from({ length: 260 }, (_, index) => {
    const tool = index % 50 === 7 ? "list".repeat(20_000) : "kb_query_tool";
    const action = { tool, tool_input: "select ".repeat(index % 40 === 3 ? 20_000 : 1), log: `Thought: ${tag}` };
    const observation = index % 60 === 11 ? `a,b\n${"1,2\n".repeat(500_000)}` : chance.pick(words).slice(0, 2_000);
    return [
      chunk({ actions: [action], messages: [], trace_id: "" }),
      chunk({ steps: [{ action, observation }], messages: [], trace_id: "" }),
    ];
  });
  return [
    chunk({ type: "start", prompt: tag, trace_id: "" }),
    ...steps.flat(),
    chunk({ output: `Answer to ${tag}`, messages: [], trace_id: "" }),
    chunk({ type: "end" }),
  ];
}

const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } };

/** Somebody who feeds a knowledge base from a site that means harm, together with a page that means none. */
export async function createFeeders(urls: readonly string[], chance: Chance) {
  const manyParagraphs = gzipSync(`<html><body>${"<p>a".repeat(2_500_000)}`);
  const bomb = brotliCompressSync(Buffer.alloc(100 * 2 ** 20, " "), quick);
  const site = await startSite({ "/robots.txt": { headers: { "content-type": "text/plain" }, body: hostileRobots() } });
  const hostile = ["paragraphs", "bomb", "endless", "nested", "links"] as const;
  let count = 0;

  function put(kind: (typeof hostile)[number], path: string): void {
    const html = { "content-type": "text/html" };
    if (kind === "paragraphs")
      site.set(path, { headers: { ...html, "content-encoding": "gzip" }, body: manyParagraphs });
    else if (kind === "bomb") site.set(path, { headers: { ...html, "content-encoding": "br" }, body: bomb });
    else if (kind === "nested") site.set(path, "<b><i>".repeat(100_000));
    else if (kind === "links") site.set(path, '<a href="/x">y</a>'.repeat(100_000));
    else
      site.set(path, (_request, response) => {
        response.writeHead(200, html);
        const drip = setInterval(() => response.write("a"), 1_000);
        response.on("close", () => clearInterval(drip));
      });
  }

  return {
    count: () => count,
    /** How often each page was fetched. */
    fetched: () => Map.groupBy(site.asked, (path) => path),
    close: site.close,
    feed: () => {
      count += 1;
      const kind = chance.pick(hostile);
      put(kind, `/${kind}-${count}`);
      site.set(`/good-${count}`, article(`Good ${count}`, `All about number ${count}, in a sentence or two.`));
      const text = `/kb ingest ${site.url}/${kind}-${count} ${site.url}/good-${count} into docs by parley`;
      const body = { id: crypto.randomUUID(), tab: "tab-1", channel: "general", text };
      void fetch(`${chance.any(urls)}/api/messages`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(5_000),
      }).catch(() => undefined);
    },
  };
}

/** Rules that are slow to match, and that allow everything all the same. */
function hostileRobots(): string {
  const rule = `Disallow: /${"*a".repeat(100)}$`;
  return `User-agent: *\n${`${rule}\n`.repeat(2_000)}`;
}
