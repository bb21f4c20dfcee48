/** What Parley knows of Dutch words. */
import type { LanguageWords } from "./language-words.ts";

/** Things that hold knowledge, in answers that say that it isn't in there. */
const holders = "(?:kennisbank|documenten|document|documentatie|bronnen|bron|context|teksten|tekst)";

export const nl: LanguageWords = {
  name: "Dutch",
  questions: {
    firstWords: "wat, wie, wanneer, waar, waarom, welke, hoe, hoeveel, kan, mag, moet, zijn, heeft, hebben, wordt",
    openers: "hoi, en, dus, dan",
    manners: "hoe gaat het",
    words: "wie, wat, waar, wanneer, waarom, hoe, hoeveel, welk, welke, waarvoor, waarmee",
    openings: "is er, zijn er, kan ik, mag ik, moet ik, weet iemand",
    remarks: "wat leuk, wat een, wat jammer",
    beforehand: "hoi, dag, en, maar",
  },
  people: {
    openings: "heb je, ben je, kun je, wil je, ga je",
  },
  names: {
    alsoWords: `
      roos, bloem, wil, zon, jong, bos, berg, dekker, bakker, visser, smit, boer, kok, wit, zwart, groot, vos
    `,
    titles: "meneer, mevrouw, dhr, mevr",
    greetings: "hoi, dag",
  },
  remarks: {
    thanks: `
      bedankt, dank je, dank je wel, dankjewel, dank u, dank u wel, dankuwel, hartelijk dank, dankje, heel erg bedankt,
      hartstikke bedankt, erg bedankt, super bedankt, heel handig, dat hielp
    `,
    acknowledgements: `
      oké, prima, goed, begrepen, duidelijk, helder, snap ik, top, mooi, fijn, is goed, nee, komt goed, klopt,
      geen probleem, akkoord
    `,
    rhetorical: "echt waar, serieus, toch, wie had dat gedacht, waarom niet",
    takenBack: "laat maar, gevonden, opgelost",
    fillers: "en, dan, allemaal, hoor",
    welcome: "hulp, hoi, wat kun je, wat kan je, wat kun je doen, wat kan je doen, wat kun je allemaal",
    leave: "ga weg, laat ons, laat ons met rust",
    noAnswers: "geen idee, weet ik niet, ik weet het niet, goede vraag, ik vraag",
  },
  saving: {
    verbs: "voeg, toevoegen, toe, bewaar, bewaren, sla op, sla, op, opslaan, onthoud, onthouden, zet",
    around: `
      alsjeblieft, aub, kun je, kan je, wil je, dit, deze, dat, het, de, bestand, bestanden, bijlage, voor later,
      aan de kennisbank, in de kennisbank, dank je, ook
    `,
    beforeBase: "in, aan, bij, naar",
    articles: "de, het",
  },
  sayings: [
    "\\bik weet (?:het |dat )?(?:helaas )?niet\\b",
    "\\bdat weet ik (?:helaas )?niet\\b",
    "\\bik (?:heb|kon|kan|vind|vond) .{0,60}\\b(?:niets|geen (?:informatie|antwoord|gegevens|resultaten|vermelding|documenten)|niet (?:vinden|beantwoorden))\\b",
    "\\b(?:er is|is er) geen (?:informatie|antwoord|vermelding)\\b",
    `\\b${holders}\\b.{0,40}\\b(?:geen|niets|niet (?:vermeld|genoemd))\\b`,
  ],
};
