/** The words of a question that ask for a chart, and the page that lists them. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { renderCharts } from "../../../docs/generators/charts.ts";
import { chartWords, wishesIn } from "../../../src/presentation/charts/chart-words.ts";

describe("a question", () => {
  it.each([
    ["trend", "What's the TREND in bookings?"],
    ["trend", "Wie haben sich die Buchungen entwickelt?"],
    ["trend", "Quelle est l'evolution des réservations ?"],
    ["trend", "¿Cuál es la tendencia de las reservas?"],
    ["trend", "Qual foi a evolução das reservas?"],
    ["trend", "Qual è l’andamento delle prenotazioni?"],
    ["trend", "Hoeveel boekingen per maand?"],
    ["trend", "Какая динамика бронирований?"],
    ["trend", "予約数の推移を教えて"],
    ["trend", "预订量的趋势是什么？"],
    ["share", "What is each channel's share?"],
    ["share", "Welchen Anteil haben die Kanäle?"],
    ["share", "各渠道的占比是多少？"],
    ["comparison", "Vergleiche die Hotels"],
    ["comparison", "Сравни отели"],
    ["chart", "ホテル別の売上をグラフで"],
    ["stacked", "as a stacked area chart"],
  ])("asks for a %s: %s", (wish, question) => {
    expect([...wishesIn(question)]).toContain(wish);
  });

  it.each([
    "Can you share the list with Jo?",
    "Who booked the charter to the island?",
    "What is the check-in time?",
    "Compartilhe a lista com o Jo",
    "Which part is missing?",
    "Read the quote again",
    "",
  ])("asks for none: %s", (question) => {
    expect([...wishesIn(question)]).toEqual([]);
  });

  it("is read quickly however long it is", () => {
    expect([...wishesIn("a trend ".repeat(100_000))]).toEqual(["trend"]);
  });
});

it("knows words of every kind in ten languages, each of which asks for its kind", () => {
  expect(Object.keys(chartWords)).toHaveLength(10);
  for (const words of Object.values(chartWords)) {
    for (const [wish, list] of Object.entries(words)) {
      for (const word of list.split(", ")) expect([...wishesIn(`x ${word.replace("*", "")} x`)], word).toContain(wish);
    }
  }
});

it("docs/charts.md is current (npm run charts writes it)", () => {
  expect(readFileSync(new URL("../../../docs/charts.md", import.meta.url), "utf8")).toBe(renderCharts());
});
