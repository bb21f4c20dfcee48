/**
 * Whether an answer says in words that it doesn't know, in ten languages. Only how it begins counts: an answer that
 * tells something first, and then what it doesn't know, is an answer.
 */

/** What is looked at, in characters. */
const maxReadChars = 600;
/** A greeting or an apology before the first sentence. */
const maxPreludeWords = 3;

/** Things that hold knowledge, in answers that say that it isn't in there. */
const holders = {
  en: "(?:knowledge base|documents?|documentation|docs|sources?|passages?|context|text|information provided|search results?)",
  de: "(?:wissensdatenbank|wissensbasis|dokumenten?|dokumentation|unterlagen|quellen?|kontext|texte?n?|informationen)",
  fr: "(?:base de connaissances|documents?|documentation|sources?|contexte|textes?)",
  es: "(?:base de conocimientos?|documentos?|documentación|fuentes?|contexto|textos?)",
  pt: "(?:base de conhecimento|documentos?|documentação|fontes?|contexto|textos?)",
  it: "(?:base di conoscenza|documenti|documento|documentazione|fonti|fonte|contesto|testi|testo)",
  nl: "(?:kennisbank|documenten|document|documentatie|bronnen|bron|context|teksten|tekst)",
  ru: "(?:баз[аеы] знаний|документ[а-яё]{0,3}|источник[а-яё]{0,3}|контекст[а-яё]{0,2}|текст[а-яё]{0,3})",
};

/** Each is matched within one sentence, in lower case with plain apostrophes. */
const sayings: readonly string[] = [
  // English
  "\\bi (?:do not|don't|dont) (?:really |actually |currently )?know\\b",
  "\\bi (?:do not|don't|dont) (?:currently )?have (?:any |enough |specific |that |the |access to ){0,3}(?:information|info|details?|data|knowledge|answer|documents?|content)\\b",
  "\\bi (?:can't|cannot|can not|couldn't|could not|was unable to|am unable to|wasn't able to|was not able to|am not able to) (?:find|locate|determine|answer|see|tell|say)\\b",
  "\\bi(?:'m| am) (?:unable|not able) to (?:find|locate|determine|answer|tell|say)\\b",
  "\\bi(?:'m| am) not sure\\b",
  "\\bi (?:found|find|see|have) (?:nothing|no (?:\\w+ ){0,2}(?:information|mention|answer|results?|passages?|documents?|data|details?|sources?|match|matches|entry|record))\\b",
  "\\bthere (?:is|are|was|were) (?:nothing|no (?:\\w+ ){0,2}(?:information|mention|answer|results?|documents?|data|details?|entry|record|records)) (?:about|on|of|for|regarding|in|that|available|to|related|matching)\\b",
  "\\bno (?:\\w+ ){0,2}(?:information|answer|results?|documents?|passages?|data|rows|matches|mention) (?:\\w+ ){0,2}(?:found|available)\\b",
  "\\bno (?:relevant |specific |such )?(?:information|results?|data|documents?|mention)\\b.{0,30}\\b(?:was|were|could be) found\\b",
  `\\b${holders.en}\\b.{0,40}\\b(?:do not|does not|don't|doesn't|did not|didn't) (?:\\w+ )?(?:contain|mention|include|say|provide|specify|cover|have|state|answer|tell|give)\\b`,
  `\\b(?:is not|isn't|are not|aren't|not) (?:\\w+ )?(?:mentioned|covered|contained|included|specified|stated|answered|described) (?:in|by) (?:\\w+ ){0,3}${holders.en}\\b`,
  // German
  "\\b(?:das )?(?:weiß|weiss) ich (?:es |das )?(?:leider )?nicht\\b",
  "\\bich (?:weiß|weiss) (?:es |das )?(?:leider )?nicht\\b",
  "\\b(?:dazu|darüber|hierzu|davon) .{0,40}\\b(?:nichts|keinen?|keinerlei)\\b",
  "\\bich (?:habe|konnte|kann|finde|fand) .{0,60}\\b(?:nichts|keinen? (?:\\p{L}+ )?(?:information|informationen|angaben?|antwort|hinweise?|treffer|daten|passagen?|einträge?|dokumente?)|nicht (?:finden|beantworten|sagen))(?!\\p{L})",
  "\\bkonnte ich .{0,60}\\b(?:nichts|keinen?|nicht finden)\\b",
  "\\bliegen mir .{0,30}\\bkeine\\b",
  "\\b(?:es gibt|gibt es) .{0,40}\\bkeinen? (?:\\p{L}+ )?(?:information|informationen|angaben?|antwort|hinweise?|daten|eintrag|einträge)(?!\\p{L})",
  `(?<!\\p{L})${holders.de}(?!\\p{L}).{0,50}\\b(?:keinen?|keinerlei|nichts|nicht (?:erwähnt|enthalten|beschrieben|angegeben|genannt))(?!\\p{L})`,
  "\\bnicht (?:erwähnt|enthalten|beschrieben|angegeben)(?!\\p{L})",
  // French
  "\\bje ne (?:le )?sais pas\\b",
  "\\bje (?:ne|n') ?(?:trouve|dispose|connais|peux|suis|ai|vois) .{0,40}(?:\\b(?:rien|aucune?|pas)(?!\\p{L}))",
  "\\b(?:aucune?|pas d') ?(?:information|mention|réponse|résultat|document|donnée)s?(?!\\p{L})",
  `\\b${holders.fr}(?!\\p{L}).{0,40}\\bne (?:contien|mentionn|précis|indiqu|fourni|dis|comport)`,
  // Spanish
  "(?<!\\p{L})no (?:lo )?sé(?!\\p{L})",
  "(?<!\\p{L})no (?:he |pude |puedo |logré |pudimos |hemos )?(?:encontr|hall)\\p{L}{1,6}",
  "(?<!\\p{L})no (?:tengo|dispongo|hay|existe) .{0,20}(?:información|datos|respuesta|mención|detalles)",
  `(?<!\\p{L})${holders.es}(?!\\p{L}).{0,40}(?<!\\p{L})no (?:contien|mencion|incluy|especific|indic|proporcion|dice)`,
  // Portuguese
  "(?<!\\p{L})não (?:o )?sei(?!\\p{L})",
  "(?<!\\p{L})não (?:encontrei|achei|consegui encontrar|foi possível encontrar|foram encontrad)",
  "(?<!\\p{L})não (?:tenho|há|existe|existem) .{0,20}(?:informaç|dados|resposta|menç|detalhes)",
  `(?<!\\p{L})${holders.pt}(?!\\p{L}).{0,40}(?<!\\p{L})não (?:cont|mencion|inclu|especific|indic|fornec|diz)`,
  // Italian
  "(?<!\\p{L})non (?:lo )?so(?!\\p{L})",
  "(?<!\\p{L})non (?:ho trovato|trovo|sono riuscit[oa] a trovare|riesco a trovare|è stato possibile trovare)(?!\\p{L})",
  "(?<!\\p{L})non (?:ho|dispongo di|ci sono|c'è) .{0,20}(?:informazion|dati|rispost|menzion|dettagli)",
  `(?<!\\p{L})${holders.it}(?!\\p{L}).{0,40}(?<!\\p{L})non (?:conten|contien|menzion|includ|specific|riport|indic|forn|dic)`,
  // Dutch
  "\\bik weet (?:het |dat )?(?:helaas )?niet\\b",
  "\\bdat weet ik (?:helaas )?niet\\b",
  "\\bik (?:heb|kon|kan|vind|vond) .{0,60}\\b(?:niets|geen (?:informatie|antwoord|gegevens|resultaten|vermelding|documenten)|niet (?:vinden|beantwoorden))\\b",
  "\\b(?:er is|is er) geen (?:informatie|antwoord|vermelding)\\b",
  `\\b${holders.nl}\\b.{0,40}\\b(?:geen|niets|niet (?:vermeld|genoemd))\\b`,
  // Russian
  "(?<!\\p{L})не (?:знаю|наш[её]л|нашла|нашлось|нашли|могу (?:найти|ответить|сказать)|удалось найти|располагаю)(?!\\p{L})",
  "(?<!\\p{L})(?:нет|отсутству[ею]т) (?:\\p{L}+ )?(?:информации|данных|сведений|ответа|упоминани[йя])(?!\\p{L})",
  `(?<!\\p{L})${holders.ru}(?!\\p{L}).{0,40}(?<!\\p{L})не (?:содерж|упомина|указ|говор)`,
  // Japanese
  "(?:わかりません|分かりません|わからない|見つかりません|見つけられません|見つかりませんでした|存じません|存じ上げません)",
  "(?:情報|記載|回答|資料)[はがも](?:ありません|見つかりません|ございません|含まれていません)",
  // Chinese
  "(?:我不知道|不清楚|不太清楚|我不確定|我不确定)",
  "(?:没有|沒有|未能|未|没|沒|无法|無法|找不)(?:能)?(?:找到|查到|到|提及|提到|包含|回答)",
  "(?:没有|沒有)(?:相关|相關|有关|有關|关于|關於)",
];

const saying = new RegExp(sayings.join("|"), "u");
/** `[1]`, `【1】`, or a link. */
const citation = /\[\^?\d{1,3}\]|【\d|\]\(https?:/;
const endOfSentence = /(?<=[.!?…])\s+|(?<=[。！？])|\n+/u;

export function saysUnknown(answer: string): boolean {
  // Words in code and quotations are not the answer's own.
  const begin = answer
    .slice(0, maxReadChars)
    .replace(/^[ \t]*>.*$/gm, "")
    .replace(/`[^`\n]*`/g, "x")
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[*_#]/g, "");
  const sentences = begin
    .split(endOfSentence)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
  const isPrelude = (sentence: string) => sentence.split(/\s+/).length <= maxPreludeWords && !says(sentence);
  const first = sentences.find((sentence) => !isPrelude(sentence)) ?? sentences[0];
  return first !== undefined && !citation.test(first) && says(first);
}

function says(sentence: string): boolean {
  return saying.test(sentence.toLowerCase());
}
