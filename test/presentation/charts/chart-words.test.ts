/** The words of a question that ask for a chart, and the page that lists them. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { renderCharts } from "../../../docs/generators/charts.ts";
import { languages, listed } from "../../../src/core/languages/languages.ts";
import { chartWishes, plain, wishesIn } from "../../../src/presentation/charts/chart-words.ts";

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
    ["share", "Please share what share each hotel has"],
    ["share", "各ホテルのシェアは?"],
    ["chart", "Покажи график бронирований"],
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
    "Share this with Bob",
    "Let's share this with Bob",
    "Let’s share the list of rooms",
    "Please share by Friday how many rooms are left",
    "Who is on the distribution list?",
    "Show the chart of accounts",
    "Which VS Code licences do we have?",
    "Who wrote to Microsoft Graph?",
    "Wie viele Grafikkarten sind im Lager?",
    "Was liegt gegenüber vom Bahnhof?",
    "Un message de la part de Marie",
    "À part des hôtels, qu'avons-nous ?",
    "Quel est le prix d'une carte graphique ?",
    "¿Qué dice la política con respecto a vacaciones?",
    "¿Cuánto cuesta el diseño gráfico?",
    "O que vale em relação a férias?",
    "Какой график работы у отделов?",
    "このリストをボブとシェアしてください",
    "哪个餐厅比较好？",
  ])("asks for none: %s", (question) => {
    expect([...wishesIn(question)]).toEqual([]);
  });

  it("is read quickly however long it is", () => {
    expect([...wishesIn("a trend ".repeat(100_000))]).toEqual(["trend"]);
  });
});

const charts = Object.values(languages).flatMap((language) => language.charts ?? []);

it("knows words of every kind in ten languages, each of which asks for its kind", () => {
  expect(charts).toHaveLength(10);
  for (const language of charts) {
    for (const wish of chartWishes) {
      for (const word of listed(language[wish])) {
        expect([...wishesIn(`x ${word.replace("*", "")} x`)], word).toContain(wish);
      }
    }
  }
});

it("knows other meanings in ten languages, each of a word that would ask for a chart", () => {
  const words = charts.flatMap((language) => chartWishes.flatMap((wish) => listed(language[wish])));
  const searched = words.map((word) => plain(word));
  for (const phrase of charts.flatMap(({ otherMeanings }) => listed(otherMeanings))) {
    const text = plain(phrase);
    expect([...wishesIn(`x ${text}${phrase.endsWith("*") ? "s" : ""} y`)], phrase).toEqual([]);
    // Or its last word begins one: "please share" by Friday.
    const last = text.split(" ").at(-1) ?? "";
    expect(
      searched.some((word) => text.includes(word) || word.startsWith(`${last} `)),
      phrase,
    ).toBe(true);
  }
});

it("docs/charts.md is current (npm run charts writes it)", () => {
  expect(readFileSync(new URL("../../../docs/charts.md", import.meta.url), "utf8")).toBe(renderCharts());
});
