/** Which replies below a bad answer are offered as the answer: those that say something, and none that only react. */
import { describe, expect, it } from "vitest";
import { readsLikeAnswer } from "../../../src/bridge/contact/answer-offer.ts";

describe("a reply below a bad answer", () => {
  it.each([
    "I don't know either",
    "Not sure, sorry",
    "No clue, maybe ask Ana",
    "I have the same question",
    "We need this too please",
    "I'll ask the front desk tomorrow",
    "@dave can you help here",
    "That's a good question!",
    "sorry for the late reply",
    "See you all tomorrow at lunch",
    "That's wrong, isn't it",
    "https://example.com/booking-rules",
    "Keine Ahnung, frag mal Ana",
    "Je ne sais pas, désolé",
  ])("is no answer if it says “%s”", (text) => {
    expect(readsLikeAnswer(text)).toBe(false);
  });

  it.each([
    "Yes, once, up to 48 hours before check-in.",
    "The night code is on the back of the key card.",
    "Ask the front desk, they keep the key.",
    "It's here: https://example.com/booking-rules, section 7",
    "Not sure why it says that: a booking can be moved once, up to 48 hours before check-in.",
    "@dave they can be moved once",
    "Sorryland bookings can be moved once",
  ])("may be one if it says “%s”", (text) => {
    expect(readsLikeAnswer(text)).toBe(true);
  });
});
