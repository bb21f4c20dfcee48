/** An answer's table as a chart in Discord, from the question to Chart, Table and a vote. */
import { describe, expect, it } from "vitest";
import type { Chart, ChartPictures } from "../../../../src/core/model/chart.ts";
import { until } from "../../../doubles/until.ts";
import { type Message, permissions } from "../../../fakes/discord/world.ts";
import { labelsOf, openParley, shown } from "../parley.ts";

const answer = [
  "Direct bookings rose by 61% [1].",
  "",
  "| Month | Direct | Partner sites |",
  "|---|---:|---:|",
  "| May | 1,240 | 1,610 |",
  "| June | 1,385 | 1,655 |",
  "| July | 1,520 | 1,700 |",
  "| August | 1,705 | 1,690 |",
].join("\n");

const pictureOf = async ({ kind, categories }: Chart) => Buffer.from(`${kind} of ${categories.join(", ")}`);
const drawing: ChartPictures = { png: pictureOf, svg: pictureOf };

const files = (message: Message | undefined) => message?.attachments.map(({ text }) => text);
const picture = "line of May, June, July, August";

async function answered(pictures: ChartPictures) {
  const parley = await openParley({ pictures });
  const { alice, agents, general, own } = parley;
  const asked = alice.mention(general, "What is the trend of direct bookings?");
  (await agents.run(0)).answer(answer);
  await parley.idle();
  await until("the answer", () => shown(own(asked.id)[0]).includes("61%"));
  const messages = () => own(asked.id);
  const press = async (label: string, person = alice) => {
    const result = person.press(messages()[0] as Message, label);
    await until(`the reply to ${label}`, () => result.type !== undefined);
    return result;
  };
  return { ...parley, asked, messages, press, message: () => messages()[0] as Message };
}

describe("a question about a trend", () => {
  it("is answered with a chart, which everyone can change to its table and back while others vote", async () => {
    const { discord, bob, messages, message, press } = await answered(drawing);
    expect([files(message()), shown(message())]).toEqual([[picture], expect.not.stringContaining("1,385")]);
    expect(labelsOf(message())).toContain("Table");

    await press("Table", bob);
    await until("the table", () => shown(message()).includes("1,385"));
    expect([files(message()), labelsOf(message()).includes("Chart")]).toEqual([[], true]);
    await press("👍");
    await until("the vote below the table", () => shown(message()).includes("👍 1"));
    await press("Chart");
    await until("the chart", () => files(message())?.length === 1);

    expect(shown(message())).toContain("👍 1");
    expect(messages()).toHaveLength(1);
    expect(discord.violations).toEqual([]);
  });

  it("ends with its table if the picture takes longer, and the picture follows", async () => {
    let finish = () => {};
    const drawn = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const late = async (chart: Chart) => {
      await drawn;
      return pictureOf(chart);
    };
    const { discord, messages, message } = await answered({ png: late, svg: late });
    expect([files(message()), labelsOf(message()).includes("Chart")]).toEqual([[], true]);
    expect(shown(message())).toContain("1,385");

    finish();
    await until("the picture", () => files(message())?.[0] === picture);

    expect(labelsOf(message())).toContain("Table");
    expect(messages()).toHaveLength(1);
    expect(discord.violations).toEqual([]);
  });

  it("keeps its table if its picture can't be drawn, and a later press of Chart tries again", async () => {
    let works = false;
    const png = async (chart: Chart) => (works ? pictureOf(chart) : undefined);
    const { message, press } = await answered({ png, svg: png });
    expect([files(message()), shown(message()).includes("1,385")]).toEqual([[], true]);

    works = true;
    await press("Chart");
    await until("the picture", () => files(message())?.[0] === picture);

    expect(labelsOf(message())).toContain("Table");
  });

  it("has its chart after a restart, and a vote keeps it", async () => {
    const { restart, message, press } = await answered(drawing);
    await restart();

    await press("👍");
    await until("the vote", () => shown(message()).includes("👍 1"));

    expect(files(message())).toEqual([picture]);
  });
});

describe("a command in a channel that is closed to Parley", () => {
  it("is answered with a chart by its own token, also if the picture comes late", async () => {
    let finish = () => {};
    const drawn = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const late = async (chart: Chart) => {
      await drawn;
      return pictureOf(chart);
    };
    const { discord, agents, alice, own, idle } = await openParley({
      pictures: { png: late, svg: late },
      before: ({ world }) => {
        world.channel("random").denied = permissions.viewChannel;
      },
    });
    const random = discord.world.channel("random");
    alice.command(random, "ask", { question: "What is the trend of direct bookings?" });
    (await agents.run(0)).answer(answer);
    await idle();
    const message = () => own(random.id).at(-1);
    await until("the table", () => shown(message()).includes("1,385"));
    expect(files(message())).toEqual([]);

    finish();
    await until("the picture", () => files(message())?.[0] === picture);

    expect(own(random.id)).toHaveLength(1);
    expect(discord.violations).toEqual([]);
  });
});
