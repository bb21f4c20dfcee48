import { describe, expect, it } from "vitest";
import type { Action, Document } from "../../src/core/document.ts";
import { inlineText } from "../../src/presentation/drawing/inline.ts";
import { errorDocument } from "../../src/presentation/drawing/notice.ts";
import { reworded } from "../../src/presentation/drawing/wording.ts";

const retry: Action = { id: "retry", label: "Try again", value: "turn1", style: "plain" };
const names = { definitions: [{ path: "agent list" }, { path: "agent use" }, { path: "kb list" }], prefix: "" };
const wording = { command: (path: string) => `!${path}`, action: ({ id }: Action) => `type !${id}` };

function said(document: Document): string {
  return document.blocks
    .flatMap((block) => ("text" in block && typeof block.text !== "string" ? [inlineText(block.text)] : []))
    .join("\n");
}

describe("sentences where nothing is pressed and no command begins with a slash", () => {
  it("name each command as it is typed there", () => {
    const document = errorDocument({ what: "There is no such agent.", hint: "See /agent list, or use /agent." });

    expect(said(reworded(document, names, wording))).toBe("There is no such agent.\nSee !agent list, or use !agent.");
  });

  it("name a command with the prefix once, whether or not it has it already", () => {
    const document = errorDocument({
      what: "See /agent list.",
      hint: "Or /p-agent use, or /p-agent, but not /agent-x.",
    });

    const { blocks } = reworded(document, { ...names, prefix: "p-" }, { command: (name) => `/${name}` });

    expect(said({ ...document, blocks })).toBe("See /p-agent list.\nOr /p-agent use, or /p-agent, but not /agent-x.");
  });

  it("say what to do instead of pressing a button, at the beginning of a sentence and within one", () => {
    const document = { ...errorDocument({ what: "Stopped.", hint: "Press Try again, or press Try again." }) };

    const words = said(reworded({ ...document, actions: [retry] }, names, wording));

    expect(words).toBe("Stopped.\nType !retry, or type !retry.");
  });

  it("leave URLs, other words and the agent's text unchanged", () => {
    const hint = "https://x.example/agent list, /agents, press On. /unknown";
    const document: Document = {
      ...errorDocument({ what: "No.", hint }),
      actions: [retry],
    };
    const answer = { kind: "markdown", text: "Use /agent list, or press Try again." } as const;

    const changed = reworded({ ...document, blocks: [...document.blocks, answer] }, names, wording);

    expect(said(changed)).toBe(`No.\n${hint}`);
    expect(changed.blocks.at(-1)).toEqual(answer);
  });
});
