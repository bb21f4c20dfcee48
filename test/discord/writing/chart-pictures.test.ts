/** Charts in Discord: one picture at most below a message, and its table wherever the picture can't be shown. */
import { describe, expect, it } from "vitest";
import type { Document } from "../../../src/core/document.ts";
import type { Chart, ChartPictures } from "../../../src/core/model/chart.ts";
import type { Place } from "../../../src/core/model/place.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { noPictures } from "../../doubles/nulls/no-pictures.ts";
import { until } from "../../doubles/until.ts";
import { buttonsOf, guildId, type Message, permissions, textOf } from "../../fakes/discord/world.ts";
import { openRoom, type Room } from "../room.ts";

const final = { urgency: "final" } as const;
const mark = { replyId: "0123456789abcdef", part: 0, generation: 0 };

const chart: Chart = {
  kind: "line",
  title: "Bookings per month",
  categories: ["May", "June"],
  series: [{ name: "Direct", values: [1_240, 2_000] }],
  says: "Direct bookings rose by 61%, from 1,240 in May to 2,000 in June.",
};
const rows = [
  ["May", "1,240"],
  ["June", "2,000"],
];
const table = { columns: ["Month", "Direct"], rows };

const action = (id: "chart" | "table") =>
  ({ id, label: id === "chart" ? "Chart" : "Table", value: "turn1", style: "plain" }) as const;

/** The answer as a chart or as its table, with so many votes. */
function answer(as: "chart" | "table", votes = 0, of: Chart = chart): Document {
  return {
    tone: "done",
    blocks: [
      { kind: "markdown", text: "Direct bookings rose by 61% [1]." },
      as === "chart" ? { kind: "chart", chart: of, table } : { kind: "table", table },
      { kind: "quiet", text: [{ text: `sales · 👍 ${votes}` }] },
    ],
    actions: [action(as === "chart" ? "table" : "chart")],
    summary: "Answer ready.",
  };
}

/** Says which chart it shows; counts what was drawn. */
function drawnPictures(): ChartPictures & { readonly drawn: string[] } {
  const drawn: string[] = [];
  const png = async ({ title }: Chart) => {
    drawn.push(title);
    return Buffer.from(`picture of ${title}`);
  };
  return { drawn, png, svg: png };
}

function open(pictures: ChartPictures): Promise<Room> {
  return openRoom({}, { pictures });
}

function placeIn({ discord }: Room): Place {
  return { platform: "discord", workspace: guildId, channel: discord.world.channel("general").id };
}

function payload(room: Room, document: Document) {
  const [first, ...more] = room.platform.render(document);
  if (first === undefined || more.length > 0) throw new Error("one message was expected");
  return first;
}

const texts = ({ attachments }: Message) => attachments.map(({ text }) => text);
const types = ({ components }: Message) => components.map(({ type }) => type);
const labels = ({ components }: Message) => buttonsOf(components).map(({ label }) => label);
const galleryOf = ({ components }: Message) => components.find(({ type }) => type === 12)?.["items"];

async function posted(room: Room, document: Document, onLess?: () => void) {
  const place = placeIn(room);
  const options = onLess === undefined ? final : { ...final, onLess };
  const messageId = await room.platform.post(place, payload(room, document), mark, options);
  const message = room.discord.world.messages.get(messageId) as Message;
  const edit = (next: Document) => room.platform.edit({ place, messageId }, payload(room, next), final);
  return { place, messageId, message, edit };
}

describe("a chart", () => {
  it("is a picture between the answer and its small print, with the chart in words for screen readers", async () => {
    const room = await open(drawnPictures());

    const { message } = await posted(room, answer("chart"));

    expect(types(message)).toEqual([10, 12, 10, 1]);
    expect(texts(message)).toEqual(["picture of Bookings per month"]);
    const [{ filename } = { filename: "" }] = message.attachments as [{ filename: string }];
    expect(galleryOf(message)).toEqual([{ media: { url: `attachment://${filename}` }, description: chart.says }]);
    expect(room.discord.callsTo("POST /channels/:c/messages").at(-1)?.body).toMatchObject({
      attachments: [{ id: "0", filename, description: chart.says }],
      enforce_nonce: true,
    });
    expect(labels(message)).toEqual(["Table"]);
  });

  it("is posted once with its picture if Discord's response was lost, and is found by its mark", async () => {
    const room = await open(drawnPictures());
    room.discord.fault("POST /channels/:c/messages", "lost");
    await posted(room, answer("chart")).catch(() => undefined);

    const { place, messageId, message } = await posted(room, answer("chart"));

    expect(texts(message)).toEqual(["picture of Bookings per month"]);
    expect(room.discord.world.inChannel(place.channel).length).toBe(1);
    expect(await room.platform.findOwn(place, mark.replyId, 0)).toEqual([{ part: 0, generation: 0, messageId }]);
  });

  it("that was posted as its table, whose response was lost, says that the picture is still missing", async () => {
    let isReady = false;
    const room = await open({ ...noPictures, png: async () => (isReady ? Buffer.from("picture") : undefined) });
    room.discord.fault("POST /channels/:c/messages", "lost");
    await posted(room, answer("chart")).catch(() => undefined);
    isReady = true;
    let less = 0;

    const { message } = await posted(room, answer("chart"), () => {
      less += 1;
    });

    expect([texts(message), labels(message), less]).toEqual([[], ["Chart"], 1]);
  });

  it("leaves one attachment at most, whatever replaces what", async () => {
    const pictures = drawnPictures();
    const room = await open(pictures);
    const { message, edit } = await posted(room, answer("chart"));
    const seen: unknown[] = [];
    const look = () => seen.push([...texts(message), ...labels(message)]);
    look();

    for (const next of [
      answer("table"),
      answer("chart"),
      answer("chart", 1),
      answer("chart", 1, { ...chart, title: "Revenue" }),
      answer("table", 1),
    ]) {
      await edit(next);
      look();
    }

    expect(seen).toEqual([
      ["picture of Bookings per month", "Table"],
      ["Chart"],
      ["picture of Bookings per month", "Table"],
      ["picture of Bookings per month", "Table"],
      ["picture of Revenue", "Table"],
      ["Chart"],
    ]);
    // The vote's edit kept the picture that stood there.
    expect(pictures.drawn).toEqual(["Bookings per month", "Bookings per month", "Revenue"]);
    expect(room.discord.violations).toEqual([]);
  });

  it("is uploaded anew where the picture that was to stay is gone", async () => {
    const room = await open(drawnPictures());
    const { message, edit } = await posted(room, answer("chart"));
    message.attachments = [];

    await edit(answer("chart", 1));

    expect(texts(message)).toEqual(["picture of Bookings per month"]);
  });

  it("is drawn in an answer to a command, and in the reply to a press that only one person sees", async () => {
    const room = await openRoom(
      {
        on: async (event) => {
          await event.ack({ kind: "defer" });
          await event.reply.send(answer("chart"), "private");
          await event.reply.send(answer("chart", 2), "private");
        },
      },
      { pictures: drawnPictures() },
    );
    const { discord } = room;
    const result = discord.human("Alice").command(discord.world.channel("general"), "parley help");

    const private_ = () => [...discord.world.messages.values()].find(({ seenBy }) => seenBy !== undefined);
    await until("the second answer", () => textOf(private_() ?? { content: "", components: [] }).includes("👍 2"));

    expect(result.type).toBe(5);
    expect(texts(private_() as Message)).toEqual(["picture of Bookings per month"]);
    expect(discord.violations).toEqual([]);
  });
});

describe("the table of a chart", () => {
  it("is shown while the picture is being drawn, says so, and the picture follows with an edit", async () => {
    let finish: (picture: Buffer) => void = () => {};
    const picture = new Promise<Buffer>((resolve) => {
      finish = resolve;
    });
    const room = await open({ ...noPictures, png: () => picture });
    let less = 0;

    const { message, edit } = await posted(room, answer("chart"), () => {
      less += 1;
    });

    expect([less, texts(message), labels(message)]).toEqual([1, [], ["Chart"]]);
    expect(textOf(message)).toContain("June  │  2,000");
    finish(Buffer.from("late"));
    await room.platform.prepare?.(payload(room, answer("chart")));
    await edit(answer("chart"));
    expect([texts(message), labels(message)]).toEqual([["late"], ["Table"]]);
  });

  it.each([
    [299, ["in time"], ["Table"]],
    [300, [], ["Chart"]],
  ])("is shown if the picture is not there within 300 ms: after %d ms", async (ms, pictures, buttons) => {
    const clock = createFakeClock();
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    let isAsked = false;
    const png = () => {
      isAsked = true;
      return promise;
    };
    const room = await openRoom({}, { pictures: { ...noPictures, png }, clock });

    const sent = posted(room, answer("chart"));
    await until("the drawing", () => isAsked);
    await clock.advance(ms);
    resolve(Buffer.from("in time"));

    const { message } = await sent;
    expect([texts(message), labels(message)]).toEqual([pictures, buttons]);
  });

  it("is shown where no picture can be drawn", async () => {
    const room = await open(noPictures);

    const { message } = await posted(room, answer("chart"));

    expect([texts(message), labels(message)]).toEqual([[], ["Chart"]]);
  });

  it("is all that is offered, and nothing is drawn, where Parley lacks Attach Files", async () => {
    const pictures = drawnPictures();
    const room = await openRoom(
      {},
      {
        pictures,
        before: ({ world }) => {
          world.channel("general").denied = permissions.attachFiles;
        },
      },
    );
    await until("the channel is known", async () => (await room.platform.isIn?.(placeIn(room))) === true);
    let less = 0;

    const { message } = await posted(room, answer("chart"), () => {
      less += 1;
    });

    expect([texts(message), labels(message), less]).toEqual([[], [], 0]);
    expect(textOf(message)).toContain("2,000");
    expect(pictures.drawn).toEqual([]);
    expect(room.discord.callsTo("POST /channels/:c/messages").length).toBe(1);
  });

  it.each(["code:40005", "code:50013", "413"])("replaces a picture that Discord refuses: %s", async (kind) => {
    const room = await open(drawnPictures());
    room.discord.fault("POST /channels/:c/messages", kind);

    const { message, edit } = await posted(room, answer("chart"));
    expect([texts(message), labels(message)]).toEqual([[], ["Chart"]]);
    room.discord.fault("PATCH /channels/:c/messages/:m", kind);
    await edit(answer("chart", 1));

    expect(texts(message)).toEqual([]);
    expect(textOf(message)).toContain("👍 1");
  });
});

describe("a picture of a chart", () => {
  it("is no file of the message for those who save it or ask about it", async () => {
    const room = await open(drawnPictures());
    const { message } = await posted(room, answer("chart"));

    room.discord.human("Alice").menu(room.discord.world.channel("general"), "Ask about this", message);
    await until("the event", () => room.seen.some(({ kind }) => kind === "shortcut"));

    expect(room.seen.find(({ kind }) => kind === "shortcut")).toMatchObject({ about: { attachments: [] } });
  });
});
