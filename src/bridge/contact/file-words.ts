/**
 * Recognises that a message wants its files saved, in ten languages: "add this to handbook", "please remember". Pure. A
 * message counts only if all of it is in these tables: "add up the numbers" and "save it and tell me why" ask something.
 */
import { folded, withoutEmoji } from "../intake/pleasantries.ts";

export type FileWish = {
  /** The knowledge base as it was typed; perhaps there is none of that name. */
  readonly base?: string;
};

const maxChars = 120;
const maxBaseWords = 3;

/** Accents of Latin letters may be missing. */
const saving = phrasesIn(`
  add, save, store, keep, remember, memorize, upload, import, ingest, learn, put,
  hinzufügen, füge, füg, hinzu, aufnehmen, speichern, speichere, speicher, ablegen, sichern, sichere, merken, merke dir,
  merk dir, behalte, hochladen,
  ajoute, ajouter, ajoutez, enregistre, enregistrer, enregistrez, sauvegarde, sauvegarder, sauvegardez, garde, garder,
  gardez, retiens, retenir, mémorise, mémoriser, conserve, conserver, mets,
  añade, añadir, añádelo, añádela, agrega, agregar, agrégalo, guarda, guardar, guárdalo, guárdala, guarde, recuerda,
  recordar, almacena, memoriza, incluye,
  adicione, adiciona, adicionar, acrescente, salve, salva, salvar, grave, gravar, armazene, lembre, memorize, inclua,
  aggiungi, aggiungere, aggiungilo, aggiungila, salvare, salvalo, salvala, memorizza, memorizzare, ricorda, ricordare,
  archivia, voeg, toevoegen, toe, bewaar, bewaren, sla op, sla, op, opslaan, onthoud, onthouden, zet,
  добавь, добавьте, добавить, сохрани, сохраните, сохранить, запомни, запомните, запомнить, загрузи, внеси,
  追加, 追加して, 追加する, 保存, 保存して, 保存する, 覚えて, 覚えておいて, 記憶して, 記録して, 登録, 登録して, 入れて, 入れておいて,
  添加, 加, 加入, 加上, 保存, 存, 存入, 储存, 儲存, 记住, 記住, 收录, 收錄, 导入, 導入, 放, 放入
`);

const around = phrasesIn(`
  please, pls, can you, could you, would you, will you, hey, hi, parley, this, that, it, these, those, them, the, my, our,
  a, file, files, attachment, attachments, attached, document, documents, here, for me, for us, for later, for everyone,
  too, also, as well, now, thanks, thank you, knowledge base, to the knowledge base, to your knowledge base,
  to our knowledge base, to a knowledge base, in the knowledge base, in your knowledge base, into the knowledge base,
  to your knowledge, to your memory, to the kb, to kb,
  bitte, kannst du, könntest du, können sie, könnten sie, das, dies, diese, dieses, die, den, der, es, datei, dateien,
  anhang, dokument, hier, mal, für später, zur wissensbasis, in die wissensbasis, in der wissensbasis, wissensbasis,
  danke, auch, sil te plaît, sil vous plaît, svp, stp, peux tu, pouvez vous, ce, cet, cette, ces, ceci, ça, le, la, les,
  fichier, fichiers, pièce jointe, pour plus tard, à la base de connaissances, dans la base de connaissances, merci, aussi,
  por favor, puedes, podrías, esto, este, esta, estos, lo, el, los, archivo, archivos, documento, fichero, adjunto,
  para luego, para más tarde, a la base de conocimiento, en la base de conocimiento, gracias, también,
  pode, você pode, podes, isto, isso, esse, essa, o, os, arquivo, arquivos, ficheiro, anexo, para depois,
  à base de conhecimento, na base de conhecimento, obrigado, obrigada,
  per favore, puoi, potresti, questo, questa, questi, il, i, allegato, per dopo, alla base di conoscenza,
  nella base di conoscenza, grazie, anche, alsjeblieft, aub, kun je, kan je, wil je, dit, deze, dat, het, de, bestand,
  bestanden, bijlage, voor later, aan de kennisbank, in de kennisbank, dank je, ook,
  пожалуйста, можешь, можете, это, этот, эту, эти, его, файл, файлы, документ, вложение, на потом, в базу знаний,
  в базе знаний, спасибо, тоже,
  これ, この, ファイル, 資料, 添付, を, の, ね, ください, 下さい, お願いします, お願い, もらえますか, くれますか, ナレッジベースに, 知識ベースに,
  请, 請, 把, 将, 將, 这个, 這個, 这, 這, 这份, 這份, 文件, 文档, 文檔, 檔案, 附件, 一下, 下来, 下來, 吧, 里, 裡, 中, 可以, 吗, 嗎, 你, 帮我, 幫我,
  到知识库, 到知識庫, 谢谢, 謝謝
`);

/** Before the name of a knowledge base. */
const before = phrasesIn(`
  to, into, in, under, zu, zum, zur, ins, nach, à, a, au, dans, en, al, ao, em, no, na, para, alla, nel, nella, aan, bij,
  naar, в, во, к, 到, 进, 進, 入
`);
/** Between the two. */
const articles = phrasesIn(
  `the, my, our, your, die, der, das, den, dem, le, la, les, el, los, o, os, il, lo, de, het, base, wissensbasis`,
);
/** Behind the name, in Japanese. */
const behind = phrasesIn(`に, へ`);

const spaceless = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;

/** `fileNames`: of the message's files, which can be named in it. Undefined: the message wants something else. */
export function wishToSave(text: string, fileNames: readonly string[]): FileWish | undefined {
  if (text.length > maxChars + fileNames.join().length) return undefined;
  const words = wordsOf(fileNames.reduce((left, name) => left.replaceAll(name, " "), text));
  if (words === "" || words.length > maxChars) return undefined;
  const reading = readFrom(words, 0, { hasVerb: false, mayName: true }, new Map());
  if (reading === undefined) return undefined;
  return reading.base === undefined ? {} : { base: reading.base };
}

/** How the rest of a message reads; `unknown`: words that are in no table, so must be a name. */
type Reading = { readonly base?: string; readonly unknown: number };
type State = { readonly hasVerb: boolean; readonly mayName: boolean };

function readFrom(
  text: string,
  start: number,
  state: State,
  known: Map<string, Reading | undefined>,
): Reading | undefined {
  if (start >= text.length) return state.hasVerb ? { unknown: 0 } : undefined;
  const key = `${start} ${state.hasVerb} ${state.mayName}`;
  if (known.has(key)) return known.get(key);
  let best: Reading | undefined;
  const consider = (
    end: number | undefined,
    next: State,
    named: { base?: string; unknown: number } = { unknown: 0 },
  ) => {
    const rest = end === undefined ? undefined : readFrom(text, end, next, known);
    if (rest === undefined) return;
    const reading = { ...rest, ...named, unknown: rest.unknown + named.unknown };
    if (best === undefined || reading.unknown < best.unknown) best = reading;
  };
  for (const phrase of saving) consider(endOf(text, start, phrase), { ...state, hasVerb: true });
  for (const phrase of around) consider(endOf(text, start, phrase), state);
  if (state.mayName) {
    const next = { ...state, mayName: false };
    for (const phrase of before) {
      const end = endOf(text, start, phrase);
      if (end === undefined) continue;
      for (const name of namesFrom(text, afterArticles(text, end))) {
        consider(name.end, next, { base: name.base, unknown: name.words });
      }
    }
    for (const name of namesFrom(text, start)) {
      for (const phrase of behind) {
        consider(endOf(text, name.end, phrase), next, { base: name.base, unknown: name.words });
      }
    }
  }
  known.set(key, best);
  return best;
}

/** Where the text continues behind the phrase; undefined if there is no such whole word. */
function endOf(text: string, start: number, phrase: string): number | undefined {
  if (!text.startsWith(phrase, start)) return undefined;
  const end = start + phrase.length;
  const next = text.slice(end, end + 2);
  if (next === "" || next.startsWith(" ")) return next === "" ? end : end + 1;
  return spaceless.test(phrase) || spaceless.test(next) ? end : undefined;
}

function afterArticles(text: string, start: number): number {
  for (const article of articles) {
    const end = endOf(text, start, article);
    if (end !== undefined && end < text.length) return afterArticles(text, end);
  }
  return start;
}

function namesFrom(text: string, start: number) {
  const found: { readonly base: string; readonly end: number; readonly words: number }[] = [];
  let end = start;
  for (let words = 1; words <= maxBaseWords && end < text.length; words += 1) {
    const space = text.indexOf(" ", end);
    const wordEnd = space === -1 ? text.length : space;
    if (spaceless.test(text.slice(end))) break;
    found.push({ base: text.slice(start, wordEnd), end: space === -1 ? wordEnd : space + 1, words });
    end = space === -1 ? wordEnd : space + 1;
  }
  return found;
}

/** Lower case with one space between words; names keep their dots, dashes and underscores. */
function wordsOf(text: string): string {
  const plain = withoutEmoji(text)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(?<=\p{L})['’ʼ`´](?=\p{L})/gu, "")
    .replace(/[^\p{L}\p{M}\p{N}_.-]+/gu, " ")
    .replace(/(?<![\p{L}\p{N}_])[.-]+|[.-]+(?![\p{L}\p{N}_])/gu, " ");
  return folded(plain)
    .replace(/(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー])(?=[\p{Script=Latin}\p{N}_])/gu, " ")
    .replace(/(?<=[\p{Script=Latin}\p{N}_])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー])/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** A table is easier to read and to extend as text than as a list of strings. */
function phrasesIn(table: string): readonly string[] {
  return table.split(",").map((text) => folded(text.trim()));
}
