import { describe, expect, it } from "vitest";
import { questionForm } from "../../../src/insight/grouping/form.ts";
import { likeness, mostAlike, wordsOf, wordsToFind } from "../../../src/insight/grouping/likeness.ts";
import { measure, readQuestions } from "./question-set.ts";

const isSame = (one: string, other: string) => likeness(questionForm(one), questionForm(other)) > 0;

describe("Questions of one meaning", () => {
  it.each([
    ["How do I reset my password?", "hi, I forgot my password, where can I reset it please?"],
    ["VPN setup", "How do I set up the VPN?"],
    ["Why isn't the printer working?", "printer is broken"],
    ["What is the price of the Team plan?", "How much does the Team plan cost?"],
    ["Can guests cancel a non-refundable booking?", "cancel nonrefundable booking"],
    ["Wie setze ich mein Passwort zurück?", "Passwort zurücksetzen"],
    ["¿Cómo cancelo mi pedido?", "cancelar pedido"],
    ["Comment réinitialiser mon mot de passe ?", "reinitialiser mot de passe"],
    ["Как сбросить пароль?", "сброс пароля"],
    ["有給休暇の申請方法を教えてください", "有給休暇を申請するには？"],
    ["怎么重置密码？", "如何重置我的密码？"],
    ["public holidays in 2026 in Germany", "Which public holidays are there in Germany in 2026?"],
    ["Ｈｏｗ do I cancel my order？", "cancel order"],
  ])("are one: %s · %s", (one, other) => {
    expect(isSame(one, other)).toBe(true);
    expect(isSame(other, one)).toBe(true);
  });

  it.each([
    ["what is done", "How do I cancel my order?", "How do I place an order?"],
    ["what it is about", "How do I reset my password?", "How do I change the password policy?"],
    ["a year", "Which public holidays are there in 2025?", "Which public holidays are there in 2026?"],
    ["a number", "Who approves discounts over 20%?", "Who approves discounts over 40%?"],
    ["a version", "How do I install Python 3.11?", "How do I install Python 3.12?"],
    ["a country", "What is the per diem for Germany?", "What is the per diem for France?"],
    ["a weekday", "Is the office open on Monday?", "Is the office open on Sunday?"],
    ["a negation", "Why are USB sticks allowed?", "Why are USB sticks not allowed?"],
    ["without", "Is there a free trial?", "Is there a free trial without a credit card?"],
    [
      "the direction",
      "How do I switch from monthly to yearly billing?",
      "How do I switch from yearly to monthly billing?",
    ],
    ["the direction of a conversion", "convert PDF to Word", "convert Word to PDF"],
    ["an opposite", "How do I enable two-factor authentication?", "How do I disable two-factor authentication?"],
    ["who", "Who signs contracts?", "How do I sign contracts?"],
    ["the time", "Who is on call this week?", "Who is on call next week?"],
    ["what is asked for", "How do I submit travel expenses?", "When is the deadline for submitting travel expenses?"],
    ["a code", "What changed in v2?", "What changed in v3?"],
    ["nothing but common words", "How does it work?", "What is it like?"],
  ])("differ by %s: %s · %s", (_, one, other) => {
    expect(isSame(one, other)).toBe(false);
    expect(isSame(other, one)).toBe(false);
  });

  it("does not depend on links, mentions, emoji, accents or case", () => {
    const plain = questionForm("How do I share a dashboard?");

    expect(questionForm("<@U123> HOW do I share a dâshboard 🙏 :pray: https://example.com/a?b=1")).toEqual(plain);
  });

  it("reads only what asks of a long message", () => {
    const story =
      "I started last week and everybody is very kind. My colleagues showed me the canteen and the garden. ".repeat(3);

    expect(
      isSame(
        `${story} How do I order a second monitor? Greetings and thanks from the third floor!`,
        "order a second monitor",
      ),
    ).toBe(true);
  });

  it("has a form for any text, which is small", () => {
    for (const text of [
      "",
      "???",
      "🙂",
      "a".repeat(100_000),
      "word ".repeat(50_000),
      "漢".repeat(10_000),
      "\u0000\uD800",
    ]) {
      expect(questionForm(text).terms.length).toBeLessThanOrEqual(24);
    }
  });

  it("chooses the question most like it, and of equals the one with the smallest id", () => {
    const stored = [
      { ...questionForm("cancel the order of a customer"), id: "c" },
      { ...questionForm("cancel order"), id: "b" },
      { ...questionForm("cancel my order"), id: "a" },
    ];

    expect(mostAlike(questionForm("How can I cancel an order?"), stored)?.id).toBe("a");
    expect(mostAlike(questionForm("How do I place an order?"), stored)).toBeUndefined();
  });
});

describe("The set of questions", () => {
  const questions = readQuestions();

  it("leaves no question that means the same out of what an index must find", () => {
    const forms = questions.map(({ text }) => questionForm(text));
    for (const form of forms) {
      const lists = wordsToFind(form);
      for (const other of forms) {
        if (likeness(form, other) === 0) continue;
        const words = new Set(wordsOf(other));
        const isFound = lists.some((list) => list.every((word) => words.has(word)));
        expect([form, other, isFound]).toEqual([form, other, true]);
      }
    }
  });

  it("has at least 200 questions, and grouping keeps its figures on the half that nothing was tuned on", () => {
    const heldOut = measure(questions.filter(({ isHeldOut }) => isHeldOut));

    expect(questions.length).toBeGreaterThan(400);
    expect(heldOut.questions).toBeGreaterThan(200);
    expect(heldOut.falseMerges.length).toBeLessThanOrEqual(2);
    expect(heldOut.misses.length).toBeLessThanOrEqual(17);
  });
});
