/**
 * Recognises thanks and acknowledgements in ten languages: what people say without wanting an answer. Pure. A message
 * counts only if all of it is in these tables: "thanks, and Tuesday" and "ok for dogs" still want something.
 */
import { hasQuestionMark } from "./question-marks.ts";

export type Pleasantry = "thanks" | "acknowledgement";

const maxWords = 5;

/** As people write them after `plainWords`; accents may be missing. */
const thanks = phrasesIn(`
  thanks, thank you, thank u, thanx, thx, tx, ty, tysm, cheers, much appreciated, appreciate it, appreciated,
  i appreciate it, kudos, thanks a lot, thanks a million, thank you so much, thank you very much, thanks so much,
  many thanks, you are the best, youre the best, that helped, that helps, this helped, it helped, very helpful,
  super helpful, so helpful, thats helpful, helpful, you saved my day, lifesaver, danke, danke dir, danke euch,
  danke schön, dankeschön, danke sehr, vielen dank, herzlichen dank, besten dank, tausend dank, dank dir,
  lieben dank, merci vielmals, hat geholfen, das hat geholfen, sehr hilfreich, hilfreich, merci, merci beaucoup,
  merci bien, merci à toi, merci à vous, mille mercis, un grand merci, merci infiniment, grand merci, mci, ça aide,
  ça m aide, ça maide, très utile, gracias, muchas gracias, mil gracias, muchísimas gracias, te lo agradezco, grax,
  se agradece, muy útil, me ayudó, obrigado, obrigada, muito obrigado, muito obrigada, obg, brigado, brigada,
  valeu, vlw, agradeço, grato, grata, ajudou muito, ajudou, grazie, grazie mille, grazie tante, mille grazie,
  tante grazie, ti ringrazio, molto utile, bedankt, dank je, dank je wel, dankjewel, dank u, dank u wel, dankuwel,
  hartelijk dank, dankje, heel erg bedankt, hartstikke bedankt, erg bedankt, super bedankt, heel handig, dat hielp,
  спасибо, большое спасибо, спасибо большое, спс, благодарю, огромное спасибо, спасибки, спасибо огромное, помогло,
  очень помогло, ありがとう, ありがとうございます, ありがとうございました, 有難う, 有難うございます, どうもありがとう, どうもありがとうございます, 助かりました, 助かります, 感謝します, 感謝,
  サンキュー, 谢谢, 谢谢你, 谢谢您, 谢谢啦, 谢谢了, 多谢, 感谢, 非常感谢, 太感谢了, 谢了, 謝謝, 多謝, 感謝
`);

const acknowledgements = phrasesIn(`
  ok, okay, okey, okie, k, kk, cool, nice, great, perfect, awesome, good, fine, sweet, excellent, brilliant,
  amazing, wonderful, fantastic, lovely, super, wow, neat, done, noted, got it, gotcha, understood, i see,
  makes sense, that makes sense, will do, sounds good, all good, good to know, all right, alright, right, sure,
  yes, yep, yup, yeah, no, nope, agreed, ack, no worries, no problem, np, never mind, nevermind, nvm, lol, haha,
  hehe, oh, ah, hm, hmm, interesting, exactly, indeed, works, that works, it works, works for me, it works now,
  wfm, thats it, thats all, thats right, thats great, thats perfect, lgtm, roger, copy that, fair enough,
  alles klar, klar, gut, sehr gut, verstanden, verstehe, passt, genau, ja, nein, prima, toll, perfekt, stimmt,
  in ordnung, geht klar, mach ich, gerne, gern, okidoki, klingt gut, gut zu wissen, d accord, daccord, entendu,
  compris, parfait, génial, très bien, bien, ça marche, c est bon, cest bon, c est noté, noté, oui, non, bien reçu,
  reçu, exact, nickel, top, ah d accord, vale, de acuerdo, entendido, perfecto, genial, listo, bueno, bien,
  muy bien, sí, claro, excelente, estupendo, está bien, ya veo, dale, okei, buenísimo, beleza, blz, certo, entendi,
  perfeito, ótimo, tá bom, tá, tudo bem, combinado, sim, não, joia, bom saber, va bene, d accordo,
  daccordo, capito, perfetto, ottimo, bene, benissimo, chiaro, sì, certo, ho capito, ricevuto, fantastico, oké,
  prima, goed, begrepen, duidelijk, helder, snap ik, top, mooi, fijn, is goed, nee, komt goed, klopt,
  geen probleem, akkoord, ок, окей, понял, поняла, понятно, ясно, хорошо, отлично, супер, класс, принято, да, нет,
  ладно, круто, договорились, здорово, ага, угу, はい, 了解, 了解です, 了解しました, わかりました, 分かりました, なるほど, いいですね, オッケー, オーケー,
  わかった, 分かった, 承知しました, 承知です, うん, いいね, 大丈夫です, 完璧です, 好的, 好, 好吧, 好啊, 知道了, 明白, 明白了, 了解了, 收到, 没问题, 可以, 行, 嗯, 嗯嗯, 是的, 不错,
  太好了, 完美, 懂了, 沒問題, 對, 对
`);

/** Questions that want no answer: "oh great, who knew?" */
const rhetorical = phrasesIn(`
  who knew, who would have thought, really, oh really, seriously, for real, no way, is that so, say what, huh, what, eh,
  right, who does that, are you kidding, you kidding, are you serious, why me, why not, what now, whats not to like,
  how cool is that, how great is that, isnt it, arent they, dont you think, cool huh, what can you do, who cares,
  who knows, what a day, wirklich, echt, echt jetzt, ernsthaft, im ernst, wer hätte das gedacht, nicht wahr, oder, ne,
  wer weiß, was soll man machen, warum nicht, na und, wer macht denn sowas, vraiment, sérieux, sérieusement, ah bon,
  qui l eût cru, n est ce pas, pourquoi pas, de verdad, en serio, quién lo diría, no, verdad, por qué no, sério, mesmo,
  quem diria, né, por que não, davvero, sul serio, chi l avrebbe detto, vero, perché no, echt waar, serieus, toch,
  wie had dat gedacht, waarom niet, правда, серьёзно, серьезно, кто бы мог подумать, почему нет, 本当, 本当に, ほんと, マジ, 真的, 真的吗,
  是吗
`);

/** "where do passports go? never mind, found it" */
const takenBack = phrasesIn(`
  never mind, nevermind, nvm, found it, found them, i found it, just found it, got it, solved, solved it, sorted,
  ignore me, ignore that, forget it, figured it out, worked it out, all good, schon gefunden, gefunden, habs gefunden,
  hat sich erledigt, erledigt, vergesst es, vergiss es, passt schon, laisse tomber, laissez tomber, trouvé, j ai trouvé,
  c est bon, olvídalo, ya lo encontré, encontrado, resuelto, deixa, deixa pra lá, achei, resolvido, lascia stare, trovato,
  risolto, laat maar, gevonden, opgelost, неважно, нашёл, нашел, нашла, разобрался, разобралась
`);

/** Say nothing of their own, and count as words: "ok then", "thanks Parley", "muito obrigado mesmo". */
const fillers = phrasesIn(`
  parley, so much, very much, a lot, again, all, everyone, everybody, guys, team, folks, mate, then, now, that,
  this, it, thats, very, really, and, for that, for this, for the help, for your help, for the answer, man, buddy,
  to you, a bunch, a ton, loads, indeed, just, so, und, dann, dir, euch, auch, schon, sehr, mal, alle, dafür, et,
  alors, tout, à tous, très, y, pues, todos, a todos, por todo, mesmo, então, demais, pela ajuda, e, allora, tutti,
  a tutti, molto, en, dan, allemaal, hoor, и, всем, тогда, тебе, вам, очень, です, ね, よ, 啦, 了, 啊, 哈, 大家, です ね
`);

const emojis =
  /(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|[#*\d]\uFE0F?\u20E3)(?:\p{Emoji_Modifier}|\uFE0F|\u200D)*|\p{Emoji_Modifier}/gu;
/** ":thumbsup::skin-tone-2:", as Slack sends them, and Discord's "<:yay:123>". */
const emojiNames = /<a?:\w+:\d+>|(?<![\p{L}\p{N}]):(?=[^\s:]*[\p{L}+-])[\p{L}\p{N}_+'-]+:(?![\p{N}])/gu;
/** As a platform's sticker is read; alone it says no more than an emoji. */
const stickers = /\[sticker: [^\]\n]{1,100}\]/g;
const emoticons = /(?<!\S)(?:[:;=]['’]?-?[)(DdPpOo/|*3]+|<3+|\+1|x[dD]+|\^[_.]?\^)(?!\S)/gu;

/** "thanks @Jo" */
const otherPeople = /(?<!\S)@[\p{L}\p{N}_.-]+/gu;

export const withoutEmoji = (text: string): string =>
  text.replace(stickers, " ").replace(emojiNames, " ").replace(emoticons, " ").replace(emojis, " ");

/** No phrase is longer, whatever punctuation and emoji stand around it. A question of 100 kB isn't read for one. */
const maxPhraseChars = 2_000;

const isTooLong = (text: string): boolean => text.length > maxPhraseChars && text.trim().length > maxPhraseChars;

/**
 * The words alone: lower case, one space between them, no punctuation and no emoji. "That's it! 👍" is "thats it". A text
 * that is longer than any phrase stays as it is.
 */
export function plainWords(text: string): string {
  if (isTooLong(text)) return text;
  return withoutEmoji(text)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(?<=\p{L})['’ʼ`´](?=\p{L})/gu, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .replace(/[\uFE00-\uFE0F\u20E3]/gu, "")
    .trim();
}

/** Undefined if the message says more than thanks or that it was read, or asks something. */
export function pleasantryOf(text: string): Pleasantry | undefined {
  return hasQuestionMark(text) ? undefined : remarkIn(text, phrases);
}

/** Whether a line asks, and wants to hear nothing from anybody. */
export function isRhetorical(text: string): boolean {
  return remarkIn(text, [...phrases, ...rhetoricalPhrases]) !== undefined;
}

/** Whether its author needs no answer any more: after the question come only such words. */
export function isTakenBack(text: string): boolean {
  if (isTooLong(text)) return false;
  const after = plainWords(text.slice(lastMarkAt(text) + 1));
  const end = folded(after);
  return takenBack.some((phrase) => end === folded(phrase) || end.endsWith(` ${folded(phrase)}`));
}

/** Of the last question mark. */
function lastMarkAt(text: string): number {
  return Math.max(text.lastIndexOf("?"), text.lastIndexOf("？"), text.lastIndexOf("؟"));
}

function remarkIn(text: string, from: readonly Phrase[]): Pleasantry | undefined {
  if (isTooLong(text) || text.trim() === "") return undefined;
  const words = folded(plainWords(text.replace(otherPeople, " ")));
  // Only emoji, or only punctuation.
  if (words === "") return "acknowledgement";
  const readings = new Map<number, Reading | undefined>();
  const reading = readingFrom(words, 0, readings, from);
  if (reading === undefined || reading.words > maxWords || reading.says === "nothing") return undefined;
  return reading.says;
}

/** How the rest of a message reads as phrases of the tables, in the fewest words. */
type Reading = { readonly says: Pleasantry | "nothing"; readonly words: number };

const strength: Readonly<Record<Reading["says"], number>> = { nothing: 0, acknowledgement: 1, thanks: 2 };

/** Japanese and Chinese have no spaces between words. */
const spaceless = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;

type Phrase = { readonly text: string; readonly says: Reading["says"]; readonly words: number };

const phrases: readonly Phrase[] = [
  ...thanks.map((text) => phrase(text, "thanks")),
  ...acknowledgements.map((text) => phrase(text, "acknowledgement")),
  ...fillers.map((text) => phrase(text, "nothing")),
];

const rhetoricalPhrases = rhetorical.map((text) => phrase(text, "acknowledgement"));

/** A table is easier to read and to extend as text than as a list of strings. */
function phrasesIn(table: string): readonly string[] {
  return table.split(",").map((text) => text.trim());
}

/** A list of words and phrases, to look up what is folded. */
export function listed(table: string): ReadonlySet<string> {
  return foldedSet(phrasesIn(table));
}

export function foldedSet(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.map(folded));
}

function phrase(text: string, says: Reading["says"]): Phrase {
  return { text: folded(text), says, words: text.split(" ").length };
}

/** Accents of Latin letters are often left out; in Japanese such a mark makes another letter. */
export function folded(text: string): string {
  return text
    .normalize("NFD")
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC");
}

function readingFrom(
  text: string,
  start: number,
  known: Map<number, Reading | undefined>,
  from: readonly Phrase[],
): Reading | undefined {
  if (start >= text.length) return { says: "nothing", words: 0 };
  // A long message isn't a pleasantry, and needn't be read.
  if (start === 0 && text.length > 100) return undefined;
  if (known.has(start)) return known.get(start);
  let best: Reading | undefined;
  for (const phrase of from) {
    if (!text.startsWith(phrase.text, start)) continue;
    const end = start + phrase.text.length;
    const next = text.slice(end, end + 2);
    if (next !== "" && !next.startsWith(" ") && !spaceless.test(next) && !spaceless.test(phrase.text)) continue;
    const rest = readingFrom(text, next.startsWith(" ") ? end + 1 : end, known, from);
    if (rest === undefined) continue;
    const says = strength[phrase.says] > strength[rest.says] ? phrase.says : rest.says;
    const words = phrase.words + rest.words;
    const isBetter =
      best === undefined || words < best.words || (words === best.words && strength[says] > strength[best.says]);
    if (isBetter) best = { says, words };
  }
  known.set(start, best);
  return best;
}
