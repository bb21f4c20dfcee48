/** Whether a text without a question mark begins like a question. Pure. */

import { folded, listed, plainWords } from "../intake/pleasantries.ts";
import { withoutForeign } from "../intake/question-marks.ts";

/** English, German, French, Spanish, Portuguese, Italian, Dutch, Russian, Greek, Arabic, Hindi; accents may be missing. */
const questionWords = listed(`
  who, whos, what, whats, where, wheres, why, how, hows, which, whose, whom,
  wer, wen, wem, wessen, was, wo, wohin, woher, wann, warum, wieso, weshalb, wie, wieviel, wieviele, welche, welcher,
  welches, welchen, welchem, womit, wofür, worüber, woran, worauf, woraus,
  qui, quand, où, pourquoi, comment, combien, quel, quelle, quels, quelles, lequel, laquelle,
  quién, quiénes, qué, cuándo, dónde, adónde, cómo, cuánto, cuánta, cuántos, cuántas, cuál, cuáles, por qué,
  quem, quê, quando, onde, aonde, como, quanto, quanta, quantos, quantas, qual, quais, por que,
  chi, che cosa, cosa, dove, perché, come, quanti, quante, quale, quali,
  wie, wat, waar, wanneer, waarom, hoe, hoeveel, welk, welke, waarvoor, waarmee,
  кто, что, где, куда, откуда, когда, почему, зачем, как, какой, какая, какие, какое, сколько, чей,
  ποιος, ποια, ποιο, τι, πότε, πού, γιατί, πώς, πόσο, πόσα,
  هل, متى, أين, كيف, لماذا, ماذا, كم, من, ما, क्या, कब, कहाँ, कैसे, क्यों, कौन, कितना, कितने
`);
/** Two words that only a question begins with. */
const openings = listed(`
  when is, when are, when was, when were, when do, when does, when did, when can, when will, when should, when must,
  can i, can we, can someone, can anyone, may i, may we, do i, do we, do you, does anyone,
  does the, does it, is there, are there, is it, are we, are the, should i, should we, has anyone,
  have we, anyone know, am i, kann ich, kann man, können wir, darf ich, darf man, dürfen wir, muss ich,
  muss man, müssen wir, gibt es, gibts, hat jemand, weiß jemand, kann jemand, ist es, soll ich, sollen wir, est ce,
  y a, peut on, puis je, a t, faut il, hay, puedo, se puede, alguien sabe, tem, posso, alguém sabe, c è, si può,
  qualcuno sa, is er, zijn er, kan ik, mag ik, moet ik, weet iemand, можно ли, есть ли, нужно ли
`);
/** They begin a remark: "what a day", "how nice", "wie gesagt". */
const remarks = listed(`
  what a, what an, how nice, how cool, how lovely, how funny, how sad, how sweet, how great, how weird, how odd,
  how annoying, how exciting, how about that, what the hell, wie gesagt, wie schön, wie nett, wie süß, wie cool,
  wie geil, wie immer, was für, quelle chance, quel dommage, qué bien, qué pena, qué bueno, che bello, come sempre,
  como siempre, como sempre, wat leuk, wat een, wat jammer, как всегда, как здорово
`);
/** What may stand before. */
const beforehand = listed(`
  hi, hey, hello, hi all, hi everyone, and, but, so, also, ok, okay, well, sorry, quick question, question, hallo,
  moin, servus, guten morgen, und, aber, na, sagt mal, sag mal, frage, kurze frage, salut, bonjour, et, mais, hola, y,
  pero, olá, oi, e, mas, ciao, ma, hoi, dag, en, maar, привет, и, а, но
`);
/** They have no spaces, and the word stands wherever the answer would. */
const eastAsian =
  /什么|什麼|怎么|怎麼|为什么|為什麼|多少|哪里|哪裡|哪个|哪些|几点|幾點|谁|誰|吗$|嗎$|呢$|いつ|どこ|どう|なぜ|いくら|何(?:時|人|日|が|を|で)|ですか$|ますか$|(?:나요|까요|습니까|ㅂ니까)$|언제|어디|어떻게|누구|얼마|왜|อะไร|เมื่อไร|เมื่อไหร่|ที่ไหน|อย่างไร|ทำไม|เท่าไร|เท่าไหร่|ไหม$/u;

/** No opening is further in. */
const maxRead = 300;

/** Not for a remark that begins with such a word. */
export function beginsLikeQuestion(text: string): boolean {
  const said = folded(plainWords(withoutForeign(text).trimStart().slice(0, maxRead)));
  if (eastAsian.test(said)) return true;
  let words = said.split(" ");
  for (const count of [3, 2, 1, 1]) {
    if (words.length > count && beforehand.has(words.slice(0, count).join(" "))) words = words.slice(count);
  }
  const two = words.slice(0, 2).join(" ");
  if (remarks.has(two) || remarks.has(words.slice(0, 3).join(" "))) return false;
  return words.length > 1 && (questionWords.has(words[0] ?? "") || questionWords.has(two) || openings.has(two));
}
