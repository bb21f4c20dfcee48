/** What is read of a message: its text, polls, stickers, files, and what it shows of other messages. */
import { describe, expect, it } from "vitest";
import { bob, fileOf, grafana, parley, readingOf, textOf } from "./reading.ts";

const carol = { id: "100000000000000004", username: "carol", global_name: "Carol" };
const reply = (replied: object | null, content = "what does this mean?") => ({
  ...{ type: 19, author: carol, content },
  referenced_message: replied === null ? null : { id: "1", channel_id: "2", author: bob, ...replied },
});

describe("the text of a message", () => {
  it("is what was typed, without the call of Parley", () => {
    expect(readingOf({ content: `<@${parley}> what colour?` })).toEqual({
      ...{ own: "what colour?", quoted: "", attachments: [], unread: [] },
    });
  });

  it("names people as the message itself does", () => {
    const dave = { id: "100000000000000009", username: "dave", global_name: "Dave" };

    expect(textOf({ content: "ask <@100000000000000009>", mentions: [dave] })).toBe("ask @Dave");
  });

  it("names channels of a followed server", () => {
    const mention_channels = [{ id: "200000000000000009", name: "big-news", type: 5 }];

    expect(textOf({ content: "see <#200000000000000009>", mention_channels })).toBe("see #big-news");
  });

  it("comes with the title of the post that it begins, unless that says nothing new", () => {
    const title = "How do refunds work?";

    expect(readingOf({ content: "order 12" }, { title })).toMatchObject({ own: "order 12", quoted: `Title: ${title}` });
    expect(readingOf({ content: `<@${parley}>` }, { title })).toMatchObject({ own: "", quoted: `Title: ${title}` });
    expect(readingOf({ content: "how do refunds work? And when?" }, { title }).quoted).toBe("");
  });
});

describe("a poll", () => {
  const poll = {
    question: { text: "Where do we eat?" },
    answers: [
      { answer_id: 1, poll_media: { text: "Pizza", emoji: { id: null, name: "🍕" } } },
      { answer_id: 2, poll_media: { text: "Sushi" } },
    ],
    expiry: "2026-11-27T10:00:00Z",
    allow_multiselect: true,
    results: { is_finalized: false, answer_counts: [{ id: 1, count: 3, me_voted: false }] },
  };

  it("is read with its question, its answers and their votes", () => {
    expect(textOf({ poll })).toBe(
      "Poll: Where do we eat?\n- 🍕 Pizza: 3 votes\n- Sushi: 0 votes\n(several answers can be chosen; voting ends 2026-11-27 10:00 UTC)",
    );
  });

  it("says that it has ended", () => {
    const results = { is_finalized: true, answer_counts: [{ id: 2, count: 1 }] };

    expect(textOf({ poll: { ...poll, results, allow_multiselect: false } })).toContain(
      "- Sushi: 1 vote\n(voting has ended)",
    );
  });

  it("gives no votes where Discord didn't count them", () => {
    expect(textOf({ poll: { ...poll, results: undefined } })).toContain("- 🍕 Pizza\n- Sushi\n");
  });

  it("is named if nothing of it can be read", () => {
    expect(readingOf({ poll: "?" })).toMatchObject({ own: "", unread: ["a poll"] });
  });
});

describe("other parts", () => {
  it("a sticker is its name", () => {
    expect(textOf({ sticker_items: [{ id: "1", name: "On fire", format_type: 1 }] })).toBe("[sticker: On fire]");
  });

  it("a file is a file, under the name that people see", () => {
    const { own, attachments } = readingOf({ attachments: [fileOf("b_cher.txt", { title: "bücher" })] });

    expect(own).toBe("");
    expect(attachments).toMatchObject([{ name: "bücher.txt", mediaType: "text/plain" }]);
  });

  it("a picture's description is words", () => {
    const attachments = [fileOf("a.png", { content_type: "image/png", description: "Revenue by month" })];

    expect(textOf({ attachments })).toBe("[a.png: Revenue by month]");
  });

  it("the thumbnail of a media channel is no part of the message", () => {
    expect(readingOf({ attachments: [fileOf("thumb.png", { flags: 2 })] }).attachments).toEqual([]);
  });

  it("an invitation to play is named", () => {
    expect(readingOf({ activity: { type: 1, party_id: "x" } })).toMatchObject({
      ...{ own: "", unread: ["an invitation to an activity"] },
    });
  });
});

describe("the message replied to", () => {
  it("is quoted with its author, its text and the names of its files", () => {
    const log = fileOf("log.txt");
    const { own, quoted, attachments } = readingOf(reply({ content: "ZEBRA-7 failed", attachments: [log] }));

    expect(own).toBe("what does this mean?");
    expect(quoted).toBe("Reply to a message from Bob:\n> ZEBRA-7 failed\n>\n> (attached: log.txt)");
    expect(attachments).toMatchObject([{ name: "log.txt" }]);
  });

  it.each([
    [
      "an embed",
      { author: grafana, embeds: [{ title: "Disk full", fields: [{ name: "host", value: "quokka-9" }] }] },
      "Disk full\n> host: quokka-9",
    ],
    [
      "components",
      { author: grafana, components: [{ type: 17, components: [{ type: 10, content: "Disk full" }] }] },
      "Disk full",
    ],
    ["a poll", { poll: { question: { text: "Where?" }, answers: [] } }, "Poll: Where?"],
    ["a sticker", { sticker_items: [{ name: "Wave" }] }, "[sticker: Wave]"],
    ["a text file alone", { attachments: [fileOf("log.txt")] }, "(attached: log.txt)"],
    ["a mention of Parley", { content: `<@${parley}> 7?` }, "@unknown-user 7?"],
  ])("is quoted where it is %s", (_name, replied, text) => {
    expect(readingOf(reply(replied)).quoted).toMatch(/^Reply to a message from (Bob|Grafana):\n> /);
    expect(readingOf(reply(replied)).quoted).toContain(text);
  });

  it("is quoted where it is a forward", () => {
    const replied = { message_snapshots: [{ message: { content: "ZEBRA-7 failed" } }] };

    expect(readingOf(reply(replied)).quoted).toBe(
      "Reply to a message from Bob:\n> Forwarded message:\n> > ZEBRA-7 failed",
    );
  });

  it("gives a picture or a voice message as its file, and no words", () => {
    const voice = fileOf("voice-message.ogg", { content_type: "audio/ogg" });

    expect(readingOf(reply({ flags: 1 << 13, attachments: [voice] }, ""))).toMatchObject({
      ...{ own: "", quoted: "", unread: [], attachments: [{ name: "voice-message.ogg" }] },
    });
  });

  it("is named where it was deleted, or where Discord keeps it back", () => {
    expect(readingOf(reply(null)).unread).toEqual(["the message it replies to, which was deleted"]);
    expect(readingOf(reply({ content: "" })).unread).toEqual(["the message it replies to"]);
  });

  it("isn't quoted where it is known", () => {
    expect(readingOf(reply({ content: "ZEBRA-7" }), { quotes: () => false }).quoted).toBe("");
  });
});

describe("a forwarded message", () => {
  const forwarded = (message: object, more = {}) => ({ message_snapshots: [{ message }], ...more });

  it("is quoted with all that it shows, and where it comes from", () => {
    const message = {
      content: "ZEBRA-7 failed",
      mentions: [],
      embeds: [{ title: "Disk full", footer: { text: "Rule 12" } }],
      components: [{ type: 10, content: "More" }],
      sticker_items: [{ name: "Wave" }],
      attachments: [fileOf("log.txt")],
    };
    const reading = readingOf(forwarded(message, { message_reference: { type: 1, channel_id: "200000000000000001" } }));

    expect(reading.own).toBe("");
    expect(reading.quoted).toBe(
      "Forwarded message (#general):\n> ZEBRA-7 failed\n>\n> Disk full\n> Rule 12\n>\n> More\n>\n> [sticker: Wave]\n>\n> (attached: log.txt)",
    );
    expect(reading.attachments).toMatchObject([{ name: "log.txt" }]);
  });

  it("names people as it was sent with", () => {
    const message = { content: "ask <@100000000000000002>", mentions: [bob] };

    expect(readingOf(forwarded(message)).quoted).toContain("ask @Bob");
  });

  it("is read in a forward too, up to a limit that is named", () => {
    const nested = (depth: number): object =>
      depth === 0 ? { content: "deep" } : forwarded(nested(depth - 1), { content: `at ${depth}` });

    expect(readingOf(forwarded(forwarded({ content: "inner" }, { content: "outer" }))).quoted).toBe(
      "Forwarded message:\n> outer\n>\n> Forwarded message:\n> > inner",
    );
    expect(readingOf(nested(9) as never)).toMatchObject({ unread: ["a forward inside of forwards"] });
  });

  it("that is odd costs nothing else", () => {
    expect(readingOf({ content: "see", message_snapshots: [null, {}, { message: 7 }] }).own).toBe("see");
  });
});

describe("too much", () => {
  const rest = "(The rest is left out: only 30,000 characters of a message are read.)";

  it.each([
    ["an embed of 6,000 characters", { embeds: [{ description: "x".repeat(6_000) }] }, 6_000],
    [
      "ten embeds of 600 characters",
      { embeds: Array.from({ length: 10 }, () => ({ description: "x".repeat(600) })) },
      6_000,
    ],
    ["40 nested components", { components: [nestedText(4, 30)] }, 30],
    [
      "a poll of 10 answers",
      {
        poll: {
          question: { text: "?" },
          answers: Array.from({ length: 10 }, (_, id) => ({ answer_id: id, poll_media: { text: "x".repeat(55) } })),
        },
      },
      550,
    ],
  ])("isn't %s", (_name, sent, letters) => {
    const { own, unread } = readingOf({ author: grafana, ...sent });

    expect(own.match(/x/g)).toHaveLength(letters);
    expect(own).not.toContain(rest);
    expect(unread).toEqual([]);
  });

  it.each([
    ["text", { content: "x".repeat(40_000) }],
    ["embeds", { embeds: Array.from({ length: 10 }, () => ({ description: "x".repeat(6_000) })) }],
    ["fields", { embeds: [{ fields: Array.from({ length: 5_000 }, () => ({ name: "a", value: "b" })) }] }],
    ["components", { components: Array.from({ length: 5_000 }, () => ({ type: 10, content: "x" })) }],
    ["depth", { components: [nestedText(25, 1)] }],
    [
      "answers",
      {
        poll: {
          question: { text: "?" },
          answers: Array.from({ length: 5_000 }, () => ({ answer_id: 1, poll_media: { text: "x" } })),
        },
      },
    ],
  ])("is said in one sentence: %s", (_name, sent) => {
    const { own } = readingOf({ author: grafana, ...sent });

    expect(own.endsWith(rest)).toBe(true);
    expect(own.length).toBeLessThan(31_000);
  });

  it("is said below what is quoted", () => {
    expect(readingOf(reply({ content: "x".repeat(40_000) })).quoted.endsWith(rest)).toBe(true);
  });
});

/** `count` texts of one letter at that depth. */
function nestedText(depth: number, count: number): object {
  if (depth === 0) return { type: 17, components: Array.from({ length: count }, () => ({ type: 10, content: "x" })) };
  return { type: 17, components: [nestedText(depth - 1, count)] };
}
