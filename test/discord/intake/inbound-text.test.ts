/**
 * What Parley reads of what a person typed in Discord.
 */
import { describe, expect, it } from "vitest";
import { plainText } from "../../../adapters/discord/intake/inbound-text.ts";

const parley = "100000000000000001";
const role = "100000000000000002";
const bob = "100000000000000003";

const read = (text: string) =>
  plainText(text, [parley, role], {
    user: (id) => ({ [parley]: "Parley", [bob]: "Bob" })[id],
    channel: () => "general",
    role: () => "Parley",
  });

describe("Parley's own mention", () => {
  it.each([
    [`<@${parley}> how many?`, "how many?"],
    [`<@${parley}>: how many?`, "how many?"],
    [`<@!${parley}>, how many?`, "how many?"],
    [`<@${parley}> <@&${role}> how many?`, "how many?"],
    [`how many, <@${parley}>?`, "how many?"],
    [`how many? <@${parley}>`, "how many?"],
    [`<@${parley}> :) how many?`, ":) how many?"],
    [`<@${parley}> /agent list`, "/agent list"],
    [`<@${parley}>`, ""],
  ])("is empty when it only mentions Parley: %s", (typed, question) => {
    expect(read(typed)).toBe(question);
  });

  it.each([
    [`what about <@${parley}>'s answer?`, "what about @Parley's answer?"],
    [`hey <@${bob}>, let <@&${role}> look`, "hey @Bob, let @Parley look"],
  ])("in the midst of a sentence is its name: %s", (typed, question) => {
    expect(read(typed)).toBe(question);
  });
});

describe("what is not text", () => {
  it("is named as people see it", () => {
    expect(read(`<@${bob}> see <#${bob}> <:yes:${bob}> </ask:${bob}>`)).toBe("@Bob see #general :yes: /ask");
  });
});

describe("what Discord's clients show in place of ids", () => {
  const unnamed = { user: () => undefined, channel: () => undefined, role: () => undefined };

  it.each([
    ["<t:1618953630>", "2021-04-20 21:20 UTC"],
    ["<t:1618953630:t>", "2021-04-20 21:20 UTC"],
    ["<t:1618953630:T>", "2021-04-20 21:20 UTC"],
    ["<t:1618953630:d>", "2021-04-20"],
    ["<t:1618953630:D>", "2021-04-20"],
    ["<t:1618953630:f>", "2021-04-20 21:20 UTC"],
    ["<t:1618953630:F>", "2021-04-20 21:20 UTC"],
    ["<t:1618953630:s>", "2021-04-20 21:20 UTC"],
    ["<t:1618953630:S>", "2021-04-20 21:20 UTC"],
    ["<t:1618953630:R>", "2021-04-20 21:20 UTC"],
    ["<t:-86400:d>", "1969-12-31"],
    ["<t:9999999999999>", "<t:9999999999999>"],
    ["<t:soon>", "<t:soon>"],
    ["</kb add page:100000000000000003>", "/kb add page"],
    ["<a:party:100000000000000003>", ":party:"],
    ["<id:customize>", "Channels & Roles"],
    ["<id:browse>", "Browse Channels"],
    ["<id:guide>", "Server Guide"],
    ["<id:linked-roles>", "Linked Roles"],
    ["<id:linked-roles:100000000000000003>", "Linked Roles"],
    ["<@100000000000000009>", "@unknown-user"],
    ["<@&100000000000000009>", "@unknown-role"],
    ["<#100000000000000009>", "#unknown"],
  ])("%s is %s", (typed, text) => {
    expect(plainText(`on ${typed} it`, [], unnamed)).toBe(`on ${text} it`);
  });

  it.each(["`<@100000000000000003>`", "``<t:1618953630> ` ``", "```\n<#100000000000000003>\n```"])(
    "stays as it was typed in code: %s",
    (typed) => {
      expect(read(`see ${typed} for <@${bob}>`)).toBe(`see ${typed} for @Bob`);
    },
  );
});
