/** A small everyday lexicon, English and German, for the scripted endpoints. It is general and knows no question. */
import { stem, tokens } from "./words.ts";

/** One group of near synonyms a line, the English ones first, the German ones after the bar. */
const GROUPS = `
car vehicle automobile van | auto wagen fahrzeug
bus coach | bus linienbus
train railway rail | zug bahn
bicycle bike cycle | fahrrad rad
drive driver driving | fahren fahrer fahrt
travel trip journey | reise reisen
park parking | parken parkplatz stellplatz
petrol fuel gas diesel | benzin sprit tanken
road street lane | straße weg gasse
house home building | haus gebäude heim
flat apartment | wohnung
room hall | raum zimmer saal
door gate | tür tor
key lock | schlüssel schloss
window | fenster
kitchen | küche
toilet bathroom restroom | toilette klo
floor storey level | stock etage boden
lift elevator | aufzug fahrstuhl lift
stairs steps | treppe stufen
heating boiler heater | heizung heizen
electricity power current | strom
water | wasser
money cash | geld bargeld
price cost costs charge fee expensive | preis kosten kostet gebühr teuer
cheap inexpensive | billig günstig
free gratis | kostenlos gratis umsonst
pay payment paid | zahlen bezahlen zahlung
salary wage wages pay earn income | lohn gehalt verdienst verdienen vergütung
bonus extra supplement | bonus prämie zuschlag
discount reduction rebate | rabatt nachlass ermäßigung
refund reimburse claim | erstatten erstattung rückzahlung
buy purchase order | kaufen bestellen kauf bestellung
sell sale | verkaufen verkauf
customer client | kunde kundin kundschaft
shop store | laden geschäft filiale
bank account | konto bank
tax | steuer
bill invoice | rechnung
insurance insured cover | versicherung versichert
work job labour | arbeit job tätigkeit
worker employee staff colleague | mitarbeiter angestellte personal kollege beschäftigte
boss manager lead chief head | chef chefin leiter leitung leiterin vorgesetzte
company firm business employer | firma betrieb unternehmen arbeitgeber
shift | schicht dienst
rota roster schedule timetable | dienstplan plan zeitplan
holiday vacation leave | urlaub ferien
break pause rest | pause rast
overtime | überstunden mehrarbeit
resign quit notice dismiss | kündigen kündigung
apprentice trainee probationer | azubi auszubildende lehrling
training course lesson practice | schulung kurs übung unterricht ausbildung
exam test assessment | prüfung test
certificate licence ticket permit | zeugnis bescheinigung schein ausweis
school | schule
student pupil | schüler student
teacher | lehrer lehrerin
learn study | lernen studieren
child children kid kids | kind kinder
baby birth | baby geburt
pregnant pregnancy | schwanger schwangerschaft
mother mum mom | mutter mama
father dad | vater papa
parent parents | eltern
son | sohn
daughter | tochter
family relative | familie verwandte angehörige
husband wife spouse partner | mann frau partner ehepartner
wedding marriage marry | hochzeit heirat heiraten
friend mate | freund freundin
person people | person mensch leute
adult grown-up | erwachsene
old elderly senior | alt senior rentner
young youth | jung jugend
name called | name heißen
man | mann
woman | frau
member membership | mitglied mitgliedschaft
join register enrol sign | beitreten anmelden anmeldung
doctor physician | arzt ärztin
hospital clinic | krankenhaus klinik
ill sick illness fever | krank krankheit fieber krankmeldung
injury hurt wound injured | verletzung verletzt wunde
burn | verbrennung verbrennen
accident crash | unfall
pain ache | schmerz weh
medicine drug painkiller | medikament arznei
help assist support | hilfe helfen unterstützung
rescue save | rettung retten
danger dangerous risk | gefahr gefährlich
police | polizei
fire | feuer brand
die death dead died | tod sterben gestorben
sad grief upset | traurig trauer
counsellor therapist | berater therapeut
food meal eat lunch | essen mahlzeit mittagessen
drink beverage | getränk trinken
bread loaf | brot
roll bun | brötchen semmel
cake tart | kuchen torte
coffee | kaffee
tea | tee
milk | milch
egg | ei eier
nut nuts | nuss nüsse
sugar | zucker
flour | mehl
allergy allergen allergic ingredient | allergie allergen zutat
fridge refrigerator cool cold | kühlschrank kühl kalt
hot warm heat | heiß warm hitze
temperature degrees | temperatur grad
oven | ofen backofen
clean wash cleaning | putzen waschen reinigen reinigung sauber
dirty dirt | schmutz dreckig
hygiene | hygiene
clothes clothing uniform | kleidung klamotten
shoes boots | schuhe stiefel
jacket coat | jacke mantel
hat cap helmet | mütze hut helm
gloves | handschuhe
jewellery ring | schmuck ring
hair | haar haare
beard | bart
insect bug moth pest | insekt motte schädling
mouse mice rat | maus mäuse ratte
dog dogs | hund hunde
cat cats | katze katzen
animal pet | tier haustier
book volume novel | buch bücher roman
magazine journal periodical | zeitschrift magazin
newspaper press journalist reporter media | zeitung presse journalist medien
film movie | film
game | spiel
music | musik
song | lied
library | bibliothek bücherei
read reader | lesen leser
write writer author | schreiben autor
borrow lend loan | ausleihen leihen leihe
return back | zurückgeben rückgabe zurück
renew extend | verlängern verlängerung
reserve reservation book booking | reservieren buchen reservierung
late delay overdue | spät verspätung verspätet
lost lose missing gone stolen | verloren verlieren weg gestohlen
found find | gefunden finden
damaged broken defect | beschädigt kaputt defekt
repair fix mend | reparieren reparatur
replace replacement | ersetzen ersatz
rubbish waste bin | müll abfall
open opening | offen öffnen geöffnet
close closed shut closing | schließen geschlossen zu
start begin beginning | anfangen beginnen beginn start
end finish stop | ende aufhören enden
time hour hours clock | zeit stunde stunden uhr
minute minutes | minute minuten
day | tag
week weekly | woche wöchentlich
month monthly | monat monatlich
year yearly annual | jahr jährlich
today | heute
tomorrow | morgen
yesterday | gestern
morning | morgen vormittag früh
evening | abend
night | nacht
noon midday | mittag
monday | montag montags
tuesday | dienstag dienstags
wednesday | mittwoch mittwochs
thursday | donnerstag donnerstags
friday | freitag freitags
saturday | samstag samstags sonnabend
sunday | sonntag sonntags
weekend | wochenende
january | januar
february | februar
march | märz
june | juni
july | juli
october | oktober
december | dezember
spring | frühling
summer | sommer
autumn fall | herbst
winter | winter
christmas | weihnachten
easter | ostern
phone telephone mobile ring call | telefon handy anrufen telefonieren
number | nummer zahl
message text sms | nachricht mitteilung
mail email e-mail | mail post
letter | brief
address | adresse anschrift
talk speak conversation | reden sprechen gespräch
ask question | fragen frage
answer reply respond | antwort antworten
complain complaint angry | beschwerde beschweren wütend
shout yell | schreien brüllen
language foreign | sprache fremd
german | deutsch
english | englisch
computer laptop notebook | computer laptop rechner
password passcode code | passwort kennwort code
login account log | anmeldung konto einloggen
internet web wifi wireless online | internet netz wlan
network | netz netzwerk
print printer printing | drucken drucker
copy photocopy duplicate | kopie kopieren
screen monitor | bildschirm
file document | datei dokument unterlage
database | datenbank
backup | sicherung backup
restore recover | wiederherstellen
delete remove erase wipe | löschen entfernen
save store keep stored | speichern aufbewahren aufbewahrt
server machine | server maschine
release deploy ship publish | veröffentlichen ausliefern release
undo revert roll rolling | rückgängig zurücknehmen
error fault bug failure | fehler störung
slow | langsam
fast quick | schnell
full | voll
empty | leer
disk space storage | platte speicher
queue waiting wait | schlange warten warteschlange
alert alarm | alarm warnung
outage down downtime | ausfall
update | aktualisierung update
security safe secure | sicherheit sicher
expire expired expiry | ablaufen abgelaufen
access permission allowed | zugang zugriff erlaubnis erlaubt
forbidden banned prohibited | verboten untersagt
rule regulation | regel vorschrift
must required need | pflicht nötig brauchen
request apply application | antrag beantragen bewerbung
form | formular
sign signature | unterschreiben unterschrift
rope line cord | seil leine
mountain hill fell peak | berg hügel gipfel
snow | schnee
ice | eis
rain weather | regen wetter
river stream | fluss bach
climb climbing | klettern
bag rucksack sack | tasche rucksack sack
torch lamp light lights | lampe licht
radio | funk funkgerät
tool equipment kit gear | werkzeug ausrüstung gerät
weight heavy weigh | gewicht schwer wiegen wiegt
big large great | groß
small little | klein
high tall | hoch höhe
most maximum highest | meiste höchste maximum
least minimum lowest | wenigste niedrigste minimum
average mean | durchschnitt mittel
total sum altogether | summe gesamt insgesamt zusammen
first | erste ersten
second | zweite zweiten
half | hälfte halb
visit visitor guest | besuch besucher gast
group team | gruppe team mannschaft
meeting conference seminar | besprechung konferenz sitzung
event party celebration | veranstaltung feier fest
move relocation | umzug umziehen
smoke smoking cigarette | rauchen raucher zigarette
tip tips gratuity | trinkgeld
gift present | geschenk
missing shortage short | fehlen
photo picture photograph | foto bild
poster notice sign | plakat aushang
volunteer | ehrenamtliche freiwillige
stock inventory | bestand lager vorrat
undo cancel | abbrechen stornieren
swap exchange trade | tauschen tausch
rent hire | mieten miete
chair seat | stuhl sitz platz
table desk | tisch
`;

const groupsByStem = new Map<string, number[]>();
const groups: { en: string[]; de: string[] }[] = [];

for (const line of GROUPS.trim().split("\n")) {
  const [en = "", de = ""] = line.split("|").map((side) => side.trim());
  const number = groups.length;
  groups.push({ en: en.split(" "), de: de.split(" ") });
  for (const key of new Set(tokens(`${en} ${de}`).map(stem))) {
    groupsByStem.set(key, [...(groupsByStem.get(key) ?? []), number]);
  }
}

const compounds = new Map<string, readonly number[]>();
const longKeys = [...groupsByStem.keys()].filter((key) => key.length >= 5);

/** The numbers of the groups that hold a stem, or the two parts of a compound ("Urlaubstag"). */
export function groupsOf(key: string): readonly number[] {
  const known = groupsByStem.get(key) ?? compounds.get(key);
  if (known) {
    return known;
  }
  const parts = key.length < 8 ? [] : longKeys.filter((part) => key.startsWith(part) || key.endsWith(part));
  const found = [...new Set(parts.flatMap((part) => groupsByStem.get(part) ?? []))];
  compounds.set(key, found);
  return found;
}

/** Whether two stems stand in one group. */
export function related(one: string, other: string): boolean {
  return groupsOf(one).some((group) => groupsOf(other).includes(group));
}

/** Another word of the same language (or of the other one) from a token's first group; undefined when there is none. */
export function otherWord(token: string, turn: number, translate: boolean): string | undefined {
  const key = stem(tokens(token)[0] ?? "");
  const [number] = groupsOf(key);
  const group = number === undefined ? undefined : groups[number];
  if (!group) {
    return undefined;
  }
  const isEnglish = group.en.some((word) => stem(tokens(word)[0] ?? "") === key);
  const side = isEnglish === translate ? group.de : group.en;
  const choices = side.filter((word) => stem(tokens(word)[0] ?? "") !== key);
  return choices.length === 0 ? undefined : choices[turn % choices.length];
}
