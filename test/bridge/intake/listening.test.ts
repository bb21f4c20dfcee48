import { describe, expect, it } from "vitest";
import { type Hearing, hear } from "../../../src/bridge/intake/listening.ts";

const overheard: Hearing = {
  text: "what about Tuesday?",
  mentionsParley: false,
  addressesOthers: false,
  isDirect: false,
  mode: "thread",
  isInOwnConversation: false,
};

describe("hear", () => {
  it.each<[string, Partial<Hearing>, string]>([
    ["a mention", { mentionsParley: true }, "question"],
    ["a mention in mode mention", { mentionsParley: true, mode: "mention" }, "question"],
    ["a mention of Parley and of a person", { mentionsParley: true, addressesOthers: true }, "question"],
    ["a direct message", { isDirect: true }, "question"],
    ["people talking in a channel", {}, "ignore"],
    ["people talking in a thread where it never answered", { mode: "thread" }, "ignore"],
    ["a follow-up in its thread", { isInOwnConversation: true }, "question"],
    ["a follow-up that addresses a person", { isInOwnConversation: true, addressesOthers: true }, "ignore"],
    ["a follow-up in mode mention", { isInOwnConversation: true, mode: "mention" }, "ignore"],
    ["any message in mode channel", { mode: "channel" }, "question"],
    ["a mention that begins with a slash", { mentionsParley: true, text: " /kb list" }, "command"],
    ["a direct message that begins with a slash", { isDirect: true, text: "/kb list" }, "command"],
    ["a slash in its thread", { isInOwnConversation: true, text: "/kb list" }, "command"],
    ["a path said to nobody in mode channel", { mode: "channel", text: "/etc/hosts is wrong" }, "ignore"],
    ["a slash said to nobody", { text: "/remind me" }, "ignore"],
  ])("reads %s as %s", (_case, change, expected) => {
    expect(hear({ ...overheard, ...change }).kind).toBe(expected);
  });
});
