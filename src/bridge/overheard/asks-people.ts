/**
 * Whether an overheard line asks people what they do, did or think, here and now: "did you feed the cat?". Documents say
 * how things are done, so a section that has its words answers something else. English and German. Pure.
 */

import { folded, listed, plainWords } from "../intake/pleasantries.ts";
import { withoutForeign } from "../intake/question-marks.ts";

/** Said before a question begins. */
const fillers = listed(`
  and, but, so, also, ok, okay, well, hi, hey, hello, all, everyone, guys, sorry, wait, lol, haha, hm, hmm, btw, anyway,
  oh, und, aber, na, hallo, moin, leute, sagt, sag, mal, ey, oh, ach, ok
`);
/** Up to three words with which a part of a sentence begins. */
const openings = listed(`
  did, didnt, had, hadnt, hasnt, havent, wasnt, werent, has the, has it, has he, has she, has that, has this, has my,
  has someone, should someone, should anyone, should the, sollte ich, sollten wir, sollte jemand, hat wer, mag jemand,
  mag wer, will jemand, will wer, möchte jemand, who will, wer kommt, wer geht, wer mag, wer will, wer möchte,
  would someone, would anyone, würde jemand, have the, have they, have we, was the, was it, was that, was this, was there, was he,
  was she, was anyone, was someone, were the, were they, were we, were there, shall i, shall we, should i, should we,
  soll ich, sollen wir, have i, hab ich, habe ich, bin ich, wer hat, how was,
  how about a, how about we, how about some, what if we, who has my, who has your, who has our, who got my,
  how were, how did, what did, where did, why did, hows, what happened, what went, whats going, what is going, whats up, whats wrong,
  what is wrong, what do you think, what do you reckon, is your, are your, wheres my, where is my, where are my,
  wheres your, where is your, where are your, war, waren, wie war, wie waren, wie lief, wie gehts, wie geht es, wo ist mein,
  wo ist meine, wo sind meine, tu, as tu, es tu, vas tu, peux tu, veux tu, estás, puedes, quieres, hai, sei, puoi, vuoi,
  heb je, ben je, kun je, wil je, ga je
`);
/** Two words anywhere in it. */
const asides = listed(`
  did you, did they, did he, did she, did we, did i, did anyone, did someone, have you,
  are you, were you, will you, would you, last night, this morning, this afternoon, this evening, do you want,
  do you think, do you fancy, do you mind, do you remember, do you reckon, do you believe, do you feel, do you wanna,
  this week,
  this weekend, next week, next weekend, last week, last weekend, last time, diese woche, nächste woche, letzte woche,
  letztes mal, am wochenende, do you agree, or me, or you, me or, are we, have your, seid ihr, wart ihr, könnt ihr, wollt ihr, geht ihr, macht ihr, kommt ihr, meint ihr, nehmt ihr,
  esst ihr, fahrt ihr, habt ihr noch, haben wir noch, ist noch, sind noch, werdet ihr, hattet ihr, denkt ihr
`);
const asideWords = listed(`
  yesterday, yours, mine, ours, gestern, vorhin, dein, deine, deinen, deinem, deiner, deins, euer, eure, euren, eurem, eurer,
  dich, dir, euch, he, she, him, really, seriously, honestly, wirklich, ernsthaft
`);
/** "can you restart it?" asks a person to do it. */
const requests = listed(
  "can you, could you, can someone, can anyone, could someone, could anyone, kann jemand, kann wer, könnte jemand, könnte wer",
);
/** "It closes at six, right?" */
const tags = listed("right, huh, eh, yeah, ok, oder, ne, gell, wa, ja, stimmts");
/** What follows where it asks for words after all: "can you tell me …", "are you allowed to …", "kannst du mir sagen". */
const askingWords = listed(`
  tell, say, explain, remind, help, confirm, show, know, allowed, supposed, meant, able, entitled, insured, covered, open, closed, mir sagen, uns sagen, sagen,
  mir erklären, erklären
`);
const states = listed(`
  on, off, down, up, working, running, going, coming, broken, ready, done, finished, back, here, there, gone, full, offline, kaputt,
  fertig, da, weg, zurück, leer, voll
`);
const nowWords = listed(`
  already, yet, again, now, moment, tonight, schon, wieder, gerade, jetzt, endlich
`);
const dayWords = listed("today, tonight, tomorrow, now, heute, morgen, gerade, jetzt");
/** What one person did at one time; documents say who founded a place. */
const didOnce = listed(`
  left, took, broke, ate, did, made, put, said, told, bought, had, was, were, forgot, stole, lost, brought, sent, drank,
  drove, shut, saw, wrote that, wrote this
`);
const notDidOnce = listed(`
  need, feed, breed, seed, speed, proceed, founded, created, designed, invented, established, opened, gegründet, gebaut,
  erbaut, eröffnet, erfunden
`);

/** "Anyone stuck?", but "anyone know the code?". */
const askingAnyone = listed("know, knows, has, have, got, remember, remembers, tell, who");
/** "Any news from your week?", but "any discount for students?". */
const ofPeople = listed("your, my, news, ideas, idea, luck, plans, updates, update, volunteers, takers");
const momentary = listed("free, available, busy, booked, taken, frei, belegt, besetzt");

/** A question without one asks a person which one is meant. */
const verbs = listed(`
  is, are, was, were, do, does, did, can, could, may, must, should, will, would, has, have, need, needs, goes, go, get,
  gets, applies, apply, counts, count, works, work, costs, cost, opens, open, closes, close, comes, come, ist, sind, hat, haben,
  kann, können, darf, dürfen, muss, müssen, soll, gilt, gelten, braucht, brauche, kostet, kosten, gibt, liegt, hängt
`);
const maxFragment = 8;

/** No question is further in. */
const maxRead = 2_000;

export function asksPeople(text: string): boolean {
  const sentences = withoutForeign(text.slice(0, maxRead)).split(/(?<=[.!?…\n])\s/u);
  const asking = sentences.filter((sentence) => sentence.includes("?"));
  // "Can you do my Saturday? And how do I enter it?" has a question for documents too.
  return (asking.length === 0 ? sentences : asking).every((sentence) => sentence.split(/[,;:]\s/u).some(isOfPeople));
}

function isOfPeople(part: string): boolean {
  const all = folded(plainWords(part))
    .replace(/body(?= |$)/g, "one")
    .split(" ");
  const begin = all.findIndex((word) => !fillers.has(word));
  const words = all.slice(Math.max(0, begin));
  const [first = "", second = ""] = words;
  const last = words.at(-1) ?? "";
  const starts = [1, 2, 3, 4].map((count) => words.slice(0, count).join(" "));
  const has = (table: ReadonlySet<string>) => words.some((word) => table.has(word));

  if (starts.some((start) => openings.has(start))) return true;
  if (requests.has(`${first} ${second}`)) return !asksForWords(words, 2);
  if (has(asideWords) || words.some((_, at) => isAside(words, at))) return true;
  if ((first === "anyone" || first === "someone") && !askingAnyone.has(second)) return true;
  if (first === "any" && has(ofPeople)) return true;
  const isWho = first === "who" || first === "whos" || first === "wer";
  if (isWho && (has(dayWords) || isWhoDoing(words) || isDoneOnce(second) || didOnce.has(words.slice(1, 3).join(" "))))
    return true;
  const isWhy = first === "why" || first === "warum" || first === "wieso";
  const isOfSelf = words.slice(1, 3).some((word) => word === "i" || word === "ich");
  if (isWhy && (has(dayWords) || has(nowWords) || isOfSelf)) return true;
  if (last === "echt" || (words.length === 1 && tags.has(last))) return true;
  // "When are they bringing it?", "what are we doing about it?"; but "may I bring a dog?"
  if (words.some((word, at) => /^(?:am|is|are|was|were)$/.test(word) && isDoing(words.slice(at + 1, at + 3))))
    return true;
  // "Which exam, navigation or casualty care?"
  if (/^(?:which|welche[rnsm]?)$/.test(first) && !words.some((word) => verbs.has(word)) && words.length <= maxFragment)
    return true;
  if (first === "whose" && /^(?:this|that|these|those)$/.test(last)) return true;
  if ((first === "where" || first === "wheres" || first === "wo") && /^(?:gone|hin)$/.test(last)) return true;
  if (/^(?:is|are|isnt|arent|ist|sind)$/.test(first)) {
    // "Is Otter free at three?"
    const isForNow = words.some((word, at) => momentary.has(word) && /^(?:at|um)$/.test(words[at + 1] ?? ""));
    return has(nowWords) || states.has(last) || isStillSo(words) || isForNow;
  }
  return isGermanPast(words);
}

function isDoing([who = "", verb = ""]: readonly string[]): boolean {
  return /^(?:they|he|she|we|you|i|anyone|everyone)$/.test(who) && /^\p{L}{2,}ing$/u.test(verb);
}

/** "Who else is going?" */
function isWhoDoing(words: readonly string[]): boolean {
  const verb = words.findIndex((word) => /^(?:is|are|whos)$/.test(word));
  return verb >= 0 && verb <= 2 && /^\p{L}{2,}ing$/u.test(words[verb + 1] ?? "");
}

function asksForWords(words: readonly string[], at: number): boolean {
  return askingWords.has(words[at] ?? "") || askingWords.has(words.slice(at, at + 2).join(" "));
}

function isAside(words: readonly string[], at: number): boolean {
  const [first = "", second = ""] = words.slice(at, at + 2);
  const isSaid = asides.has(`${first} ${second}`) || asides.has(words.slice(at, at + 3).join(" "));
  const isGerman = second === "du" && first.endsWith("st") && !/^wei(?:ß|ss)t$/.test(first);
  return (isSaid || isGerman) && !asksForWords(words, at + 2);
}

/** "is the release still running in Dublin": "is it still 20 cents" isn't meant. */
function isStillSo(words: readonly string[]): boolean {
  const next = words[words.indexOf("still") + 1] ?? "";
  return words.includes("still") && (next.endsWith("ing") || states.has(next));
}

function isDoneOnce(word: string): boolean {
  return didOnce.has(word) || (word.endsWith("ed") && !notDidOnce.has(word));
}

/** "wer hat … geputzt", "wurde die Sahne bestellt". */
function isGermanPast(words: readonly string[]): boolean {
  const last = words.at(-1) ?? "";
  const isPast = words.some((word) => /^(?:hat|habt|haben|habe|wurde|wurden)$/.test(word));
  return isPast && /^\p{L}{0,6}(?:ge|ver|be|er)\p{L}{2,}(?:t|en)$/u.test(last) && !notDidOnce.has(last);
}
