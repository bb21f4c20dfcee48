/**
 * A message as one reading: nothing twice, its files, and what is left out.
 */
import { describe, expect, it } from "vitest";
import { mrkdwn, plain, raw, read, rich, words } from "./read.ts";

describe("text and blocks", () => {
  it("that say the same are read once, as it was typed", () => {
    const text = "<@U0BOT> is *this* 1. right? <https://example.com|example.com> :wave:";
    const blocks = [
      rich(
        ...[{ type: "user", user_id: "U0BOT" }, words(" is "), words("this", { bold: true }), words(" 1. right? ")],
        ...[{ type: "link", url: "https://example.com" }, words(" "), { type: "emoji", name: "wave" }],
      ),
    ];
    expect(read({ text, blocks }).own).toBe("is *this* 1. right? https://example.com :wave:");
  });

  it("of a list are read once, however its levels are numbered", () => {
    const section = (text: string) => ({ type: "rich_text_section", elements: [words(text)] });
    const list = (indent: number, text: string) => ({
      ...{ type: "rich_text_list", style: "ordered", indent, elements: [section(text)] },
    });
    const blocks = [{ type: "rich_text", elements: [list(0, "one"), list(1, "two")] }];
    expect(read({ text: "1. one\n    i. two", blocks }).own).toBe("1. one\n    i. two");
  });

  it("are read as blocks when the text is only their summary", () => {
    const blocks = [
      { type: "header", text: plain("ZEBRA-7 failed") },
      { type: "section", text: mrkdwn("code E1337") },
    ];
    expect(read({ text: "ZEBRA-7 failed", blocks }).own).toBe("ZEBRA-7 failed\n\ncode E1337");
  });

  it("are both read when each says something", () => {
    expect(read({ text: "why?", blocks: [{ type: "section", text: mrkdwn("E1337") }] }).own).toBe("why?\n\nE1337");
  });

  it("keep a table that a person pasted below their words", () => {
    const table = { type: "table", rows: [[raw("a")], [raw("1")]] };
    expect(read({ text: "look:", blocks: [rich(words("look:")), table] }).own).toBe("look:\n\n| a |\n| --- |\n| 1 |");
  });

  it("without letters are read too", () => {
    expect(read({ text: "👍", blocks: [rich({ type: "emoji", name: "+1" })] }).own).toBe(":+1:");
    expect(read({ text: "???" }).own).toBe("???");
  });
});

describe("ids", () => {
  it("are names, and stay ids where nobody knows them", () => {
    expect(read({ text: "<@U0BOB> <#C0OPS> <#C0OPS|> <!subteam^S0OPS> <#C0NEW> <!subteam^S0NEW>" }).own).toBe(
      "@bob #ops-alerts #ops-alerts @ops #C0NEW @S0NEW",
    );
  });
});

const file = (more: object) => ({ id: "F1", name: "a.txt", mimetype: "text/plain", ...more });

describe("a file", () => {
  it.each<readonly [string, object]>([
    ["deleted", { mode: "tombstone" }],
    ["not found", { file_access: "file_not_found" }],
  ])("that was %s is left out", (_, more) => {
    expect(read({ text: "see", files: [file(more)] })).toMatchObject({ attachments: [], unread: [] });
  });

  it.each<readonly [string, object, string]>([
    ["beyond the free plan", { mode: "hidden_by_limit" }, "a file that Slack hides beyond the free plan (a.txt)"],
    ["kept elsewhere", { mode: "external" }, "a file kept outside Slack (a.txt)"],
    ["a canvas", { mode: "quip", filetype: "quip" }, "a canvas (a.txt)"],
    ["a new canvas", { mode: "canvas" }, "a canvas (a.txt)"],
    ["a list", { mode: "list" }, "a list (a.txt)"],
    ["not shared", { file_access: "access_denied" }, "a file that Slack doesn't share (a.txt)"],
    ["without details", { name: undefined, file_access: "check_file_info" }, "a file that Slack doesn't share"],
  ])("%s is named", (_, more, name) => {
    expect(read({ files: [file(more)] })).toMatchObject({ attachments: [], unread: [name] });
  });

  it("of another organisation is read by its details", () => {
    const stub = { id: "F1", mode: "file_access", file_access: "check_file_info" };
    const { attachments } = read({ files: [stub] }, (id) => ({ id, name: "plan.md", mimetype: "text/markdown" }));
    expect(attachments).toMatchObject([{ id: "F1", name: "plan.md", mediaType: "text/markdown" }]);
  });

  it("that is an email is read", () => {
    expect(read({ files: [file({ mode: "email", subject: "Refund", plain_text: "Please pay." })] }).own).toBe(
      "Refund\n\nPlease pay.",
    );
  });

  it("that is a voice message is read as far as Slack has written it down", () => {
    const voice = { subtype: "slack_audio", name: "audio_message.m4a", mimetype: "video/mp4" };
    const transcription = { status: "complete", preview: { content: "Restart it.", has_more: true } };
    const reading = read({ files: [file({ ...voice, transcription })] });
    expect(reading.own).toBe("Voice message: Restart it. (the rest isn't shared)");
    expect(reading.attachments).toMatchObject([{ mediaType: "audio/mp4" }]);
    expect(read({ files: [file(voice)] }).own).toBe("");
  });

  it("is there once, also if a block and a forward have it", () => {
    const blocks = [{ type: "file", source: "remote", file: file({}) }];
    expect(
      read({ blocks, files: [file({})], attachments: [{ is_share: true, files: [file({})] }] }).attachments,
    ).toHaveLength(1);
  });
});

describe("odd content", () => {
  it("of any shape costs only itself", () => {
    const odd = [
      null,
      7,
      "x",
      [],
      {},
      { type: 7 },
      { type: "section", text: 7, fields: "x" },
      { type: "table", rows: [7, [null]] },
    ];
    const reading = read({ text: "still here", blocks: odd, attachments: odd, files: [...odd, file({})] });
    expect(reading.own).toContain("still here");
    expect(reading.attachments).toHaveLength(1);
    expect(read({ text: "a", blocks: "x", attachments: 7, files: {} }).own).toBe("a");
  });

  it("hidden by the workspace's own keys is named", () => {
    expect(read({ subtype: "ekm_access_denied" }).unread).toEqual(["a message that Slack hides"]);
  });

  const sentence = "(The rest of this message is left out: only 60,000 characters of a message are read.)";

  it("of 100 blocks is read whole", () => {
    const blocks = Array.from({ length: 100 }, (_, at) => ({ type: "section", text: mrkdwn(`line ${at}`) }));
    expect(read({ blocks }).own.split("\n\n")).toHaveLength(100);
  });

  it("that is a table of 10,000 cells is read as far as there is room, and says so", () => {
    const rows = Array.from({ length: 500 }, (_, row) =>
      Array.from({ length: 20 }, (__, cell) => raw(`${row}.${cell}`)),
    );
    const { own } = read({ blocks: [{ type: "table", rows }] });
    expect(own.length).toBeLessThan(110_000);
    expect(own).toMatch(/\(\d+ more rows of this table left out\)/);
    expect(own.endsWith(sentence)).toBe(true);
  });

  it("that is longer than Slack allows is cut, and says so", () => {
    const { own } = read({ text: "x".repeat(90_000) });
    expect(own.length).toBeLessThan(60_200);
    expect(own.endsWith(sentence)).toBe(true);
  });

  it("that is forwarded a hundred times over is cut, and says so", () => {
    let forwarded: object = { is_share: true, author_name: "Carol", text: "deep" };
    for (let at = 0; at < 100; at += 1)
      forwarded = { is_share: true, author_name: `P${at}`, text: `level ${at}`, attachments: [forwarded] };
    const { quoted } = read({ attachments: [forwarded] });
    expect(quoted).toContain("level 99");
    expect(quoted).not.toContain("deep");
    expect(quoted.endsWith(sentence)).toBe(true);
  });
});
