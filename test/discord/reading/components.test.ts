/** What is read of the components that a message is laid out with. */
import { ComponentType } from "@discordjs/core";
import { describe, expect, it } from "vitest";
import { componentReaders, wordless } from "../../../adapters/discord/reading/components.ts";
import { grafana, readingOf, textOf } from "./reading.ts";

const words = { type: 10, content: "Words" };
const uploaded = { url: "https://cdn.discordapp.com/9/log%20file.txt", attachment_id: "9", content_type: "text/plain" };
const read = (...components: readonly unknown[]) => readingOf({ author: grafana, flags: 1 << 15, components });

describe("a component", () => {
  it.each([
    ["TextDisplay", words, "Words"],
    ["Container", { type: 17, components: [words, { type: 14 }, words] }, "Words\n\nWords"],
    [
      "Section",
      { type: 9, components: [words, words], accessory: { type: 11, media: {}, description: "Logo" } },
      "Words\nWords\n[picture: Logo]",
    ],
    ["Thumbnail", { type: 11, media: { url: "https://x.test/a.png" }, description: "Words" }, "[picture: Words]"],
    [
      "MediaGallery",
      {
        type: 12,
        items: [
          { media: { url: "https://x.test/a.png", content_type: "image/png" }, description: "Revenue" },
          { media: { url: "https://x.test/a.mp4", content_type: "video/mp4" }, description: "Demo" },
        ],
      },
      "[picture: Revenue]\n[video: Demo]",
    ],
    [
      "ActionRow",
      { type: 1, components: [{ type: 2, label: "Runbook", url: "https://x.test/r" }] },
      "[Runbook](https://x.test/r)",
    ],
    [
      "Button",
      { type: 9, components: [], accessory: { type: 2, emoji: { name: "📕" }, url: "https://x.test/r" } },
      "[📕](https://x.test/r)",
    ],
    [
      "StringSelect",
      {
        type: 1,
        components: [{ type: 3, placeholder: "Region", options: [{ label: "EU", default: true }, { label: "US" }] }],
      },
      "EU",
    ],
    ["UserSelect", { type: 5, default_values: [{ type: "user", id: "100000000000000004" }] }, "@Carol"],
    ["RoleSelect", { type: 6, default_values: [{ type: "role", id: "300000000000000001" }] }, "@support"],
    [
      "MentionableSelect",
      {
        type: 7,
        default_values: [
          { type: "role", id: "300000000000000001" },
          { type: "user", id: "100000000000000004" },
        ],
      },
      "@support, @Carol",
    ],
    ["ChannelSelect", { type: 8, default_values: [{ type: "channel", id: "200000000000000001" }] }, "#general"],
  ] as const)("is read: %s", (_name, component, text) => {
    expect(read(component)).toEqual({ own: text, quoted: "", attachments: [], unread: [] });
  });

  it("that is a separator says nothing", () => {
    expect(read(words, { type: 14, divider: true }, words).own).toBe("Words\n\nWords");
  });

  it("that is a button which does something isn't read", () => {
    expect(read(words, { type: 1, components: [{ type: 2, label: "Acknowledge", custom_id: "ack" }] }).own).toBe(
      "Words",
    );
  });

  it("that shows a file gives the file", () => {
    const { own, attachments } = read({ type: 13, file: uploaded, name: "log file.txt", size: 40 });

    expect(own).toBe("");
    expect(attachments).toEqual([
      { id: "9", name: "log file.txt", mediaType: "text/plain", sizeBytes: 40, reference: uploaded.url },
    ]);
  });

  it("that shows an uploaded picture gives it as a file, and its description as words", () => {
    const media = { url: "https://cdn.discordapp.com/8/a.png?ex=1", attachment_id: "8", content_type: "image/png" };
    const { own, attachments } = read({ type: 12, items: [{ media, description: "Revenue by month" }] });

    expect(own).toBe("[picture: Revenue by month]");
    expect(attachments).toMatchObject([{ id: "8", name: "a.png", mediaType: "image/png" }]);
  });

  it("that shows a file of the message's own gives it once", () => {
    const file = { id: "9", filename: "log file.txt", size: 40, url: uploaded.url };
    const sent = { author: grafana, attachments: [file], components: [{ type: 13, file: uploaded }] };

    expect(readingOf(sent).attachments).toHaveLength(1);
  });

  it.each([
    ["a picture", { type: 12, items: [{ media: { url: "https://x.test/a.png" } }] }],
    ["a video", { type: 12, items: [{ media: { url: "https://x.test/a.mp4", content_type: "video/mp4" } }] }],
    ["a picture", { type: 9, components: [], accessory: { type: 11, media: { url: "https://x.test/a.png" } } }],
    ["a part of a kind that isn't known (99)", { type: 99 }],
  ])("is named where only that can be said: %s", (name, component) => {
    expect(read(component)).toMatchObject({ own: "", unread: [name] });
  });

  it("of a kind that comes later is read by its words", () => {
    const later = { type: 99, content: "New kind", components: [words] };

    expect(read(later)).toMatchObject({ own: "New kind\nWords", unread: [] });
  });

  it("that is odd costs no other part", () => {
    const odd = [{ type: 17, components: "none" }, { type: 12, items: [null, 7] }, { type: 9, accessory: null }, words];

    expect(read(...odd).own).toBe("Words");
  });
});

it("every type of component is known", () => {
  const types = Object.values(ComponentType).filter((type) => typeof type === "number");
  const known = [...Object.keys(componentReaders).map(Number), ...wordless];

  expect(known.toSorted()).toEqual([...new Set(types)].toSorted());
});

it("a person's components are read like an app's", () => {
  expect(textOf({ components: [words] })).toBe("Words");
});
