/**
 * Recognises replies that answer nothing although they are sentences: "not sure, sorry", "I'll ask the front desk". Pure.
 */

import { plainWords, pleasantryOf } from "../intake/pleasantries.ts";
import { asksSomething } from "../intake/question-marks.ts";

/** Shorter replies rarely answer anything: "same here". */
const minChars = 15;
/** A longer reply is often an answer: "not sure why it says that: a booking can be moved once, up to 48 hours before". */
const maxWords = 12;

/** How replies begin that don't know, ask the same, promise to find out, or ask someone else. As `plainWords` writes. */
const beginnings = `
  i dont know, i do not know, i dont think anyone knows, i have no idea, i have no clue, no idea, no clue, not sure,
  im not sure, i am not sure, i wasnt sure, dont know, dunno, idk, good question, great question, thats a good question,
  thats a great question, that is a good question, that is a great question, same question, same here, same problem,
  i have the same, i had the same, we have the same, we had the same, i was wondering the same, i wonder too, me too,
  i need this too, i need that too, we need this too, we need that too, i would like to know, id like to know,
  sorry, let me ask, let me check, let me find, let me look, let me see, lets ask, lets see, lets wait, ill ask,
  ill check, ill find out, ill get back, ill have a look, ill let you know, ill look, ill see, ill try, i will ask,
  i will check, i will find out, i will get back, i will let you know, i will look, i will see, i will try, well ask,
  well check, we will ask, we will check, i can ask, i can check, checking, asking, can you, can someone, can anyone,
  could you, could someone, could anyone, does anyone, did anyone, has anyone, do you know, who knows, any news,
  any update, please help, help please, thats wrong, that is wrong, this is wrong, wrong answer, that doesnt help,
  this doesnt help, doesnt help, not helpful, thats not what, that is not what, this is not what, see you,
  good morning, good night, have a nice, happy birthday, congratulations, welcome,
  ich weiß nicht, ich weiß es nicht, weiß ich nicht, weiß nicht, keine ahnung, gute frage, bin nicht sicher,
  ich bin nicht sicher, nicht sicher, ich frage, ich frag, ich schaue, ich schau, ich kläre, das ist falsch,
  je ne sais pas, je sais pas, aucune idée, bonne question, pas sûr, je vais demander, je vais voir, je demande,
  no sé, no lo sé, ni idea, buena pregunta, no estoy seguro, no estoy segura, voy a preguntar, voy a ver, preguntaré,
  non lo so, non so, nessuna idea, buona domanda, não sei, não faço ideia, boa pergunta, geen idee, weet ik niet,
  ik weet het niet, goede vraag, ik vraag
`
  .split(",")
  .map((phrase) => phrase.trim());

const people = /(?<!\S)@[\p{L}\p{N}_.-]+/gu;
const urls = /\bhttps?:\/\/\S+/gu;

/** Whether it reads like an answer: it says something of its own, and asks nothing. */
export function readsLikeAnswer(text: string): boolean {
  const said = text.replace(people, " ").replace(urls, " ").trim();
  if (said.length < minChars || pleasantryOf(said) !== undefined || asksSomething(text)) return false;
  const words = plainWords(said);
  if (words.split(" ").length > maxWords) return true;
  return !beginnings.some((phrase) => words === phrase || words.startsWith(`${phrase} `));
}
