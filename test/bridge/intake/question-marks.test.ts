import { describe, expect, it } from "vitest";
import { usedMs } from "../../../bench/own-work.ts";
import { asksSomething, endsWithQuestion } from "../../../src/bridge/intake/question-marks.ts";

describe("asksSomething", () => {
  it.each([
    ["When?", true],
    ["When? Mine is late.", true],
    ["Really?!", true],
    ["“Is it open?” I wonder", true],
    ["**Is it open?**", true],
    ["have you seen https://example.com?", true],
    ["see https://example.com/?page=2 for more", false],
    ["[here](https://example.com/?a=1)", false],
    ["is [this](https://example.com/?a=1) right?", true],
    ["run `grep a?b` now", false],
    ["```\nwhy?\n```", false],
    ["> why?\nI don't know", false],
    ["> why?\nyes, why?", true],
    ["a?b", false],
    ["open now❓", true],
    ["営業中ですか？はい", true],
    ["几点关门?谢谢", true],
    ["กี่โมง?ขอบคุณ", true],
    ["متى؟شكرا", true],
    ["구문이 몇 시예요?감사합니다", true],
    ["page?q=营业时间", false],
    [">>> Is it open?\nWhen?", false],
    ["When?\n>>> Is it open", true],
    ["متى؟", true],
    ["πότε;", true],
    ["stop; then go", false],
    ["ինչո՞ւ", true],
    ["how do I reset it", false],
    ["", false],
  ])("reads %j as %s", (text, asks) => {
    expect(asksSomething(text)).toBe(asks);
  });

  it("reads a long text with many backticks in no time", () => {
    const beforeMs = usedMs();
    asksSomething("`a ".repeat(30_000));
    asksSomething("https://a".repeat(10_000));
    endsWithQuestion(`x${"[1] ".repeat(10_000)}x`);
    expect(usedMs() - beforeMs).toBeLessThan(1_000);
  });
});

describe("endsWithQuestion", () => {
  it.each([
    ["Until 23:00. Should I look up Sundays?", true],
    ["Should I look up Sundays? [1]", true],
    ["**Which one?** 🙂", true],
    ["Which one do you mean?\n\n", true],
    ["日曜日も調べましょうか？」", true],
    ["要不要我再查一下？】", true],
    ["Is it open? Yes, until 23:00.", false],
    ["", false],
  ])("reads %j as %s", (answer, asks) => {
    expect(endsWithQuestion(answer)).toBe(asks);
  });
});
