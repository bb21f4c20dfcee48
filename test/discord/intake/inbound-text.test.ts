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
