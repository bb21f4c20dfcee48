/** What is read of the cards that apps send, and of the previews that Discord makes of links. */
import { EmbedType } from "@discordjs/core";
import { describe, expect, it } from "vitest";
import { embedTypes } from "../../../adapters/discord/reading/embeds.ts";
import { bob, grafana, readingOf, textOf } from "./reading.ts";

const alert = {
  type: "rich",
  title: "Disk almost full",
  url: "https://grafana.test/a/7",
  description: "94 % used on <#200000000000000001>",
  author: { name: "Grafana Alerting" },
  fields: [
    { name: "host", value: "quokka-9", inline: true },
    { name: "mounts", value: "/var\n/tmp" },
    { name: "", value: "no name" },
  ],
  footer: { text: "Rule 12" },
  timestamp: "2026-11-26T03:04:05.000Z",
};

const whole = [
  "Grafana Alerting",
  "[Disk almost full](https://grafana.test/a/7)",
  "94 % used on #general",
  "host: quokka-9",
  "mounts:\n/var\n/tmp",
  "no name",
  "Rule 12 · 2026-11-26 03:04 UTC",
].join("\n");

describe("an app's embed", () => {
  it("is read whole, from top to bottom", () => {
    expect(textOf({ author: grafana, embeds: [alert] })).toBe(whole);
  });

  it("is read below the message's own text", () => {
    expect(textOf({ author: grafana, content: "Firing:", embeds: [alert] })).toBe(`Firing:\n\n${whole}`);
  });

  it("is read from a webhook too, which isn't marked as a bot", () => {
    expect(textOf({ webhook_id: "5", author: bob, embeds: [alert] })).toBe(whole);
  });

  it("is read when the text repeats its link", () => {
    const sent = { author: grafana, content: "See https://grafana.test/a/7", embeds: [alert] };

    expect(textOf(sent)).toContain("host: quokka-9");
  });

  it.each([
    ["title", { title: "Words" }, "Words"],
    ["description", { description: "Words" }, "Words"],
    ["author", { author: { name: "Words" } }, "Words"],
    ["provider", { provider: { name: "Words" } }, "Words"],
    ["fields", { fields: [{ name: "Words", value: "more" }] }, "Words: more"],
    ["footer", { footer: { text: "Words" } }, "Words"],
    ["timestamp", { timestamp: "2026-11-26T03:04:05Z" }, "2026-11-26 03:04 UTC"],
    ["image", { image: { url: "https://x.test/a.png", description: "Words" } }, "[picture: Words]"],
    ["thumbnail", { thumbnail: { url: "https://x.test/a.png", description: "Words" } }, "[picture: Words]"],
    ["video", { video: { url: "https://x.test/a.mp4", description: "Words" } }, "[video: Words]"],
    ["components", { components: [{ type: 17, components: [{ type: 10, content: "Words" }] }] }, "Words"],
  ])("is read if it has nothing but its %s", (_field, embed, text) => {
    expect(readingOf({ author: grafana, embeds: [embed] })).toMatchObject({ own: text, unread: [] });
  });

  it.each([
    ["a picture", { image: { url: "https://x.test/a.png" } }],
    ["a picture", { thumbnail: { url: "https://x.test/a.png" } }],
    ["a video", { video: { url: "https://x.test/a.mp4" } }],
  ])("is named as %s if it shows nothing else", (name, embed) => {
    expect(readingOf({ author: grafana, embeds: [embed] })).toMatchObject({ own: "", unread: [name] });
  });

  it("is read once where several have one URL, as Discord shows them", () => {
    const twin = { ...alert, title: "Hidden", description: "hidden", fields: [] };

    expect(textOf({ author: grafana, embeds: [alert, twin] })).toBe(whole);
  });

  it("isn't read while embeds are switched off", () => {
    expect(textOf({ author: grafana, content: "See", flags: 4, embeds: [alert] })).toBe("See");
  });

  it("costs no other part if it is odd", () => {
    const odd = [7, { title: 5, fields: "none", footer: [], author: null }, { fields: [null, { name: 1 }] }, alert];

    expect(textOf({ author: grafana, embeds: odd })).toBe(whole);
  });
});

describe("the preview of a link", () => {
  it.each(embedTypes.previews)("stays out where it is a %s", (type) => {
    const preview = { ...alert, type };

    expect(textOf({ content: "see https://grafana.test/a/7", embeds: [preview] })).toBe("see https://grafana.test/a/7");
    expect(textOf({ author: grafana, content: "see https://grafana.test/a/7", embeds: [preview] })).not.toContain(
      "94 %",
    );
  });

  it("stays out below a person's link although it is rich, and its URL another one", () => {
    expect(textOf({ content: "see https://short.test/x", embeds: [alert] })).toBe("see https://short.test/x");
  });

  it("stays out below an app's link where it names its provider", () => {
    const preview = { ...alert, provider: { name: "Grafana" } };

    expect(textOf({ author: grafana, content: "https://www.grafana.test/a/7/", embeds: [preview] })).not.toContain(
      "94 %",
    );
  });

  it("stays out of a forward, which doesn't say who wrote it", () => {
    const message = { content: "see https://grafana.test/a/7", embeds: [alert] };

    expect(readingOf({ message_snapshots: [{ message }] }).quoted).toBe(
      "Forwarded message:\n> see https://grafana.test/a/7",
    );
  });
});

it("every type of embed is known", () => {
  const known = [...embedTypes.read, ...embedTypes.previews, ...embedTypes.ignored];

  expect(known.toSorted()).toEqual(Object.values(EmbedType).toSorted());
});
