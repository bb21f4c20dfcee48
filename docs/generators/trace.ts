/**
 * `npm run trace`: draws docs/trace.svg, the trace of one question. Asks a real Parley in the strict local Slack, whose
 * spans come to a collector on this machine.
 */
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { createParleyProcess } from "../../test/doubles/processes/parley-process.ts";
import { answers25 } from "../../test/doubles/service/scripted-answers.ts";
import { pause } from "../../test/doubles/service/scripted-moves.ts";
import { startScriptedService } from "../../test/doubles/service/scripted-service.ts";
import { until } from "../../test/doubles/until.ts";
import { appToken, botToken, startFakeSlack } from "../../test/fakes/slack/index.ts";
import { refundAnswer } from "./refund-answer.ts";

/** A span, as the collector gets it. Times in ms since 1970. */
export type SpanLine = {
  readonly traceId: string;
  readonly id: string;
  readonly parent: string | undefined;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
};

const target = fileURLToPath(new URL("../trace.svg", import.meta.url));
/** Ms between two chunks, as if a model were at work. */
const paceMs = 120;

/** The spans of one question, in the order in which they began. */
async function collect(): Promise<readonly SpanLine[]> {
  const spans: SpanLine[] = [];
  const collector = createServer((request, response) => {
    json(request).then((sent) => {
      spans.push(...(sent as SpanLine[]));
      response.end();
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const slack = await startFakeSlack();
  const service = await startScriptedService(
    ({ question }) => answers25({ ...refundAnswer, question, between: [pause(paceMs)] }),
    { agents: ["support"], knowledgeBases: ["handbook"] },
  );
  const parley = await createParleyProcess({
    ...{ LOG_LEVEL: "error", AGENT_SERVICE_URL: service.url, AGENT_DEFAULT: "support" },
    ...{ SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_API_URL: slack.apiUrl },
    NODE_OPTIONS: `--import ${new URL("trace-register.ts", import.meta.url).href}`,
    TRACE_COLLECTOR: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  });
  try {
    await parley.start();
    slack.person("U0ALICE").mention("C0GENERAL", refundAnswer.question);
    const turn = () => spans.find(({ name }) => name === "parley.turn");
    await until("the end of the question's trace", () => turn() !== undefined);
    const own = spans.filter(({ traceId }) => traceId === turn()?.traceId);
    return own.toSorted((one, other) => one.startMs - other.startMs);
  } finally {
    await parley.close();
    await service.close();
    await slack.stop();
    collector.close();
  }
}

const [rowHeight, top, left, chart, right] = [24, 64, 232, 470, 74] as const;
const width = left + chart + right;
const colours = ["#1264a3", "#2e86c1", "#5fa8d3", "#9cc9e3"] as const;
const font = 'font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"';

const wordsOf = (ms: number) => (ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`);

/** A row a span: indented below the one that it belongs to, with a bar from its start to its end. */
function draw(spans: readonly SpanLine[]): string {
  const fromMs = Math.min(...spans.map(({ startMs }) => startMs));
  const allMs = Math.max(...spans.map(({ endMs }) => endMs)) - fromMs;
  const byId = new Map(spans.map((span) => [span.id, span]));
  const depthOf = (span: SpanLine): number => {
    const parent = byId.get(span.parent ?? "");
    return parent === undefined ? 0 : depthOf(parent) + 1;
  };
  /** Each with those below it. */
  const ordered = (parent: string | undefined): readonly SpanLine[] =>
    spans
      .filter((span) => (byId.has(span.parent ?? "") ? span.parent : undefined) === parent)
      .flatMap((span) => [span, ...ordered(span.id)]);
  const at = (ms: number) => left + (ms / allMs) * chart;
  const height = top + spans.length * rowHeight + 12;

  const stepMs = [50, 100, 200, 250, 500, 1_000, 2_000].find((step) => allMs / step <= 6) ?? 5_000;
  const ticks = Array.from({ length: Math.floor(allMs / stepMs) + 1 }, (_, index) => index * stepMs).map(
    (ms) =>
      `<line x1="${at(ms).toFixed(1)}" x2="${at(ms).toFixed(1)}" y1="${top - 8}" y2="${height - 10}" stroke="#e3e3e3"/>` +
      `<text x="${at(ms).toFixed(1)}" y="${top - 14}" fill="#666" text-anchor="middle">${ms} ms</text>`,
  );
  const rows = ordered(undefined).map((span, index) => {
    const y = top + index * rowHeight;
    const depth = depthOf(span);
    const [x, length] = [at(span.startMs - fromMs), ((span.endMs - span.startMs) / allMs) * chart];
    const bar = Math.max(length, 2);
    return (
      `<text x="${16 + depth * 14}" y="${y + 12}" fill="#1d1c1d">${span.name}</text>` +
      `<rect x="${x.toFixed(1)}" y="${y + 1}" width="${bar.toFixed(1)}" height="14" rx="2" fill="${colours[depth] ?? colours[3]}"/>` +
      `<text x="${(x + bar + 6).toFixed(1)}" y="${y + 12}" fill="#444">${wordsOf(span.endMs - span.startMs)}</text>`
    );
  });
  const title = "The trace of one question in Slack, from its event to the final edit";
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img"><title>${title}</title>`,
    `<rect width="100%" height="100%" fill="#fff"/><g ${font}><text x="16" y="26" fill="#1d1c1d" font-weight="bold">${title}</text>`,
    ...ticks,
    ...rows,
    "</g></svg>\n",
  ].join("\n");
}

if (import.meta.main) {
  const spans = await collect();
  writeFileSync(target, draw(spans));
  process.stdout.write(`docs/trace.svg: ${spans.length} spans\n`);
}
