/**
 * Recognises messages that ask who Parley is, in ten languages: help, a greeting, "what can you do?". Pure. Anything
 * beyond these words is a question.
 */
import type { InboundMessage } from "../../core/ports/chat-platform.ts";
import { plainWords } from "../intake/pleasantries.ts";

const phrases = `
  help, hi, hello, hey, what can you do, what do you do,
  hilfe, hallo, was kannst du, was kannst du tun, was kannst du alles, was können sie, was können sie tun,
  aide, à l'aide, salut, bonjour, coucou, que peux-tu faire, que sais-tu faire, tu peux faire quoi, que pouvez-vous faire,
  ayuda, hola, qué puedes hacer, que puedes hacer, qué sabes hacer, que sabes hacer, qué haces,
  ajuda, olá, ola, oi, o que você pode fazer, o que você faz, o que você sabe fazer, o que podes fazer, o que sabes fazer,
  aiuto, ciao, salve, cosa puoi fare, cosa sai fare, che cosa puoi fare, che cosa sai fare,
  hulp, hoi, wat kun je, wat kan je, wat kun je doen, wat kan je doen, wat kun je allemaal,
  помощь, помоги, помогите, привет, здравствуйте, что ты умеешь, что ты можешь, что вы умеете, что вы можете,
  ヘルプ, こんにちは, やあ, 何ができますか, 何ができるの, 何ができる, なにができますか, 何ができるんですか,
  帮助, 幫助, 你好, 您好, 嗨, 你能做什么, 你能做什麼, 你会做什么, 你會做什麼, 你可以做什么, 你可以做什麼, 您能做什么
`;

const welcomes: ReadonlySet<string> = new Set(phrases.split(/[,\n]/).map(plainWords));

/** No letter, digit or picture: a bare mention, or only "?". */
const isBare = (text: string): boolean => !/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text);

type Said = Pick<InboundMessage, "text" | "quoted" | "unread" | "isOnlyNames"> & {
  readonly attachments: readonly unknown[];
};

/** `text`: without the mention of Parley. A message with a file asks something about it. */
export function asksForWelcome({ text, quoted, unread, attachments, isOnlyNames }: Said): boolean {
  // A person may be called "Hello".
  if (attachments.length > 0 || quoted !== undefined || unread !== undefined || isOnlyNames === true) return false;
  const words = plainWords(text);
  return words === "" ? isBare(text) : welcomes.has(words);
}
