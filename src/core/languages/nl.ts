/** What Parley knows of Dutch words. */
import type { LanguageWords } from "./language-words.ts";

/** Things that hold knowledge, in answers that say that it isn't in there. */
const holders = "(?:kennisbank|documenten|document|documentatie|bronnen|bron|context|teksten|tekst)";

export const nl: LanguageWords = {
  name: "Dutch",
  questions: {
    firstWords: "wat, wie, wanneer, waar, waarom, welke, hoe, hoeveel, kan, mag, moet, zijn, heeft, hebben, wordt",
    openers: "hoi, dag, en, dus, dan, maar",
    manners: "hoe gaat het",
    words: "wie, wat, waar, wanneer, waarom, hoe, hoeveel, welk, welke, waarvoor, waarmee",
    openings: "is er, zijn er, kan ik, mag ik, moet ik, weet iemand",
    remarks: "wat leuk, wat een, wat jammer",
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
  charts: {
    trend: `
      trend*, ontwikkeling*, verloop, groei, gegroeid, per maand, maandelijks*, per jaar, jaarlijks*, per week,
      wekelijks*, per dag, dagelijks*, per kwartaal, door de tijd
    `,
    share: "aandeel, aandelen, percentage*, verdeling*, verhouding*, samenstelling, uitsplitsing",
    comparison: "vergelijk*, vergeleken, ten opzichte van, tegenover, ranglijst",
    chart: "grafiek*, diagram*, visualiseer*",
    stacked: "gestapeld*, vlakdiagram*",
    otherMeanings: "tegenover het station, trendy",
  },
  columns: {
    rowNames: "jaar",
    totals: "totaal",
  },
  titles: {
    small: "het, een, van, voor, met, hoe",
  },
  sayings: [
    "\\bik weet (?:het |dat )?(?:helaas )?niet\\b",
    "\\bdat weet ik (?:helaas )?niet\\b",
    "\\bik (?:heb|kon|kan|vind|vond) .{0,60}\\b(?:niets|geen (?:informatie|antwoord|gegevens|resultaten|vermelding|documenten)|niet (?:vinden|beantwoorden))\\b",
    "\\b(?:er is|is er) geen (?:informatie|antwoord|vermelding)\\b",
    `\\b${holders}\\b.{0,40}\\b(?:geen|niets|niet (?:vermeld|genoemd))\\b`,
  ],
  grouping: {
    empty: `
      de, het, een, ik, mij, me, mijn, wij, we, ons, onze, je, jij, jouw, jullie, u, uw, hij, zij, ze, hun, er, dit, dat,
      deze, die, is, zijn, ben, bent, was, waren, wordt, worden, heb, hebt, heeft, hebben, kan, kun, kunt, kunnen, mag, mogen,
      moet, moeten, zal, zullen, zou, wil, willen, hoe, wat, waar, welke, welk, of, en, maar, als, dan, ook, nog, alleen,
      al, zo, heel, erg, graag, hallo, hoi, hey, dag, bedankt, alsjeblieft, alstublieft, in, op, aan, bij, met, naar,
      van, te, tot, voor, over, om, door, uit, hier, daar, iemand, weet, weten, zeggen, uitleggen, helpen,
      mogelijk, doe, doen, doet, gaat, nu, vandaag, parley, even
    `,
    weak: "vinden, vind, vindt, krijgen, krijg, nodig, gebruiken, gebruik, bedrijf, nieuw, nieuwe, waarom, dagen, vraag, toegestaan, zien, zie",
    negation: "niet, geen, nooit",
    without: "zonder",
    frames: "ik weet niet, weet niet, wat moet ik doen, wat kan ik doen, is er, zijn er, geen idee",
    same: `
      works: werkt, werken
      broken: werkt niet, doet het niet, niet werkt, kapot, stuk, defect
      amount: hoeveel
      cost: kost, kosten, prijs, hoe duur
      duration: hoe lang, hoelang, duur
      frequency: hoe vaak
      when: wanneer, hoe laat, tot wanneer
      who: wie
      sick: ziek
      pwd: wachtwoord
      login: inloggen, aanmelden
      logout: uitloggen, afmelden
      homeoffice: thuiswerken, thuis werken
    `,
    actions: `
      reset: opnieuw instellen, opnieuw in te stellen, resetten, herstellen, vergeten
      change: wijzigen, veranderen, aanpassen
      cancel: annuleren
      place: plaatsen
      delete: verwijderen, wissen
      create: aanmaken
      setup: instellen, configureren
      request: aanvragen
      submit: indienen
      book: boeken, reserveren
      print: printen, afdrukken
      order: bestellen
      return: retourneren, terugsturen
    `,
    from: "van, uit",
    to: "naar, tot",
    separable: "terug, af, aan, op, uit, in, mee, over, toe, weg, door, vast",
  },
};
