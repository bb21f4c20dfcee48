/** What a model says to an overheard line, although it wasn't asked, is compared with the line. */
import { expect, it } from "vitest";
import { sharesWords } from "../../../src/bridge/overheard/shares-words.ts";

it.each([
  ["how old must drivers be?", "You must be over 25. | Driving: drivers must be over 25 years old"],
  [
    "does anyone know how long the generator lasts?",
    "Nine hours. | In a power cut the generator lasts for nine hours.",
  ],
  ["wie viele Schürzen bekommt man?", "Jede Person bekommt vier Schürzen."],
  ["违约金是多少？", "Twenty cents."],
])("%s: %s", (line, answer) => expect(sharesWords(line, answer)).toBe(true));

it.each([
  ["who wants pizza?", "Ring the shift phone before 8:15 on the first day."],
  ["does everybody like lemon?", "Nobody does more than three hours at the front desk."],
  ["anybody seen my blue mug?", "The Gallery is 45 euros an hour. Book at least three days ahead."],
  ["what about that?", "The pool is open until ten."],
])("not %s: %s", (line, answer) => expect(sharesWords(line, answer)).toBe(false));
