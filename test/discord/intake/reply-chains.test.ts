import { describe, expect, it } from "vitest";
import { createReplyChains } from "../../../adapters/discord/intake/reply-chains.ts";
import { memoryKeyValue } from "../../doubles/room-parts.ts";

const thread = { platform: "discord", workspace: "1", channel: "10", thread: "20" };

function openChains(newest: string) {
  let last = newest;
  const chains = createReplyChains({ keyValue: memoryKeyValue(), newestIn: () => last });
  chains.noteQuestion("reply-1", "31");
  chains.noteQuestion("reply-2", "32");
  return {
    ...chains,
    write: (id: string) => {
      last = id;
    },
  };
}

describe("a reply in a thread", () => {
  it("refers to its question unless it comes directly below it", () => {
    const { questionOf } = openChains("32");

    expect(questionOf("reply-1", thread)).toBe("31");
    expect(openChains("32").questionOf("reply-2", thread)).toBeUndefined();
  });

  it("refers to it when another reply is just being posted there", () => {
    const { questionOf, write } = openChains("32");
    questionOf("reply-1", thread);

    expect(questionOf("reply-2", thread)).toBe("32");

    write("33");
    expect(questionOf("reply-3", thread)).toBeUndefined();
  });

  it("comes without a reference when its own post is tried again", () => {
    const { questionOf } = openChains("32");
    questionOf("reply-2", thread);

    expect(questionOf("reply-2", thread)).toBeUndefined();
  });
});
