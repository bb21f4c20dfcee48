/** Blocks that a workspace refuses: nothing is lost, one more round trip at most, and what is refused is remembered. */
import { webApi } from "@slack/bolt";
import { describe, expect, it } from "vitest";
import { createClients } from "../../../adapters/slack/connection/clients.ts";
import { examineSlack } from "../../../adapters/slack/doctor-checks.ts";
import { type NewerKind, newerKinds, type SlackBlock, type Slot } from "../../../adapters/slack/drawing/slots.ts";
import { blockSamples } from "../../../adapters/slack/writing/block-samples.ts";
import { createMessageApi } from "../../../adapters/slack/writing/message-api.ts";
import { createRefusals } from "../../../adapters/slack/writing/refusals.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { collectLines, type LogLine, memoryKeyValue, notice, only } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { judgeMessage } from "../../fakes/slack/check-blocks.ts";
import { appToken, botToken, type FakeSlack, type FakeSlackOptions } from "../../fakes/slack/index.ts";
import { answered, openRoom, running } from "../room.ts";

const team = "T0ACME";
const words = { type: "rich_text_section", elements: [{ type: "text", text: "words" }] };
const plain = { type: "rich_text", elements: [words] } as unknown as SlackBlock;

function slot(kind: NewerKind, needs: readonly NewerKind[] = [kind]): Slot {
  const best = { needs, blocks: [blockSamples[kind] as unknown as SlackBlock] };
  return { alternatives: [best, { needs: [], blocks: [plain] }] };
}

async function* unreachable(): AsyncGenerator<never> {
  yield Promise.reject(new Error("The store is away."));
}

/** Every newer kind, without the older table: a message has one table. */
const everything = newerKinds.filter((kind) => kind !== "table" && kind !== "plan");
const payload = {
  slots: everything.map((kind) => slot(kind, kind === "task-sources" ? ["task-sources", "plan"] : [kind])),
};

/** A workspace that answers as the strict Slack does, and its validator. */
async function senderIn(options: FakeSlackOptions = {}) {
  const { slack } = await openRoom({}, options);
  const clock = createFakeClock();
  const log: LogLine[] = [];
  const keyValue = memoryKeyValue();
  const { read: client } = createClients({ botToken, apiUrl: slack.apiUrl, log: collectLines([]) });
  const parts = { keyValue, clock, log: collectLines(log) };
  const next = () => createMessageApi({ ...parts, client, granted: () => [], refusals: createRefusals(parts) });
  let accepted = next();
  const tries: string[][] = [];
  const refuses = { kinds: [...(options.refuses ?? [])] };
  const write = async (blocks: SlackBlock[]) => {
    tries.push(blocks.map(({ type }) => type));
    const { error, messages } = judgeMessage(blocks, refuses.kinds);
    if (error !== undefined) {
      throw new webApi.WebAPIPlatformError({ ok: false, error, response_metadata: { messages: [...messages] } });
    }
  };
  const examined = () => slack.callsTo("blocks.validate").length;
  return {
    ...{ slack, clock, log, keyValue, tries, refuses, examined },
    send: (slots: readonly Slot[] = payload.slots) => accepted.send(team, { slots }, write),
    sendWith: (custom: typeof write) => accepted.send(team, payload, custom),
    restart: () => {
      accepted = next();
    },
    /** The kinds that are known to be refused. */
    refused: async () => {
      const names: string[] = [];
      for await (const [key] of keyValue.entries(`${team}/refused/`)) names.push(key.split("/").at(-1) ?? "");
      return names.sort();
    },
  };
}

describe("blocks that a workspace refuses", () => {
  it.each(newerKinds)("are left out at the second try, then for a day, by every process: %s", async (kind) => {
    const { send, tries, refused, restart, clock, refuses } = await senderIn({ refuses: [kind] });
    const needs = kind === "task-sources" ? (["task-sources", "plan"] as const) : [kind];
    const slots = [slot(kind, needs), slot("markdown"), slot("context_actions")];

    await send(slots);
    expect(tries.length).toBe(2);
    await until("the verdict", async () => (await refused()).includes(kind));
    expect(await refused()).toEqual([kind]);

    await send(slots);
    restart();
    await send(slots);
    expect(tries.length).toBe(4);

    refuses.kinds = [];
    await clock.advance(86_400_000);
    await send(slots);
    expect(tries.length).toBe(5);
    expect(tries.at(-1)?.[0]).not.toBe("rich_text");
  });

  it("cost one more round trip when all of them are refused at once", async () => {
    const { send, tries, refused } = await senderIn({ profile: "classic", refuses: [...newerKinds, "task_card"] });

    await send();
    expect(tries.length).toBe(2);
    expect(new Set(tries[1])).toEqual(new Set(["rich_text"]));
    await until("the verdicts", async () => (await refused()).length === everything.length + 1);

    await send();
    expect(tries.length).toBe(3);
  });

  it("cost one more round trip where what would replace a block was never tried and is refused too", async () => {
    const { send, tries } = await senderIn({ refuses: ["data_visualization", "data_table", "table"] });
    const [chart, table, older] = [slot("data_visualization"), slot("data_table"), slot("table")];
    const replaced: Slot = {
      alternatives: [
        chart.alternatives[0],
        table.alternatives[0],
        older.alternatives[0],
        { needs: [], blocks: [plain] },
      ],
    };

    await send([replaced, slot("markdown")]);

    expect(tries).toHaveLength(2);
    expect(tries[1]?.[0]).toBe("rich_text");
  });

  it("cost one message its other newer blocks, and the next ones nothing else", async () => {
    const { send, tries, refused } = await senderIn({ refuses: ["data_table"] });

    await send();
    await until("the verdict", async () => (await refused()).length === 1);
    await send();

    expect(new Set(tries[1])).toEqual(new Set(["rich_text"]));
    expect(tries[2]).toEqual(tries[0]?.map((type) => (type === "data_table" ? "rich_text" : type)));
  });

  it("cost no message where Slack withdraws two kinds at once and names one of them", async () => {
    const { send, sendWith, tries, slack } = await senderIn();
    await send();
    slack.fail("blocks.validate", "unknown_method", { times: 100 });

    await sendWith(async (blocks) => {
      const types = blocks.map(({ type }) => type as string);
      tries.push(types);
      const at = types.findIndex((type) => type === "data_table" || type === "container");
      if (at === -1) return;
      const messages = [`[ERROR] unsupported type: ${types[at]} [json-pointer:/blocks/${at}/type]`];
      throw new webApi.WebAPIPlatformError({ ok: false, error: "invalid_blocks", response_metadata: { messages } });
    });

    expect(new Set(tries.at(-1))).toEqual(new Set(["rich_text"]));
  });

  it("are all avoided at the second try where Slack does not say which", async () => {
    const { sendWith, tries, refused, slack } = await senderIn();
    let left = 1;
    slack.fail("blocks.validate", "unknown_method", { times: 100 });

    await sendWith(async (blocks) => {
      tries.push(blocks.map(({ type }) => type));
      left -= 1;
      if (left === 0) throw new webApi.WebAPIPlatformError({ ok: false, error: "invalid_blocks" });
    });

    expect(new Set(tries[1])).toEqual(new Set(["rich_text"]));
    // Without a validator, the newest kinds are to blame.
    const newest = newerKinds.slice(0, newerKinds.indexOf("plan"));
    await until("the verdicts", async () => (await refused()).length === newest.length);
    expect(await refused()).toEqual([...newest].sort());
  });

  it("are nothing to remember when the content was refused, which is said once", async () => {
    const { send, tries, refused, log, examined } = await senderIn();
    const faulty: Slot = {
      alternatives: [
        { needs: ["data_visualization"], blocks: [{ type: "data_visualization", title: "" } as unknown as SlackBlock] },
        { needs: [], blocks: [plain] },
      ],
    };

    await send([faulty]);
    await until("the verdict", () => log.length === 1);
    await send([faulty]);
    await send([slot("data_visualization")]);

    expect(tries.map(([type]) => type)).toEqual([
      "data_visualization",
      "rich_text",
      "data_visualization",
      "rich_text",
      "data_visualization",
    ]);
    expect(await refused()).toEqual([]);
    expect(log.map(({ fields }) => fields)).toEqual([
      expect.objectContaining({ kind: "data_visualization", says: expect.stringContaining("/blocks/0") }),
    ]);
    expect(examined()).toBe(1);
  });

  it("are remembered after three refusals, whatever the validator says of a kind that no message got through with", async () => {
    const { send, tries, refused, refuses } = await senderIn();
    refuses.kinds = ["container"];

    await until("the verdict", async () => {
      await send([slot("container")]);
      return (await refused()).includes("container");
    });

    expect(tries.filter(([type]) => type === "container").length).toBe(3);
  });

  it("are not blamed for the content of many messages in a row, where a message got through with that kind", async () => {
    const { send, tries, refused, examined } = await senderIn();
    const faulty = { type: "data_visualization", title: "" } as unknown as SlackBlock;
    const faultySlot: Slot = {
      alternatives: [
        { needs: ["data_visualization"], blocks: [faulty] },
        { needs: [], blocks: [plain] },
      ],
    };
    await send([slot("data_visualization")]);

    for (let at = 0; at < 5; at += 1) await send([faultySlot]);
    await until("the verdict", () => examined() > 0);
    await send([slot("data_visualization")]);

    expect(tries.at(-1)?.[0]).toBe("data_visualization");
    expect(await refused()).toEqual([]);
  });

  it("are not blamed when the same content is refused without them", async () => {
    const { sendWith, refused, examined } = await senderIn();
    const refuse = async () => {
      throw new webApi.WebAPIPlatformError({ ok: false, error: "invalid_blocks" });
    };

    await expect(sendWith(refuse)).rejects.toMatchObject({ data: { error: "invalid_blocks" } });

    expect(await refused()).toEqual([]);
    expect(examined()).toBe(0);
  });

  it("do not hold up a message while the store is away", async () => {
    const { tries } = await senderIn();
    const keyValue = { ...memoryKeyValue(), entries: unreachable };
    const parts = { keyValue, clock: createFakeClock(), log: collectLines([]) };
    const accepted = createMessageApi({
      ...parts,
      client: {} as never,
      granted: () => [],
      refusals: createRefusals(parts),
    });

    await accepted.send(team, payload, async (blocks) => void tries.push(blocks.map(({ type }) => type)));

    expect(tries.length).toBe(1);
  });
});

describe("the samples of blocks", () => {
  it.each(newerKinds)("are what Slack documents, and refused where the kind is: %s", (kind) => {
    expect(judgeMessage([blockSamples[kind]])).toEqual({ messages: [] });
    expect(judgeMessage([blockSamples[kind]], [kind]).error).toBe("invalid_blocks");
  });
});

describe("a workspace that refuses newer blocks", () => {
  const place = { platform: "slack", workspace: team, channel: "C0GENERAL" };
  const mark = { replyId: "turn1", part: 0, generation: 0 };
  const errorsOf = (slack: FakeSlack, method: string) => slack.callsTo(method).map(({ error }) => error);

  it("gets older ones, is asked once, and its messages can still be edited", async () => {
    const { slack, platform } = await openRoom({}, { profile: "classic" });
    const said = slack.person("U0ALICE").say("C0GENERAL", "hello");
    const thread = { ...place, thread: said.ts };
    const [payloadOf] = platform.render(running("Searching"));
    const [answer] = platform.render(answered("It is **42**, see <!channel>."));
    if (payloadOf === undefined || answer === undefined) throw new Error("nothing was drawn");

    const messageId = await platform.post(thread, payloadOf, mark, { urgency: "progress" });
    await until("a verdict", () => slack.callsTo("blocks.validate").length > 0);
    await platform.edit({ place: thread, messageId }, answer, { urgency: "final" });

    expect(errorsOf(slack, "chat.postMessage")).toEqual(["invalid_blocks", undefined]);
    expect(errorsOf(slack, "chat.update").at(-1)).toBeUndefined();
    expect(errorsOf(slack, "chat.update").length).toBeLessThanOrEqual(2);
    expect(slack.violations).toEqual([]);
  });

  it("in the middle of an answer gets the rest of it in the same message", async () => {
    const { slack, platform } = await openRoom();
    const said = slack.person("U0ALICE").say("C0GENERAL", "hello");
    const thread = { ...place, thread: said.ts };
    const [payloadOf] = platform.render(running("Searching"));
    const [answer] = platform.render(answered("It is **42**."));
    if (payloadOf === undefined || answer === undefined) throw new Error("nothing was drawn");
    const messageId = await platform.post(thread, payloadOf, mark, { urgency: "progress" });
    slack.fail("chat.update", "invalid_blocks");

    await platform.edit({ place: thread, messageId }, answer, { urgency: "final" });

    expect(errorsOf(slack, "chat.update")).toEqual(["invalid_blocks", undefined]);
    expect(JSON.stringify(slack.world.messages.get(messageId)?.blocks)).toContain("42");
  });

  it.each(["private", "public"] as const)("gets %s answers to a command in older blocks", async (visibility) => {
    const table = { columns: ["Name", "Seats"], rows: [["Ana", "4"]] };
    const { slack } = await openRoom(
      {
        on: async (inbound) => {
          await inbound.ack({ kind: "none" });
          await inbound.reply.send(
            { ...notice(""), blocks: [{ kind: "table", table }], summary: "A table" },
            visibility,
          );
        },
      },
      { profile: "classic" },
    );

    await slack.person("U0ALICE").command("/kb", "list", "C0GENERAL");
    const shown = () => JSON.stringify([...slack.world.messages.values()].map(({ blocks }) => blocks));
    await until("the answer", () => shown().includes("Ana"));

    expect(slack.violations).toEqual([]);
  });
});

describe("the doctor", () => {
  const looks = async (options: FakeSlackOptions, before: (slack: FakeSlack) => void = () => undefined) => {
    const { slack } = await openRoom({}, options);
    before(slack);
    const intake = { kind: "socket", appToken } as const;
    const found = await examineSlack({ botToken, apiUrl: slack.apiUrl, intake, log: collectLines([]) });
    return only(found.filter(({ says }) => says.includes("blocks")));
  };

  it("says in one line which newer blocks Slack accepts", async () => {
    expect(await looks({})).toEqual({ isOk: true, says: expect.stringContaining(newerKinds.join(", ")) });
  });

  it("names those that Slack does not accept, which is no fault", async () => {
    const { isOk, says } = await looks({ refuses: ["data_table", "container"] });

    expect(isOk).toBe(true);
    expect(says).toContain("does not accept container, data_table there");
  });

  it("says that Parley finds out by trying where Slack has no validator", async () => {
    const { says } = await looks({}, (slack) => slack.fail("blocks.validate", "unknown_method"));

    expect(says).toContain("Parley finds out by trying");
  });
});
