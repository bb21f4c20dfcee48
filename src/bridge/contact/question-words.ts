/**
 * Whether a text asks for something that knowledge could answer: a question mark, or a word that begins a question, in
 * eight languages. Pure. "How are you?" asks for manners, and what begins with a person's name is for that person.
 */

import { folded, pleasantryOf } from "../intake/pleasantries.ts";
import { asksSomething } from "../intake/question-marks.ts";
import { asksForWelcome } from "./welcome-words.ts";

/** Words that begin a question, without accents: question words, and verbs that only questions begin with. */
const beginnings = new Set(
  `
  what whats who whos whose whom when whens where wheres which why how hows is are am was were do does did can could
  would will shall should may might must has have had isnt arent cant couldnt doesnt dont didnt wont wouldnt shouldnt
  anyone someone
  was wer wen wem wessen wann wo woher wohin warum weshalb wieso wozu womit wofur worin wie wieviel wieviele welche
  welcher welches welchen welchem ist sind kann konnen konnte konnten darf durfen muss mussen soll sollen sollte gibt
  hat haben hatte wird werden wurde wurden bekomme bekommt bekommen brauche braucht brauchen gilt gelten
  weiss weisst wisst
  quoi que qui quand ou pourquoi comment combien quel quelle quels quelles est sont peut peux puis puisje faut doit
  que quien quienes cuando donde adonde cual cuales cuanto cuanta cuantos cuantas como por puede puedo hay es son
  quem quando onde qual quais quanto quanta quantos quantas pode posso tem ha
  che chi cosa dove come perche quanti quante puo posso ce sono
  wat wie wanneer waar waarom welke hoe hoeveel kan mag moet zijn heeft hebben wordt
  что кто когда где куда откуда почему зачем как какой какая какое какие сколько чей можно есть ли
  `
    .trim()
    .split(/\s+/),
);

/** Said before the question: "hi", "please", "so". */
const openers = new Set(
  `
  hi hello hey good morning afternoon evening parley please pls so and or but also then well ok okay sorry quick
  question hallo moin guten morgen tag abend bitte und oder aber also dann frage bonjour salut et alors hola buenos
  dias y entonces ola bom dia e ciao buongiorno hoi en dus dan привет а и
  `
    .trim()
    .split(/\s+/),
);

/** Questions of manners. */
const manners =
  /^(?:(?:and )?how (?:are|r) (?:you|u|things)|hows (?:it going|life|everything)|how do you do|whats up|sup|wie gehts|wie geht es|na wie|ca va|comment (?:ca va|vas tu|allez vous)|que tal|como estas?|tudo bem|como vai|come (?:stai|va)|hoe gaat het|как дела)(?: .*)?$/;

const maxReadChars = 2_000;

/** Its words in order, in lower case without accents. */
function wordsIn(text: string): readonly string[] {
  const plain = folded(text.slice(0, maxReadChars).normalize("NFKC").toLowerCase().replace(/ß/g, "ss"));
  return plain.replace(/(?<=\p{L})['’ʼ`´](?=\p{L})/gu, "").match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Whether it says so by its form: statements and exclamations don't. */
export function isAsking(text: string): boolean {
  if (asksSomething(text)) return true;
  const words = wordsIn(text);
  const first = words.find((word) => !openers.has(word));
  return first !== undefined && beginnings.has(first);
}

/** "Dave, did you call them?": a name, a comma, and what is for that person. */
const named = /^\s*@?\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?,\s/u;

function isForSomeone(text: string): boolean {
  const [first = ""] = wordsIn(text);
  return named.test(text) && !openers.has(first) && !beginnings.has(first);
}

/** Whether it was asked of everyone who reads along: "does anyone know …?" */
export function asksEveryone(text: string): boolean {
  const words = wordsIn(text).filter((word, at) => at > 3 || !openers.has(word));
  const begin = words.slice(0, 5).join(" ");
  return /^(?:(?:does |do )?any(?:body|one) (?:here )?know|who knows|(?:can|could) (?:any|some)(?:body|one) tell|weiss (?:hier |denn )?(?:jemand|wer)|kann (?:mir |uns )?jemand sagen)\b/.test(
    begin,
  );
}

/** A question that the people who look after the knowledge would want to see. */
export function isQuestion(text: string, via: "message" | "command" | "shortcut" = "message"): boolean {
  if (pleasantryOf(text) !== undefined || asksForWelcome({ text, attachments: [] })) return false;
  const words = wordsIn(text);
  const said = words.slice(words.findIndex((word) => !openers.has(word)));
  if (words.length === 0 || manners.test(said.join(" ")) || isForSomeone(text)) return false;
  // What follows a command is asked, whatever its form.
  return via !== "message" || isAsking(text);
}
