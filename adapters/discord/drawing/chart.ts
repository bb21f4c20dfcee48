/** Shows a chart as an attached picture, described in words for screen readers. Pure: it names the picture. */
import { createHash } from "node:crypto";
import { ComponentType } from "@discordjs/core";
import type { APIMediaGalleryComponent } from "discord.js";
import type { Chart } from "../../../src/core/model/chart.ts";
import { cleanText } from "../../../src/presentation/drawing.ts";
import { maxDescriptionChars } from "../limits.ts";
import { truncate } from "./markup.ts";

/** The same chart has the same name, so that a picture that is shown already can stay. */
export function pictureName(chart: Chart): string {
  const hash = createHash("sha256").update(JSON.stringify(chart)).digest("hex").slice(0, 16);
  return `chart-${hash}.png`;
}

export function isPicture(fileName: string): boolean {
  return /^chart-[0-9a-f]{16}\.png$/.test(fileName);
}

export function pictureWords(chart: Chart): string {
  return truncate(cleanText(chart.says).trim(), maxDescriptionChars);
}

export function gallery(chart: Chart): APIMediaGalleryComponent {
  const description = pictureWords(chart);
  const media = { url: `attachment://${pictureName(chart)}` };
  return {
    type: ComponentType.MediaGallery,
    items: [description === "" ? { media } : { media, description }],
  };
}
