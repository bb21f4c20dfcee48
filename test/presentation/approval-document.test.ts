import { describe, expect, it } from "vitest";
import { initialView } from "../../src/bridge/turn/view.ts";
import type { PendingRequest } from "../../src/core/model/approval.ts";
import { approvalInputDocument, readableInput, turnDocument } from "../../src/presentation/drawing.ts";
import { documentText } from "../../src/presentation/markdown/plain-text.ts";

const request = (input: string, more: Partial<PendingRequest> = {}): PendingRequest => ({
  ...{ id: "r1", key: "0123456789abcdef", tool: "send_mail", server: "mail", input },
  ...more,
});

function draw(one: PendingRequest, isNameless = false) {
  const view = initialView({ id: "t1", ref: "abcd", question: "Mail Ana", agent: "guide" });
  const asker = { id: "U1", name: "Alice" };
  return turnDocument(
    { ...view, state: "waiting", asksFor: { request: one, number: 1, count: 1, approvers: "asker", asker } },
    0,
    { isNameless },
  );
}

const textOf = (input: string) => documentText(draw(request(input)));

describe("a request for approval", () => {
  it("names the person who may decide, but not on the page, where the reader may", () => {
    expect(documentText(draw(request("{}")))).toContain("Only Alice can approve or deny this.");
    expect(documentText(draw(request("{}"), true))).toContain("You can approve or deny this.");
  });

  it("shows JSON over several lines, with every token as it was sent", () => {
    const text = textOf(
      '{"to":["a@b.c"],"cc":[],"amount":12345678901234567890,"amount":1.0,"urgent":true,"note":null}',
    );
    expect(text).toContain('{\n  "to": [\n    "a@b.c"\n  ],\n  "cc": [],\n  "amount": 12345678901234567890,');
    expect(text).toContain('"amount": 1.0,\n  "urgent": true,\n  "note": null\n}');
  });

  it("hides secrets, by their names and by their shape, and whatever is below such a name", () => {
    const text = textOf(
      '{"password":"hunter2","api_key":{"a":["xyz1"]},"header":"Bearer abcdefghij","url":"https://me:pw@host/x","to":"Ana"}',
    );
    for (const secret of ["hunter2", "xyz1", "abcdefghij", "pw@"]) expect(text).not.toContain(secret);
    expect(text).toContain('"to": "Ana"');
    expect(textOf("token=s3cr3t-value to=Ana")).not.toContain("s3cr3t");
    expect(textOf('{"to":"Ana","password":"s3cr3t wo')).not.toContain("s3cr3t");
  });

  it.each(['{"a":{"token":"abc"},"b":[1,2]}', "token=abc to=Ana", '{"password":"s3cr3t wo'])(
    "reads the same when %s is laid out twice: it is stored without its secrets",
    (input) => expect(readableInput(readableInput(input))).toBe(readableInput(input)),
  );

  it("hides secrets after an escape in JSON that was cut, and those that programs take as arguments", () => {
    const cut = readableInput('{"a":"x\\nsk-live-abcdefghijklmnop \\u0041ghp_abcdefghijklmnop \\tBearer abcdef.ghi');
    const args = readableInput('{"run":"mail --password hunter2 --max-tokens 100 --token --force"}');
    for (const secret of ["abcdefghijklmnop", "abcdef.ghi", "hunter2"]) expect(cut + args).not.toContain(secret);
    expect(args).toContain("--max-tokens 100 --token --force");
    expect(readableInput(cut)).toBe(cut);
    expect(readableInput(args)).toBe(args);
  });

  it.each([
    ['{"a":[{"token":"abc"]}', '{"a":[{"token":"[hidden]"]}'],
    [`{'token': 'abc', 'x': 1}`, `{'token': '[hidden]', 'x': 1}`],
    ['"password": "a \\"b\\" c", "x', '"password": "[hidden]", "x'],
    ['{"body":"{\\"token\\":\\"abc\\"]}', '{"body":"{\\"token\\":\\"[hidden]\\"]}'],
    ['{"body":"{\\"token\\":\\"abc\\"]}"}', '{\n  "body": "{\\"token\\":\\"[hidden]\\"]}"\n}'],
    ['"token":"abc', '"token":"[hidden]'],
    ["run --password 'a b' --force", "run --password '[hidden]' --force"],
    ["token=abc&x=1", "token=[hidden]&x=1"],
  ])("leaves the quotes of a hidden value, where it has any: %j", (input, shown) => {
    expect(readableInput(input)).toBe(shown);
    expect(readableInput(shown)).toBe(shown);
  });

  it("shows text that is no JSON as it is, without what hides or turns it", () => {
    const text = textOf("send \u202Egnp.exe\u200B to Ana");
    expect(text).toContain("send gnp.exe to Ana");
  });

  it("cuts long arguments, says so, and shows everything to a person who wants to read it", () => {
    const long = request(JSON.stringify({ text: "word ".repeat(400), end: "the last words" }), {
      inputOmittedChars: 7,
    });
    const drawn = draw(long);
    expect(documentText(drawn)).toMatch(/1,\d\d\d more characters not shown here/);
    expect(drawn.actions.map(({ label }) => label)).toEqual(["Approve", "Deny", "Show everything", "Stop"]);
    const whole = documentText(approvalInputDocument("guide", long));
    expect(whole).toContain("the last words");
    expect(whole).toContain("7 more characters can't be shown");
  });

  it("says that a tool gets no arguments, and names a tool without a name", () => {
    const text = documentText(draw(request("{}", { tool: "" })));
    expect(text).toContain("It sends no arguments.");
    expect(text).toContain("a tool without a name");
  });

  it("keeps its buttons' values within what every platform carries", () => {
    for (const { value } of draw(request("{}")).actions) expect(value.length).toBeLessThanOrEqual(60);
  });

  it("takes a moment for the deepest and longest arguments", () => {
    const began = performance.now();
    for (const input of [
      "[".repeat(4_000) + "]".repeat(4_000),
      `"${'\\"'.repeat(4_000)}"`,
      "a-".repeat(4_000),
      "=".repeat(8_000),
    ]) {
      expect(textOf(input).length).toBeLessThan(4_000);
    }
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
