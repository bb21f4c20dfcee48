import { describe, expect, it } from "vitest";
import { render, renderForm } from "../../../adapters/console/drawing/render.ts";
import type { Document } from "../../../src/core/document.ts";
import * as documents from "../documents.ts";

describe("the console's render", () => {
  it.each(
    Object.entries({
      ...documents,
      running: documents.running(3),
      compared: documents.compared("chart"),
    }),
  )("keeps every word of the %s document", (_, document) => {
    const [payload] = render(document);

    expect(payload).toEqual({ version: 1, ...document });
  });

  it("draws an answer of any length as one payload", () => {
    const text = "word ".repeat(100_000);

    const payloads = render({ ...documents.answered, blocks: [{ kind: "markdown", text }] });

    expect(payloads).toHaveLength(1);
    expect(payloads[0].blocks).toEqual([{ kind: "markdown", text }]);
  });

  it("turns no text around a name, in what a button is called and among the choices of a form", () => {
    const name = "sales\u202Efdp.exe\u200F";
    const choices = [{ value: name, label: name }];
    const [payload] = render({
      ...documents.answered,
      actions: [{ id: "ask-another", label: name, accessibleLabel: `Ask ${name}`, value: name, style: "plain" }],
    });
    const { fields } = renderForm({
      ...{ id: "f", title: name, submitLabel: "Save", context: "" },
      fields: [{ name: "agent", label: name, type: "select", isRequired: true, choices }],
    });

    expect(payload.actions).toMatchObject([
      { label: "salesfdp.exe", accessibleLabel: "Ask salesfdp.exe", value: name },
    ]);
    expect(fields).toMatchObject([{ label: "salesfdp.exe", choices: [{ value: name, label: "salesfdp.exe" }] }]);
  });

  it("drops URLs that aren't http or https, and keeps their labels", () => {
    const document: Document = {
      ...documents.answered,
      blocks: [
        { kind: "text", text: [{ text: "press", url: "javascript:alert(1)" }] },
        { kind: "sources", sources: [{ number: 1, title: "Secret", url: "file:///etc/passwd" }] },
      ],
    };

    const [payload] = render(document);

    expect(payload.blocks).toEqual([
      { kind: "text", text: [{ text: "press" }] },
      { kind: "sources", sources: [{ number: 1, title: "Secret" }] },
    ]);
  });

  it.each([
    ["/docs/deploy.md#proxy", true],
    ["/#/general/thread/message", true],
    ["/api/conversations", false],
    ["//evil.example/docs/a.md", false],
    ["/docs/../api.md", false],
    ["/\\evil.example/docs/a.md", false],
  ])("keeps paths of Parley's own pages alone: %s", (url, isKept) => {
    const sources = [{ number: 1, title: "Deploy", url }];
    const [payload] = render({ ...documents.answered, blocks: [{ kind: "sources", sources }] });

    expect(payload.blocks).toEqual([{ kind: "sources", sources: isKept ? sources : [{ number: 1, title: "Deploy" }] }]);
  });

  it("removes characters that change the direction of text, everywhere", () => {
    const turned = "a\u202eb\u2066c\u200f";
    const span = [{ text: turned }];
    const found = { title: turned, url: "javascript:alert(1)", excerpt: turned, addedBy: { name: turned, atMs: 0 } };
    const document: Document = {
      tone: "done",
      summary: turned,
      actions: [{ id: "stop", label: turned, value: "t1", style: "plain" }],
      blocks: [
        { kind: "headline", text: span },
        { kind: "markdown", text: turned },
        { kind: "steps", earlier: 0, steps: [{ state: "done", title: span, detail: span }] },
        { kind: "table", table: { columns: [turned], rows: [[turned]] }, caption: span },
        { kind: "code", text: turned },
        { kind: "list", items: [{ text: span }] },
        { kind: "sources", sources: [{ number: 1, title: turned }] },
        { kind: "quiet", text: span },
        {
          kind: "chart",
          chart: {
            kind: "bar",
            title: turned,
            categories: [turned],
            series: [{ name: turned, values: [1] }],
            xLabel: turned,
            yLabel: turned,
            says: turned,
          },
          table: { columns: [turned], rows: [[turned]] },
        },
        {
          kind: "fold",
          title: span,
          blocks: [{ kind: "steps", earlier: 0, steps: [{ state: "done", title: span, sources: [found] }] }],
          actions: [{ id: "steps", label: turned, value: "t1", style: "plain" }],
          quiet: span,
          flat: [{ kind: "quiet", text: span }],
        },
      ],
    };

    const [payload] = render(document);

    expect(JSON.stringify(payload)).not.toMatch(/[\u200f\u202e\u2066]/);
    expect(JSON.stringify(payload).match(/abc/g)).toHaveLength(29);
    expect(JSON.stringify(payload)).not.toContain("javascript");
  });
});
