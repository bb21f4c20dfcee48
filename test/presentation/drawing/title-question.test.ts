/** Questions made of titles: on the welcome card, on the page, and after an agent was created. */
import { describe, expect, it } from "vitest";
import { maxTitleQuestionChars, questionsFromTitles } from "../../../src/presentation/drawing.ts";

const from = (...titles: readonly string[]) => questionsFromTitles(titles, { namesDocument: false });

describe("a question made of a title", () => {
  it.each([
    // It asks already.
    ["Which plan includes SSO?", "Which plan includes SSO?"],
    ["¿Cómo pido vacaciones?", "¿Cómo pido vacaciones?"],
    ["休暇はどう申請しますか？", "休暇はどう申請しますか？"],
    ["ما هي سياسة الاسترداد؟", "ما هي سياسة الاسترداد؟"],
    ["What is Parley", "What is Parley?"],
    ["Who can use which agent", "Who can use which agent?"],
    // It says what to do.
    ["How to change your booking", "How do I change my booking?"],
    ["Connect Slack", "How do I connect Slack?"],
    ["Book a flight", "How do I book a flight?"],
    ["Use your own agent service", "How do I use my own agent service?"],
    // It names a topic.
    ["Refund policy", "Tell me about refund policy"],
    ["3.2 Travel expenses", "Tell me about travel expenses"],
    ["Dependencies, and why they are there", "Tell me about dependencies"],
    ["The path of one question", "Tell me about the path of one question"],
    ["Running Parley in production", "Tell me about running Parley in production"],
    ["What Parley cannot do", "Tell me about what Parley cannot do"],
    ["30 days notice.", "Tell me about 30 days notice"],
    // A kind of booking is no name.
    ["Group bookings", "Tell me about group bookings"],
    ["Double bookings", "Tell me about double bookings"],
    ["Annual leave carried over", "Tell me about annual leave carried over"],
    ["Change requests", "Tell me about Change requests"],
    // What may be a name stays as it is.
    ["Paris office", "Tell me about Paris office"],
    ["Slack", "Tell me about Slack"],
    ["Onboarding Guide", "Tell me about Onboarding Guide"],
    // Another language.
    ["Erstattung von Reisekosten", "Erstattung von Reisekosten?"],
    ["Política de reembolso", "Política de reembolso?"],
    ["Remboursement des frais", "Remboursement des frais?"],
    ["Отпуск по болезни", "Отпуск по болезни?"],
    ["出張費の精算", "出張費の精算？"],
    ["الإجازات السنوية", "الإجازات السنوية?"],
    ["\u202Eevil\u0007  refunds", "Tell me about evil refunds"],
  ])("of %s is %s", (title, question) => {
    expect(from(title)).toEqual([question]);
  });

  it.each([
    ...[
      "https://example.com/faq",
      "www.example.com",
      "prices 2024.csv",
      "prices.csv, row 12",
      "report_2024.pdf",
      "doc_42",
      "#881",
      "12",
      "4711",
    ],
    ...["a/b", "0190f3c2-77aa", "", "Home", "README", "Table of contents", "Page 3", "Chapter IV"],
    "A title that goes on and on for far too long to fit into one button",
  ])("is not made of %s", (title) => {
    expect(from(title)).toEqual([]);
  });

  it("fits into a button, in a shorter form if it must", () => {
    expect(from("x".repeat(46))).toEqual([`Tell me about ${"x".repeat(46)}`]);
    expect(from("x".repeat(47))).toEqual([`${"x".repeat(47)}?`]);
    expect(from("x".repeat(maxTitleQuestionChars))).toEqual([]);
  });

  it("comes first if its title asks, then if it says what to do, then if it has several words, and comes once", () => {
    const titles = ["In a conversation", "Booking", "Refund policy", "Connect Slack", "Which plan?", "Refund policy"];

    expect(from(...titles)).toEqual([
      "Which plan?",
      "How do I connect Slack?",
      "Tell me about refund policy",
      "Tell me about booking",
      "In a conversation?",
    ]);
  });

  it("leaves out the name of the site that several titles end with", () => {
    expect(from("Refunds | Acme Help", "Travel | Acme Help")).toEqual([
      "Tell me about refunds",
      "Tell me about travel",
    ]);
    expect(from("Onboarding – first week")).toEqual(["Tell me about onboarding – first week"]);
  });

  it("leaves out the document's name only where titles include it", () => {
    const titles = ["Connect Slack (README)", "Connect Slack (Slack)"];

    expect(questionsFromTitles(titles, { namesDocument: true })).toEqual(["How do I connect Slack?"]);
    expect(from("Refunds (EU)")).toEqual(["Tell me about Refunds (EU)"]);
  });
});
