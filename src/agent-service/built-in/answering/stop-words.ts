/** Words of English and German that say nothing about what a question is about. */

import { stemOf } from "../../../core/text/stems.ts";

const english = `
  a about actually again all also already always am an and any anyone anything anyway anywhere are as ask at away
  be because been before being but by can cannot cant come could couldnt did didnt do does doesnt doing done dont each
  either else ever every everyone everything everywhere explain few find for from further get gets getting give gives giving
  given go goes going gone good got had happen happened happens has have havent having he hello help her here hers hey hi
  him his how however i idea if im in into is isnt it its itself just kind know let lets like ll long look many may maybe
  me mean meaning means meant might mine more most much must my myself need needed needs never no nor not now of off ok okay on
  once one ones only or other others our out over own please possible possibly put quick quickly re really right s said
  same say see shall she should show so some someone something somewhere sort still such suppose supposed sure t
  take tell than thank thanks that thats the their them then there theres these they thing things think this those though
  through to too try trying u under unless until up us use used uses using usually ve very via wanna want wanted wants was way
  we well went were what whats when whens where wheres whether which while who whom whos whose why will with within without
  wont would wouldnt yes yet you your yours d m far soon hasnt wasnt arent per instead quite rather during dr mr mrs ms prof
`;

const german = `
  ab aber alle allem allen aller alles als also am an andere anderem anderen anderer anderes auch auf aus bei beim
  bekomme bekommen bekommt bin bis bist bitte brauche brauchen braucht da dabei dafur dahin damit dann daran darauf darf
  darfst davon dazu dass dein deine deinem deinen deiner dem den denen denn der deren des dessen dich die dies diese diesem
  diesen dieser dieses dir doch dort du durch durfen durft eben eigentlich ein eine einem einen einer eines einfach er es
  etwa etwas euch euer eure eurem euren fur gab ganz geben geht gehen gelten gerade gern gerne gibt gibts gilt haben hab habe habt
  hallo hast hat hatte hatten heisst heisse heissen heiss her hier hin hoch ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im
  immer in ins irgendwie irgendwo ist ja je jede jedem jeden jeder jedes jemand jemandem jemanden kann kannst kein keine
  keinem keinen keiner keins komme kommen kommt konnen konnt konnte konnten kriege kriegen kriegt lang lange machen macht mache mal
  man mehr mein meine meinem meinen meiner mich mir mit mochte mochten muss musst mussen nach neben nein nicht nichts nie niemand
  noch nochmal das wann deshalb darum dran drin drauf raus rein statt trotzdem nachher vorher zuerst zusatzlich zumindest mindestens hochstens mach denen ihres seines meines deines unseres eures ums aufs furs ans beim vors nun nur ob oder ohne oft schon sehr sein seine seinem seinen seiner seit sich sie sind so sogar soll sollen
  sollte sonst sowie tun tut um und uns unser unsere unserem unseren unserer unter viel viele vielen vielleicht vom von vor war
  waren warum was wegen weil weiss welche welchem welchen welcher welches wem wen wenn wer werde werden wessen wie wieder wieso
  wieviel wieviele will willst wird wir wirst wo woher wohin wollen wurde wurden zu zum zur zwischen uber uberhaupt ihrs
  konntest konntet wurdest wurdet durfte durften wusste wissen gewusst passiert passieren geschieht
  mach machst pro gut gute guten guter gutes finde finden findet sag sagen erklare
`;

const words = new Set([
  ...`${english} ${german}`.trim().split(/\s+/),
  ...["any", "every", "some"].map((which) => `${which}body`),
]);

/** Words of many questions that an answer can do without. */
const weakEnglish = `
  able allowed amount answer apply arrange back begin bring call called case correct day days different employee
  employees end exactly include information keep main make makes member members name named new normal number old
  order part people person persons place procedure process require required rule rules run start staff take takes team
  time times today tomorrow two type wear wearing work works working year years yesterday afternoon afternoons
  `;
const weakGerman = `
  abends anzahl arbeit arbeiten beginnen betrieb eigene erlaubt firma frage gehort gelten gilt information jahr jahre
  kollegen lassen lauft laufen legen leute liegt liegen mitarbeiter mitarbeiterin mittags morgens nachmittags name nehmen
  nimmt neu neue neuen neuer neues nummer nutzen person personen regel regeln richtig stehen steht tag tage trage tragen
  verschiedene vormittags zeit
  `;
const [englishWeak, germanWeak] = [weakEnglish, weakGerman].map((list) => list.trim().split(/\s+/));
const weakWords = new Set([...(englishWeak ?? []), ...(germanWeak ?? [])]);
const weakStems = new Set(germanWeak?.map((word) => stemOf(word, "de")));

/** Says little, though not nothing: "working", "Tage". */
export function isWeakWord(word: string): boolean {
  return weakWords.has(word) || weakWords.has(stemOf(word, "en")) || weakStems.has(stemOf(word, "de"));
}

/** `word`: in lower case, without accents. */
export function isStopWord(word: string): boolean {
  // A letter alone is left over from an abbreviation; in some scripts it is a word.
  return words.has(word) || (word.length === 1 && /[a-z]/.test(word));
}
