import { describe, expect, it } from "vitest";
import { fileNameOf, mediaTypeOf } from "../../../adapters/console/files/file-names.ts";

describe("the name of an attached file", () => {
  it.each([
    ["notes.txt", "notes.txt"],
    ["  a\nb\tc.txt ", "a b c.txt"],
    ["../../etc/passwd", ".. .. etc passwd"],
    ["C:\\temp\\a.txt", "C: temp a.txt"],
    ["invoice\u202Egpj.exe", "invoicegpj.exe"],
    ["<img src=x onerror=alert(1)>.png", "<img src=x onerror=alert(1)>.png"],
    ["", "file"],
    ["\u200F", "file"],
  ])("of %j is %j", (given, name) => {
    expect(fileNameOf(given)).toBe(name);
  });

  it("keeps its ending when it is cut", () => {
    const name = fileNameOf(`${"😀".repeat(1_000)}.csv`);
    expect([...name]).toHaveLength(150);
    expect(name.endsWith("😀….csv")).toBe(true);
  });
});

describe("the media type of an attached file", () => {
  it.each([
    ["text/plain; charset=utf-8", "text/plain"],
    ["Image/PNG", "image/png"],
    ["text/html\r\nX-Evil: 1", "application/octet-stream"],
    ["", "application/octet-stream"],
  ])("of %j is %j", (given, type) => {
    expect(mediaTypeOf(given)).toBe(type);
  });
});
