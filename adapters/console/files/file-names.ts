/** Cleans what a browser says about a file: its name and its media type. Pure. */
import { cleanText } from "../../../src/presentation/drawing.ts";

const maxNameChars = 150;
const maxEndingChars = 12;

/** On one line, without folders, bidi or control characters; a long one is cut before its ending. */
export function fileNameOf(given: string): string {
  const line = cleanText(given)
    .replace(/[\s/\\]+/g, " ")
    .trim();
  const characters = [...line];
  if (characters.length === 0) return "file";
  if (characters.length <= maxNameChars) return line;
  const dot = characters.lastIndexOf(".");
  const hasEnding = dot > 0 && characters.length - dot <= maxEndingChars;
  const ending = hasEnding ? characters.slice(dot) : [];
  return [...characters.slice(0, maxNameChars - ending.length - 1), "…", ...ending].join("");
}

export function mediaTypeOf(given: string): string {
  const [type = ""] = given.toLowerCase().split(";", 1);
  return /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,80}$/.test(type.trim()) ? type.trim() : "application/octet-stream";
}
