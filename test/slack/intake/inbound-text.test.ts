/**
 * What a person typed must arrive as they typed it.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeEntities } from "../../../adapters/slack/drawing/markup.ts";
import { mentions, plainText } from "../../../adapters/slack/intake/inbound-text.ts";

const names: Readonly<Record<string, string>> = { U0BOB: "bob" };
const read = (text: string) => plainText(text, "U0BOT", (id) => names[id]);

describe("plainText", () => {
  it.each([
    ["<@U0BOT> how many &lt;users&gt; &amp; bots?", "how many <users> & bots?"],
    ["hey <@U0BOT|parley> you", "hey you"],
    ["ask <@U0BOB> and <@U0CAROL|carol> and <@U0NEW>", "ask @bob and @carol and @U0NEW"],
    ["<https://example.com/a?b=1&amp;c=2>", "https://example.com/a?b=1&c=2"],
    ["<https://example.com|example.com>", "https://example.com"],
    ["see <https://example.com/p|the page>", "see [the page](https://example.com/p)"],
    ["<mailto:a@b.example|a@b.example>", "a@b.example"],
    ["<#C1|general> <!here> <!subteam^S1|@ops>", "#general @here @ops"],
    ["&lt;@U0BOT&gt; is typed text", "<@U0BOT> is typed text"],
    ["&amp;lt; stays", "&lt; stays"],
    ["  /kb ingest <https://example.com/x>  ", "/kb ingest https://example.com/x"],
  ])("reads %s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it("gives back whatever was typed, once Slack has escaped it", () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        expect(read(escapeEntities(typed))).toBe(typed.trim());
      }),
    );
  });
});

describe("mentions", () => {
  it("distinguishes Parley from others, groups included", () => {
    expect(mentions("<@U0BOT> hello", "U0BOT")).toEqual({ own: true, others: false, only: false });
    expect(mentions("<@U0BOT> ask <@U0BOB>", "U0BOT")).toEqual({ own: true, others: true, only: false });
    expect(mentions("<!subteam^S1|@ops> look", "U0BOT")).toEqual({ own: false, others: true, only: false });
    expect(mentions("&lt;@U0BOT&gt;", "U0BOT")).toEqual({ own: false, others: false, only: false });
  });

  it("recognises a message that only names people or groups besides Parley", () => {
    const only = ["<@U0BOT> <@U0BOB>", "<@U0BOB>, <!subteam^S1|@ops>!", "<!here> <@U0BOT>"];
    const more = ["<@U0BOT>", "<@U0BOT>?", "<@U0BOT> <@U0BOB> 👍", "<@U0BOB> hi", "<@U0BOB> #1", "&lt;@U0BOB&gt;"];

    expect(only.filter((text) => !mentions(text, "U0BOT").only)).toEqual([]);
    expect(more.filter((text) => mentions(text, "U0BOT").only)).toEqual([]);
  });
});
