/** What a question wants of a table: highest, sum, trend and the like, in English and German. A small closed set. */
import { folded } from "../words.ts";

export type Operation = "max" | "min" | "sum" | "mean" | "trend" | "compare" | "count";
export type ColumnHint = "price" | "size" | "weight" | "date" | "duration" | "quantity" | "place" | "pay";

type Pattern<Meaning> = readonly [Meaning, RegExp];

/** The first that matches is meant. */
const operations: readonly Pattern<Operation>[] = [
  [
    "trend",
    /^(?:trends?|develop\w*|change[sd]?|changing|rise[ns]?|rising|rose|fallen|falling|fell|grow|grew|grown|growing|increase[ds]?|increasing|decrease[ds]?|decreasing|entwickelt|entwickel\w*|entwicklung|gestiegen|gesunken|gewachsen|verlauf|verandert|veranderung)$/,
  ],
  ["mean", /^(?:average|mean|avg|durchschnitt|durchschnitts?\w*|schnitt|mittel|mittelwert)$/],
  [
    "max",
    /^(?:highest|most|maximum|max|largest|biggest|greatest|longest|heaviest|busiest|latest|newest|youngest|dearest|priciest|strongest|meisten?|hochst\w*|grosste\w*|langste\w*|schwerste\w*|teuerste\w*|neueste\w*|jungste\w*|spateste\w*|maximal\w*)$/,
  ],
  [
    "min",
    /^(?:lowest|least|minimum|smallest|fewest|cheapest|shortest|lightest|earliest|oldest|quietest|wenigste\w*|geringste\w*|tiefste\w*|niedrigste\w*|kleinste\w*|billigste\w*|gunstigste\w*|kurzeste\w*|leichteste\w*|fruheste\w*|alteste\w*|preiswerteste\w*|minimal\w*)$/,
  ],
  ["sum", /^(?:total|sum|altogether|together|overall|combined|insgesamt|zusammen|summe|gesamt\w*|zusammengerechnet)$/],
  [
    "compare",
    /^(?:more|fewer|less|higher|lower|cheaper|heavier|lighter|longer|shorter|bigger|larger|smaller|than|versus|vs|compared?|difference|mehr|weniger|hoher|niedriger|teurer|billiger|gunstiger|schwerer|leichter|langer|kurzer|grosser|kleiner|vergleich|unterschied)$/,
  ],
];

const hints: readonly Pattern<ColumnHint>[] = [
  [
    "price",
    /^(?:expensive|cheap\w*|dear\w*|pric\w*|costs?|teuer\w*|teur\w*|billig\w*|gunstig\w*|preiswert\w*|kostet|kosten|preise?|pay|paid|bezahl\w*|zahl\w*)$/,
  ],
  ["size", /^(?:size|sizes|big|bigger|biggest|large|larger|largest|small|smaller|smallest|gross|grosse\w*|klein\w*)$/],
  ["weight", /^(?:heav\w*|light\w*|weigh\w*|schwer\w*|leicht\w*|wieg\w*|gewicht\w*)$/],
  [
    "date",
    /^(?:earliest|latest|newest|youngest|oldest|recent\w*|neueste\w*|jungste\w*|spateste\w*|fruheste\w*|alteste\w*|when|wann)$/,
  ],
  ["duration", /^(?:longest|shortest|longer|shorter|langste\w*|kurzeste\w*|langer|kurzer)$/],
];

/** Their numbers say when something began. */
const yearColumn = /year|jahr|since|seit|founded|gegrundet|built|gebaut|born|geboren/;
/** The oldest has the highest. */
const ageColumn = /\bage\b|\balter\b/;

const columnsFor: Readonly<Record<ColumnHint, RegExp>> = {
  price: /pric|cost|preis|kosten|gebuhr|fee|betrag|amount|lohn|gehalt|salary|wage|rate\b|euro|eur\b|usd|gbp|chf|€|\$|£/,
  size: /size|\b[kmgt]b\b|area|grosse|flache|sqm|sq m|m2|m²|qm/,
  weight: /weight|gewicht|mass|\bkg\b|\bg\b|gram|kilo/,
  date: /date|datum|day|tag|week|woche|month|monat|year|jahr|since|seit|checked|due|start|begin|end/,
  duration:
    /minute|\bmins?\b|hour|seconds|days|weeks|months|years|duration|length|stunde|tage\b|wochen|monate|jahre\b|dauer|lange/,
  place:
    /place|location|room|city|town|country|address|street|shelf|locker|store|site|office|floor|branch|region|ort|raum|stadt|land|adresse|strasse|regal|schrank|lager|standort|filiale|halle|etage|stock/,
  pay: /lohn|gehalt|honorar|verdienst|salary|wage|\bpay\b|stipend/,
  quantity: /quantity|qty|count|stock|number|anzahl|menge|bestand|stuckzahl|amount/,
};

/** Words that speak of rows or cells, whatever they hold. */
const generic =
  /^(?:items?|things?|entr(?:y|ies)|lists?|tables?|rows?|products?|numbers?|artikel|sachen?|ding\w*|liste|tabelle|eintrage?|produkte?|zeilen?|zahl|anzahl|stuck\w*|up|down|between|going|gone|each|je|eins|different|verschiedene[nr]?|count|handled?|holds?|owns?|contains?|recorded|registered|listed|shown?|kept|stored|located|liegt|liegen|steht|stehen|gelagert|aufbewahrt|enthalten|enthalt|verzeichnet|records?|times?|values?|figures?|werte?|names?|titles?|groups?|categor(?:y|ies)|altogether|takes?|took|costs?|kostet|kosten|jahr(?:en)?|years?)$/;

/** What rows often are, where their own column is just called "name". */
const subject =
  /^(?:customers?|clients?|compan(?:y|ies)|kunden?|firm(?:s|a|en)|treatments?|services?|articles?|offers?|angebote?|leistung(?:en)?|people|persons?|personen|members?|mitglieder|employees?|mitarbeiter|courses?|kurse?|teile?|parts?|projects?|projekte?|bookings?|orders?)$/;
/** Verbs that only say that something is counted. */
const counting =
  /^(?:open(?:ed)?|get|gotten|received?|reports?|reported|records?|seen?|reach(?:ed)?|scored?|achieved?|make|made|filed?|raised?|submit(?:ted)?|needs?|needed|requires?|eingenommen|erreicht|gemeldet|erzielt|ausgegeben|bekommen|verzeichnet)$/;

export function isSubject(word: string): boolean {
  return subject.test(word);
}

export function isCounting(word: string): boolean {
  return counting.test(word);
}

export function operationsIn(
  words: readonly string[],
): readonly { readonly operation: Operation; readonly at: number }[] {
  const found = words.flatMap((word, at): readonly { readonly operation: Operation; readonly at: number }[] => {
    const isDirection =
      (word === "up" || word === "down") && /^(?:go|goes|going|gone|went|or)$/.test(words[at - 1] ?? "");
    const operation = isDirection ? "trend" : meaningOf(operations, word);
    return operation === undefined ? [] : [{ operation, at }];
  });
  const order = operations.map(([operation]) => operation);
  return found.toSorted((a, b) => order.indexOf(a.operation) - order.indexOf(b.operation));
}

export function hintOf(word: string): ColumnHint | undefined {
  return meaningOf(hints, word);
}

export function isColumnFor(hint: ColumnHint, name: string): boolean {
  return columnsFor[hint].test(folded(name).replaceAll("_", " "));
}

export function isYearColumn(name: string): boolean {
  return yearColumn.test(folded(name));
}

export function isAgeColumn(name: string): boolean {
  return ageColumn.test(folded(name));
}

export function isGeneric(word: string): boolean {
  return generic.test(word);
}

function meaningOf<Meaning>(patterns: readonly Pattern<Meaning>[], word: string): Meaning | undefined {
  return patterns.find(([, pattern]) => pattern.test(word))?.[0];
}
