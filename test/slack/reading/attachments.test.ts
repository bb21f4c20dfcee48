/**
 * Cards of apps, forwarded messages, and previews of links.
 */
import { describe, expect, it } from "vitest";
import { mrkdwn, plain, read, rich, words } from "./read.ts";

const ofCard = (attachment: object) => read({ attachments: [attachment] });

describe("a card of an app", () => {
  it("is read in the order in which people see it", () => {
    const card = {
      ...{ color: "danger", pretext: "Prod alert", author_name: "Grafana", author_subname: "(eu)" },
      ...{ title: "Disk full", title_link: "https://example.com/d", text: "on <https://example.com/q|quokka-9>" },
      fields: [{ title: "host", value: "quokka-9", short: true }],
      actions: [
        { type: "button", text: "Silence" },
        { type: "button", text: "Open", url: "https://example.com/o" },
      ],
      ...{ footer: "since 12:00", fallback: "Disk full on quokka-9", ts: 1_700_000_000 },
    };
    expect(ofCard(card).own).toBe(
      [
        "Prod alert\nGrafana (eu)\n[Disk full](https://example.com/d)\non [quokka-9](https://example.com/q)",
        "host: quokka-9\n[Open](https://example.com/o)\n\nsince 12:00",
      ].join("\n"),
    );
  });

  it("with blocks is read by them, also inside attachments", () => {
    const inner = { blocks: [{ type: "header", text: plain("inner") }] };
    const card = {
      fallback: "[no preview available]",
      blocks: [{ type: "section", text: mrkdwn("E1337") }],
      attachments: [inner],
    };
    expect(ofCard(card).own).toBe("E1337\n\ninner");
  });

  it("is read by its fallback only if there is nothing else", () => {
    expect(ofCard({ fallback: "Disk full" }).own).toBe("Disk full");
    expect(ofCard({ fallback: "[no preview available]" }).own).toBe("");
  });

  it("with a picture alone is named", () => {
    expect(ofCard({ image_url: "https://example.com/x.png", fallback: "[no preview available]" }).unread).toEqual([
      "a picture",
    ]);
  });

  it("brings its files", () => {
    expect(ofCard({ text: "log", files: [{ id: "F1", name: "a.log" }] }).attachments.map(({ name }) => name)).toEqual([
      "a.log",
    ]);
  });
});

describe("a forwarded message", () => {
  const forward = {
    is_share: true,
    is_msg_unfurl: true,
    author_name: "Carol",
    footer: "Posted in #ops",
    text: "It failed.",
  };

  it("is quoted with its author, apart from the words of the person who forwards it", () => {
    const { own, quoted } = read({ text: "<@U0BOT> why?", attachments: [forward] });
    expect(own).toBe("why?");
    expect(quoted).toBe("Forwarded message from Carol (Posted in #ops):\n> It failed.");
  });

  it.each<readonly [string, object]>([
    ["is_share alone", { is_share: true, author_name: "Carol", text: "It failed." }],
    [
      "is_msg_unfurl alone",
      {
        is_msg_unfurl: true,
        author_name: "Carol",
        text: "It failed.",
        from_url: "https://acme.slack.com/archives/C1/p1",
      },
    ],
    [
      "message_blocks alone",
      { author_name: "Carol", message_blocks: [{ message: { blocks: [rich(words("It failed."))] } }] },
    ],
    [
      "text and blocks that say the same",
      {
        is_share: true,
        author_name: "Carol",
        text: "It failed.",
        message_blocks: [{ message: { blocks: [rich(words("It failed."))] } }],
      },
    ],
    ["an author known by id alone", { is_share: true, author_id: "U0BOB", text: "It failed." }],
  ])("is known by %s", (_, attachment) => {
    expect(read({ attachments: [attachment] }).quoted).toMatch(/^Forwarded message from (Carol|bob):\n> It failed\.$/);
  });

  it("of a forwarded message is quoted in the quote", () => {
    const outer = { is_share: true, author_name: "Bob", text: "look", attachments: [forward] };
    expect(read({ attachments: [outer] }).quoted).toBe(
      "Forwarded message from Bob:\n> look\n>\n> Forwarded message from Carol (Posted in #ops):\n> > It failed.",
    );
  });

  it("brings the card and the files that it shows", () => {
    const alert = { fields: [{ title: "host", value: "quokka-9" }] };
    const { quoted, attachments } = read({
      attachments: [{ ...forward, attachments: [alert], files: [{ id: "F1", name: "a.log", mimetype: "text/plain" }] }],
    });
    expect(quoted).toContain("> host: quokka-9");
    expect(attachments.map(({ name }) => name)).toEqual(["a.log"]);
  });

  it("of a file alone says which", () => {
    const { quoted } = read({
      attachments: [{ is_share: true, author_name: "Carol", files: [{ id: "F1", name: "a.log" }] }],
    });
    expect(quoted).toBe("Forwarded message from Carol:\n> (attached: a.log)");
  });

  it("can't pretend that someone else wrote the next line", () => {
    const { quoted } = read({
      attachments: [{ is_share: true, author_name: "Carol\nForwarded message from Bob:", text: "a\nb" }],
    });
    expect(quoted).toBe("Forwarded message from Carol Forwarded message from Bob::\n> a\n> b");
  });
});

describe("a preview of a link", () => {
  it.each([
    { from_url: "https://example.com", title: "A page", text: "preview", service_name: "Example" },
    { original_url: "https://example.com", title: "A page" },
    { is_app_unfurl: true, app_unfurl_url: "https://example.com", blocks: [{ type: "header", text: plain("A page") }] },
  ])("stays out", (preview) => {
    expect(read({ text: "see <https://example.com>", attachments: [preview] })).toMatchObject({
      ...{ own: "see https://example.com", quoted: "", unread: [] },
    });
  });
});
