/** One constant sample of each newer kind of block, and what Slack's validator says of it. */
import type { WebClient } from "../connection/clients.ts";
import type { NewerKind } from "../drawing/slots.ts";
import { slackCode } from "./api-errors.ts";

type Sample = { readonly type: string } & Readonly<Record<string, unknown>>;

const cell = (text: string) => ({ type: "raw_text", text });
const plain = (text: string) => ({ type: "plain_text", text });
const point = (label: string, value: number) => ({ label, value });

function plan(task: Readonly<Record<string, unknown>>): Sample {
  const tasks = [{ type: "task_card", task_id: "sample", title: "Sample", status: "complete", ...task }];
  return { type: "plan", title: "Sample", tasks };
}

export const blockSamples: Readonly<Record<NewerKind, Sample>> = {
  data_visualization: {
    type: "data_visualization",
    title: "Sample",
    chart: {
      type: "bar",
      series: [{ name: "Sample", data: [point("A", 1), point("B", 2)] }],
      axis_config: { categories: ["A", "B"] },
    },
  },
  container: {
    type: "container",
    title: plain("Sample"),
    is_collapsible: true,
    default_collapsed: true,
    child_blocks: [{ type: "section", text: plain("Sample") }],
  },
  data_table: { type: "data_table", caption: "Sample", rows: [[cell("Name")], [cell("Sample")]] },
  context_actions: {
    type: "context_actions",
    elements: [
      {
        type: "feedback_buttons",
        action_id: "sample",
        positive_button: { text: plain("Good"), value: "good" },
        negative_button: { text: plain("Bad"), value: "bad" },
      },
    ],
  },
  "task-sources": plan({ sources: [{ type: "url", url: "https://docs.slack.dev", text: "Sample" }] }),
  plan: plan({}),
  markdown: { type: "markdown", text: "Sample" },
  table: { type: "table", rows: [[cell("Name")], [cell("Sample")]] },
};

/** "unknown": there is no validator, or it can't tell now. */
export type BlockVerdict = "accepted" | "refused" | "unknown";

/** Never rejects. */
export async function examineKind(client: WebClient, kind: NewerKind): Promise<BlockVerdict> {
  try {
    await client.blocks.validate({ blocks: [blockSamples[kind]] });
    return "accepted";
  } catch (thrown) {
    return slackCode(thrown) === "invalid_blocks" ? "refused" : "unknown";
  }
}
