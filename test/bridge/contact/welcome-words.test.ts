import { describe, expect, it } from "vitest";
import { asksForWelcome } from "../../../src/bridge/contact/welcome.ts";

const asks = (text: string, attachments: readonly unknown[] = []) => asksForWelcome({ text, attachments });

describe("what asks for the welcome card", () => {
  it.each([
    ["", "  ", "?", "...", "!"],
    ["help", "Help!", "HELP?", "hi", "Hi 👋", "hello", "hey!", "What can you do?", "what can you do"],
    ["hilfe", "Hallo!", "Was kannst du?", "was kannst du tun", "Was können Sie tun?"],
    ["aide", "à l'aide", "Salut", "Bonjour !", "Que peux-tu faire ?", "que sais-tu faire?"],
    ["ayuda", "¡Hola!", "¿Qué puedes hacer?", "que puedes hacer"],
    ["ajuda", "Olá", "ola", "oi", "O que você pode fazer?"],
    ["aiuto", "Ciao!", "Cosa puoi fare?", "che cosa sai fare"],
    ["hulp", "hoi", "Wat kun je?", "wat kan je doen"],
    ["Помощь", "привет", "Здравствуйте!", "Что ты умеешь?"],
    ["ヘルプ", "こんにちは", "何ができますか？", "何ができる"],
    ["帮助", "你好！", "您好", "你能做什么？"],
  ])("is a bare mention, a greeting, or the question what it can do: %s", (...texts) => {
    expect(texts.filter((text) => !asks(text))).toEqual([]);
  });

  it("is nothing that says more than these words, and no message with a file", () => {
    const questions = [
      "hello in private",
      "help: how do I reset it?",
      "help me with my refund",
      "support: help",
      "what can you do about refunds?",
      "hi, who is on call?",
      "123",
      "👍",
      "hallo Welt",
      "你好吗 退款",
    ];

    expect(questions.filter((text) => asks(text))).toEqual([]);
    expect(asks("", [{ name: "prices.csv" }])).toBe(false);
    expect(asks("help", [{ name: "prices.csv" }])).toBe(false);
  });
});
