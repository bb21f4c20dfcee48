/** What Parley knows of German words. */
import type { LanguageWords } from "./language-words.ts";

/** Things that hold knowledge, in answers that say that it isn't in there. */
const holders =
  "(?:wissensdatenbank|wissensbasis|dokumenten?|dokumentation|unterlagen|quellen?|kontext|texte?n?|informationen)";

export const de: LanguageWords = {
  name: "German",
  common: {
    stop: `
      ab, aber, alle, allem, allen, aller, alles, als, also, am, an, andere, anderem, anderen, anderer, anderes, auch,
      auf, aus, bei, beim, bekomme, bekommen, bekommt, bin, bis, bist, bitte, brauche, ca, brauchen, braucht, da, dabei,
      dafur, dahin, damit, dann, daran, darauf, darf, darfst, davon, dazu, dass, dein, deine, deinem, deinen, deiner,
      dem, den, denen, denn, der, deren, des, dessen, dich, die, dies, diese, diesem, diesen, dieser, dieses, dir,
      doch, dort, du, durch, durfen, durft, eben, eigentlich, ein, eine, einem, einen, einer, eines, einfach, er, es,
      etwa, etwas, euch, euer, eure, eurem, euren, fur, gab, ganz, gebe, geben, gebt, geht, gehen, gelten, gerade, gern, gerne,
      gibt, gibts, gilt, haben, hab, habe, habt, hallo, hast, hat, hatte, hatten, heisst, heisse, heissen, heiss, her,
      hier, hin, hoch, ich, ihm, ihn, ihnen, ihr, ihre, ihrem, ihren, ihrer, im, immer, in, ins, irgendwie, irgendwo,
      ist, ja, je, jede, jedem, jeden, jeder, jedes, jemand, jemandem, jemanden, kann, kannst, kein, keine, keinem,
      keinen, keiner, keins, kam, kamen, komm, komme, kommen, kommt, konnen, konnt, konnte, kriege, kriegen, kriegt, lang, lange, machen,
      macht, mache, mal, man, mehr, mein, meine, meinem, meinen, meiner, mich, mir, mit, mochte, mochten, muss, musst,
      mussen, nach, neben, nein, nicht, nichts, nie, niemand, noch, nochmal, ne, nen, das, wann, deshalb, darum, dran, drin,
      drauf, raus, rein, statt, trotzdem, nachher, vorher, zuerst, zusatzlich, zumindest, mindestens, hochstens, mach,
      ihres, seines, meines, deines, unseres, eures, ums, aufs, furs, ans, vors, nun, nur, ob, oder, ohne, oft, schon,
      sehr, sein, seine, seinem, seinen, seiner, seit, sich, sie, sind, so, sogar, soll, sollen, sollte, sonst, sowie,
      tun, tut, um, und, uns, unser, unsere, unserem, unseren, unserer, unter, viel, viele, vielen, vielleicht, vom,
      von, vor, war, waren, warum, was, wegen, weil, weniger, weiss, welche, welchem, welchen, welcher, welches, wem, wen, wenn,
      wer, werde, werden, wessen, wie, wieder, wieso, wieviel, wieviele, will, willst, wird, wir, wirst, wo, woher,
      wohin, wollen, wurde, wurden, zu, zum, zur, zwischen, uber, uberhaupt, ihrs, machst, pro, gut, gute, guten,
      guter, gutes, fand, fanden, finde, finden, findet, sag, sagen, erklare, konnten, konntest, konntet, wurdest, wurdet, durfte,
      durften, wusste, wissen, gewusst, passiert, passieren, geschieht
    `,
    weak: `
      nachmittags, vormittags, mittags, morgens, abends, arbeit, arbeiten, anzahl, beginnen, betrieb, eigene, erlaubt,
      firma, frage, gehort, gelten, gilt, jahr, jahre, kollegen, lauft, laufen, leute, liegt, liegen, mitarbeiter,
      mitarbeiterin, neu, neue, neuen, neuer, neues, nummer, nutzen, personen, regel, regeln, richtig, stehen, steht,
      tag, tage, trage, tragen, verschiedene, zeit, lassen, legen, maximal, minimal, nehmen, nimmt, information, name, person
    `,
    signs: `
      der, die, das, und, ist, wer, wie, was, wann, wo, ich, für, mit, im, es, nicht, gibt, ein, eine, kann, darf, bei
    `,
    signsInText: "der, die, das, und, ist, wird, nicht, den, dem, auf, für, mit, ein, eine, im, zum, bei",
  },
  calendar: {
    months: `
      1: januar, jan, janner; 2: februar, feb; 3: marz; 4: april, apr; 5: mai; 6: juni, jun; 7: juli, jul;
      8: august, aug; 9: september, sept, sep; 10: oktober, okt; 11: november, nov; 12: dezember, dez
    `,
    monthBeginnings: "3: marz; 5: mai; 10: okt; 12: dez",
    weekdays: "1: montag; 2: dienstag; 3: mittwoch; 4: donnerstag; 5: freitag; 6: samstag, sonnabend; 7: sonntag",
    weekdayBeginnings: `
      1: montag; 2: dienstag; 3: mittwoch; 4: donnerstag; 5: freitag; 6: samstag, sonnabend; 7: sonntag
    `,
  },
  numbers: {
    values: `
      2: zwei; 3: drei; 4: vier; 5: funf; 6: sechs; 7: sieben; 8: acht; 9: neun; 10: zehn; 11: elf; 12: zwolf;
      13: dreizehn; 14: vierzehn; 15: funfzehn; 16: sechzehn; 17: siebzehn; 18: achtzehn; 19: neunzehn; 20: zwanzig;
      30: dreissig; 40: vierzig; 50: funfzig; 60: sechzig
    `,
    units: "percent: prozent",
  },
  followUp: {
    begins: "und, oder, aber, auch, was ist mit, wie ist es mit",
    pointsBack: "auch, das, dies, dafür, davon, damit, dort, dabei, es, sie, er, denn",
    more: "mehr, weiter, genauer, warum, einzelheiten",
  },
  asked: {
    synonyms: "verdienen: verdient, verdiene, lohn, gehalt",
    attributes: "etage, stockwerk, frequenz, rasse, marke, strasse, stadt, abteilung",
    money: `
      kostet, kosten, koste, preis, preise, teuer, bezahlen, bezahlt, bezahle, zahlen, zahlt, zahle,
      geld
    `,
    weight: "wiegt, wiegen, schwer, gewicht",
    time: `
      tag, tage, tagen, datum, uhr, uhrzeit, monat, monate, monaten, jahr, jahre, jahren, wochentag, wochentage,
      wochentagen
    `,
    long: "lang, lange, fruh",
    far: "vorher, zuvor, voraus, weit, fruh, vorlauf",
    lasts: "dauert, dauern",
    often: "oft, haufig",
    hot: "heiss, kalt",
    degrees: "grad",
    old: "alt",
    ages: "jahr, jahre, jahren, monat, monate, monaten, uber, unter, ab, alter",
    fast: "schnell",
    speeds:
      "knoten, minute, minuten, sekunde, sekunden, stunde, stunden, tag, tage, tagen, woche, wochen, *tage, *tagen",
    big: "gross, tief, breit, weit, dick",
    measures: `
      meter, metern, zentimeter, zentimetern, kilometer, kilometern, quadratmeter, quadratmetern, qm, liter, litern
    `,
    past: "wurde, wurden, war, waren, hat, haben",
    many: "viele",
    much: "viel, wieviel, wieviele, viele, hoch",
    prefaces: "weiss, sagen, wissen, gewusst",
    who: "wer, wem, wen, wessen",
    askPerson:
      "zustandig, verantwortlich, schreibe, schreiben, schicke, schicken, frage, fragen, wende, wenden, melde, melden, ansprechpartner",
    onTerms: "bekommt, kriegt, darf, kann, muss, hat",
    where: "wo, wohin, woher",
    why: "warum, wieso, weshalb",
    askPlace: "finde, bekomme, liegt, liegen, steht, stehen, hangt, hangen, aufbewahrt, gelagert",
    askTime: "beginnt, startet, fallig",
    hours: "offnet, offnen, schliesst, schliessen, geoffnet, geschlossen, offen",
    paying: "bezahlt, zahlt, zahlen",
    colour: "farbe, farben",
    code: "passwort, kennwort, kombination",
    number: "nummer, durchwahl, *nummer",
  },
  named: {
    currencies: "franken, krone, kroner, kronen",
    free: "kostenlos, kostenfrei, gratis, umsonst",
    charging: "kostet, kosten, zahlt, zahlen, bezahlt, bezahlen",
    masses: "gramm, kilogramm, tonne, tonnen",
    spans: `
      sekunde, sekunden, minute, minuten, stunde, stunden, tag, tage, tagen, werktag, werktage, werktagen, arbeitstag,
      arbeitstage, arbeitstagen, woche, wochen, wochenende, wochenenden, monat, monate, monaten, jahr, jahre, jahren,
      nacht, nachte, nachten, *jahr, *jahre, *jahren, quartal, quartale, quartals, semester
    `,
    distances: "vor, vorher, zuvor, davor, danach, spater, fruher, nach, alt",
    lasting: "dauert, dauern, dauerte, dauerten, braucht, brauchen, benotigt, benotigen",
    timesOfDay: `
      uhr, taglich, wochentlich, monatlich, jahrlich, morgens, mittags, abends, nachts, vormittags, nachmittags,
      werktag, werktags, mittag, mitternacht, *sanfang, *sbeginn, monatsende, quartalsende, jahresende, winter, fruhling,
      sommer, herbst, ostern, weihnachten
    `,
    beforePlace: "in, im, am, an, auf, hinter, neben, unter, beim, bei, uber, vor, zwischen, ins, zum, zur, gegenuber",
    manners: `
      dunkeln, bar, voraus, schnitt, durchschnitt, notfall, allgemeinen, regel, ruhe, kurze, zukunft, schriftform,
      deutsch, englisch, fall, folge, gebrauch, anspruch
    `,
    beforeOrigin: "aus, von, vom",
    conditions: "nach, wahrend, vor, ab, wenn, sobald, bis, jede, jeden, jeder, jedes, jedem, einmal, zweimal",
    reasons: `
      weil, da, denn, damit, deshalb, darum, daher, deswegen, wegen, grund, grunde, ursache, wenn, falls, sobald, sonst,
      nach
    `,
    frequencies: `
      jede, jeden, jeder, jedes, jedem, immer, nie, stundlich, taglich, wochentlich, monatlich, jahrlich, werktags,
      einmal, zweimal, dreimal, mal, pro, je
    `,
    validity: "gilt, gelten, gultig",
    limits: "ab, uber, unter, bis, mindest*, hochst*, als",
    madeIn: "seit, gebaut, erbaut, gegrundet, geboren, eroffnet, gekauft",
    parts: "halfte, halbe, halben, halber, halbes, viertel, drittel, zehntel, doppelt",
    one: "ein, eine, einen, einer",
    some: `
      ein, eine, einen, einer, eines, einem, einige, mehrere, paar, ganze, ganzen, ganzer, ganzes, ganzem, halbe,
      halben, halber, halbes, halbem
    `,
    ordinals: `
      letzte, letzten, letzter, letztes, letztem, erste, ersten, erster, erstes, erstem, zweite, zweiten, zweiter,
      zweites, zweitem, dritte, dritten, dritter, drittes, drittem, vierte, vierten, vierter, viertes, viertem, funfte,
      funften, funfter, funftes, funftem, sechste, sechsten, sechster, sechstes, sechstem, siebte, siebten, siebter,
      siebtes, siebtem, achte, achten, achter, achtes, achtem, neunte, neunten, neunter, neuntes, neuntem, zehnte,
      zehnten, zehnter, zehntes, zehntem
    `,
    colours: `
      weinrot*, dunkel*, hell*, golden, rot, rote, roten, roter, rotes, blau, blaue, blauen, blauer, blaues, grun, grune, grunen, gruner, grunes,
      gelb, gelbe, gelben, gelber, gelbes, schwarz, schwarze, schwarzen, schwarzer, schwarzes, weiss, weisse, weissen,
      weisser, weisses, grau, graue, grauen, grauer, graues, lila, rosa, braun, braune, braunen, brauner, braunes,
      silbern, silberne, silbernen, silberner, silbernes, goldene, goldenen, goldener, goldenes
    `,
    beforeTime: "halb, viertel, in, um, ab, bis, gegen, vor, nach, seit, von, am, zum, den, der, binnen, innerhalb",
    afterTime: "uhr",
    roles: "chefin, *leitung, *leiter, *leiterin, *buro, *beauftragte, *beauftragten, *beauftragter, *abteilung",
    pointsBack: "er, sie, es, dies, diese, dort, das, schreib*, frag, fragt, fragen, wende, wenden, melde, melden",
    pronouns: "er, sie, es",
    verbs: "ist, sind, war, waren, hat, haben, kostet, kosten, bekommt, bekommen, zahlt, zahlen, wird, werden",
    rules: `
      erlaubt, verboten, untersagt, nur, niemals, durfen, dürfen, darf, kein, keine, keinem, keinen, keiner, keines
    `,
    days: "heute, gestern, ubermorgen",
  },
  tables: {
    trend: "entwickel*, entwicklung, gestiegen, gesunken, gewachsen, verlauf, verandert, veranderung",
    mean: "durchschnitt*, schnitt, mittel, mittelwert",
    max: "meiste, meisten, hochst*, grosste*, langste*, schwerste*, teuerste*, neueste*, spateste*, maximal*, jungste*",
    min: `
      wenigste*, geringste*, tiefste*, niedrigste*, kleinste*, billigste*, gunstigste*, kurzeste*, leichteste*,
      fruheste*, alteste*, preiswerteste*, minimal*
    `,
    sum: "insgesamt, zusammen, summe, gesamt*, zusammengerechnet",
    whole: "ganze, ganzen, ganzes",
    periods: "jahr, saison, quartal, monat, woche, halbjahr, sommer, winter",
    compare: `
      mehr, weniger, hoher, niedriger, teurer, billiger, gunstiger, schwerer, leichter, langer, kurzer, grosser,
      kleiner, vergleich, unterschied
    `,
    priceHints: "teuer*, teur*, billig*, gunstig*, preiswert*, kostet, kosten, preis, preise, bezahl*, zahl*",
    sizeHints: "gross, grosse*, klein*",
    weightHints: "schwer*, leicht*, wieg*, gewicht*",
    dateHints: "neueste*, spateste*, fruheste*, alteste*, wann, jungste*",
    durationHints: "langste*, kurzeste*, langer, kurzer",
    generic: `
      artikel, sache, sachen, ding*, liste, tabelle, eintrag, eintrage, produkt, produkte, zeile, zeilen, zahl, anzahl,
      stuck*, je, eins, verschiedene, verschiedenen, verschiedener, liegt, liegen, steht, stehen, gelagert, aufbewahrt,
      enthalten, enthalt, verzeichnet, wert, werte, kostet, kosten, jahr, jahren
    `,
    subjects: `
      kunde, kunden, firma, firmen, angebot, angebote, leistung, leistungen, personen, mitglieder, mitarbeiter, kurs,
      kurse, teil, teile, projekt, projekte
    `,
    counting: "eingenommen, erreicht, gemeldet, erzielt, ausgegeben, bekommen, verzeichnet, befordert, transportiert",
    qualifiers: "neu*, alt*, verloren*, offen*, storniert*",
    priceColumns: "*preis*, *kosten*, *gebuhr*, *betrag*, *lohn*, *gehalt*",
    sizeColumns: "*grosse*, *flache*, *qm*",
    weightColumns: "*gewicht*",
    dateColumns: "*datum*, *tag*, *woche*, *monat*, *jahr*, *seit*",
    durationColumns: "*stunde*, *wochen*, *monate*, *dauer*, *lange*, *tage, *jahre",
    placeColumns: `
      *ort*, *raum*, *stadt*, *land*, *adresse*, *strasse*, *regal*, *schrank*, *lager*, *standort*, *filiale*,
      *halle*, *etage*
    `,
    personColumns: "verantwortlich*, zustandig*, leitung, von, ansprechpartner*, betreu*, trainer*",
    payColumns: "*lohn*, *gehalt*, *honorar*, *verdienst*",
    quantityColumns: "*anzahl*, *menge*, *bestand*, *stuckzahl*",
    yearColumns: "*jahr*, *seit*, *gegrundet*, *gebaut*, *geboren*",
    ageColumns: "alter",
    earning: "verdien*",
    between: "von, zwischen",
    since: "seit, ab",
    until: "bis",
    both: "und, oder, als, beide",
  },
  questions: {
    firstWords: `
      was, wer, wen, wem, wessen, wann, wo, woher, wohin, warum, weshalb, wieso, wozu, womit, wofur, worin, wie,
      wieviel, wieviele, welche, welcher, welches, welchen, welchem, ist, sind, kann, konnen, konnte, konnten, darf,
      durfen, muss, mussen, soll, sollen, sollte, gibt, hat, haben, hatte, wird, werden, wurde, wurden, bekomme,
      bekommt, bekommen, brauche, braucht, brauchen, gilt, gelten, weiss, weisst, wisst
    `,
    openers: `
      hallo, moin, servus, guten, morgen, tag, abend, zusammen, leute, liebe, lieber, liebes, bitte, und, oder, aber, also, dann, na, ey, oh,
      ach, ok, sorry, entschuldigung, sag, sagt, mal, kurz, kurze, kleine, schnelle, frage
    `,
    manners: "wie gehts, wie geht es, na wie",
    words: `
      wer, wen, wem, wessen, was, wo, wohin, woher, wann, warum, wieso, weshalb, wie, wieviel, wieviele, welche,
      welcher, welches, welchen, welchem, womit, wofür, worüber, woran, worauf, woraus
    `,
    openings: `
      kann ich, kann man, können wir, darf ich, darf man, dürfen wir, muss ich, muss man, müssen wir, gibt es, gibts,
      hat jemand, weiß jemand, kann jemand, ist es, soll ich, sollen wir
    `,
    remarks: "wie gesagt, wie schön, wie nett, wie süß, wie cool, wie geil, wie immer, was für",
  },
  people: {
    openings: `
      soll ich, sollen wir, hab ich, habe ich, bin ich, wer hat, war, waren, wie war, wie waren, wie lief, wie gehts,
      wie geht es, wo ist mein, wo ist meine, wo sind meine, sollte ich, sollten wir, sollte jemand, hat wer,
      mag jemand, mag wer, will jemand, will wer, möchte jemand, wer kommt, wer geht, wer mag, wer will, wer möchte,
      würde jemand
    `,
    asides: `
      seid ihr, wart ihr, könnt ihr, wollt ihr, geht ihr, macht ihr, kommt ihr, meint ihr, nehmt ihr, esst ihr,
      fahrt ihr, habt ihr noch, haben wir noch, ist noch, sind noch, werdet ihr, hattet ihr, denkt ihr, diese woche,
      nächste woche, letzte woche, letztes mal, am wochenende
    `,
    asideWords: `
      gestern, vorhin, dein, deine, deinen, deinem, deiner, deins, euer, eure, euren, eurem, eurer, dich, dir, euch,
      wirklich, ernsthaft
    `,
    requests: "kann jemand, kann wer, könnte jemand, könnte wer",
    tags: "oder, ne, gell, wa, ja, stimmts",
    askingWords: "mir sagen, uns sagen, sagen, mir erklären, erklären",
    states: "kaputt, fertig, da, weg, zurück, leer, voll",
    nowWords: "schon, wieder, gerade, jetzt, endlich",
    dayWords: "heute, morgen, gerade, jetzt",
    notDidOnce: "gegründet, gebaut, erbaut, eröffnet, erfunden",
    momentary: "frei, belegt, besetzt",
    verbs: `
      ist, sind, hat, haben, kann, können, darf, dürfen, muss, müssen, soll, gilt, gelten, braucht, brauche, kostet,
      kosten, gibt, liegt, hängt
    `,
    weak: `
      der, die, das, den, dem, des, ein, eine, einen, einem, einer, und, oder, aber, ist, sind, war, waren, hat, haben,
      habe, wird, werden, wurde, kann, kannst, können, darf, dürfen, muss, müssen, soll, sollen, wie, was, wann, warum,
      wer, wen, wem, welche, welcher, welches, wieviel, viel, viele, lange, man, ich, ihr, euch, uns, wir, sie, mir,
      mich, dir, dich, mit, von, für, auf, aus, bei, nach, noch, schon, denn, mal, auch, nur, nicht, kein, keine, gibt,
      hier, dort, jemand, weiß, bitte, hallo, eigentlich
    `,
  },
  names: {
    alsoWords: `
      ernst, wolf, mai, engel, rosa, viola, linde, heide, eva, gut, lang, klein, kurz, stark, jung, fuchs, vogel, koch,
      bauer, weber, richter, becker, schneider, müller, fischer, schmidt, schmied, meister, kaiser, könig, graf,
      herzog, roth, rot, schwarz, weiß, weiss, braun, grün, sommer, herbst, sonntag, montag, freitag, samstag, winter,
      wind, berg, stein, busch, baum, wald, bach, see, haus, hof, kraft, mann, frau, vogt, hahn, huhn, hirsch, löwe,
      krebs, pfeiffer, jäger, wagner, zimmermann, schäfer, hoffmann, neumann, alt, neu, reich, fromm, frei, groß,
      gross, lieb, süß, sauer, kalt, heiß, kern
    `,
    titles: "frau, herr, herrn",
    greetings: "hallo, moin, na, lieber, liebe, guten",
    ambiguousMonths: "mai",
    beforeMonths: "in, im",
  },
  remarks: {
    thanks: `
      danke, danke dir, danke euch, danke schön, dankeschön, danke sehr, vielen dank, herzlichen dank, besten dank,
      tausend dank, dank dir, lieben dank, merci vielmals, hat geholfen, das hat geholfen, sehr hilfreich, hilfreich,
      danke im voraus, danke vorab
    `,
    acknowledgements: `
      genau das brauchte ich, das brauchte ich, das wollte ich wissen, mache ich jetzt, probiere ich jetzt, bin dran,
      alles klar, klar, gut, sehr gut, verstanden, verstehe, passt, genau, ja, nein, prima, toll, perfekt, stimmt,
      in ordnung, geht klar, mach ich, gerne, gern, okidoki, klingt gut, gut zu wissen
    `,
    rhetorical: `
      wirklich, echt, echt jetzt, ernsthaft, im ernst, wer hätte das gedacht, nicht wahr, oder, ne, wer weiß,
      was soll man machen, warum nicht, na und, wer macht denn sowas
    `,
    plans:
      "dann mach, dann ruf, dann meld, dann trag, dann schreib, dann hol, dann fahr, dann frag, dann bin, dann komm, dann nehm, dann geh, dann schau, dann buch, dann bis, bis dann, bis morgen, mach ich, ich mach, ich schau, ich probier",
    takenBack: `
      schon gefunden, gefunden, habs gefunden, hat sich erledigt, erledigt, vergesst es, vergiss es, passt schon
    `,
    fillers: "und, dann, dir, euch, auch, schon, sehr, mal, alle, dafür",
    welcome: "hilfe, hallo, was kannst du, was kannst du tun, was kannst du alles, was können sie, was können sie tun",
    leave: "verlass den thread, geh, geh weg, bitte geh, lass uns, lass uns allein, lass uns in ruhe",
    noAnswers: `
      ich weiß nicht, ich weiß es nicht, weiß ich nicht, weiß nicht, keine ahnung, gute frage, bin nicht sicher,
      ich bin nicht sicher, nicht sicher, ich frage, ich frag, ich schaue, ich schau, ich kläre, das ist falsch
    `,
  },
  saving: {
    verbs: `
      hinzufügen, füge, füg, hinzu, aufnehmen, speichern, speichere, speicher, ablegen, sichern, sichere, merken,
      merke dir, merk dir, behalte, hochladen
    `,
    around: `
      bitte, kannst du, könntest du, können sie, könnten sie, das, dies, diese, dieses, die, den, der, es, datei,
      dateien, anhang, dokument, hier, mal, für später, zur wissensbasis, in die wissensbasis, in der wissensbasis,
      wissensbasis, danke, auch
    `,
    beforeBase: "in, zu, zum, zur, ins, nach",
    articles: "die, der, das, den, dem, wissensbasis",
  },
  stems: {
    irregular: `
      gebracht bringen, geliehen leihen, verliehen verleihen, genommen nehmen, nimmt nehmen, gegessen essen,
      isst essen, getrunken trinken, geschrieben schreiben, unterschrieben unterschreiben, geschlossen schliessen,
      gefunden finden, verloren verlieren, gestohlen stehlen, gesprochen sprechen, spricht sprechen, geworfen werfen,
      gewonnen gewinnen, gebrochen brechen, gezogen ziehen, gehoben heben, getroffen treffen, trifft treffen,
      geschnitten schneiden, gestrichen streichen, geritten reiten, angeboten anbieten, verboten verbieten,
      entschieden entscheiden, gewogen wiegen, gemessen messen, gegossen giessen, gesprungen springen,
      geschwommen schwimmen, gelegen liegen, gesessen sitzen, gestanden stehen, gegangen gehen, geholfen helfen,
      hilft helfen, gestiegen steigen, geladen laden, gelesen lesen, liest lesen, gesehen sehen, sieht sehen,
      vergisst vergessen, gebeten bitten, erschienen erscheinen, geschienen scheinen, getan tun, gewaschen waschen,
      geblieben bleiben, gestorben sterben, geboren gebaren, gesungen singen, geklungen klingen
    `,
  },
  charts: {
    trend: `
      trend*, entwicklung*, entwickelt*, verlauf*, wachstum, gewachsen, pro monat, je monat, nach monat, monatlich*,
      monatsweise, pro jahr, je jahr, nach jahr, jährlich*, pro woche, wöchentlich*, pro tag, täglich*, pro quartal,
      zeitreihe*, im zeitverlauf
    `,
    share: "anteil*, prozentual*, prozentsatz, aufteilung, verteilung, zusammensetzung, aufgeteilt",
    comparison: `
      vergleich*, verglichen, vergleiche, gegenüber, rangliste, im unterschied zu, am höchsten, am niedrigsten
    `,
    chart: "diagramm*, grafik*, graph, schaubild*, kurve, visualisier*",
    stacked: "gestapelt*, flächendiagramm*",
    otherMeanings: `
      anteilnahme*, anteilseigner*, grafiker*, grafikkarte*, grafikdesign*, grafikprogramm*, vergleichsportal*,
      gegenüber vom, gegenüber von
    `,
  },
  columns: {
    rowNames: "nr, rang, jahr",
    totals: "gesamt, summe, insgesamt",
  },
  titles: {
    small: "der, die, das, und, für, von, zu, zum, zur, mit, ein, eine, wie",
  },
  headings: {
    sources: "quellen",
  },
  sayings: [
    "\\b(?:das )?(?:weiß|weiss) ich (?:es |das )?(?:leider )?nicht\\b",
    "\\bich (?:weiß|weiss) (?:es |das )?(?:leider )?nicht\\b",
    "\\b(?:dazu|darüber|hierzu|davon) .{0,40}\\b(?:nichts|keinen?|keinerlei)\\b",
    "\\bich (?:habe|konnte|kann|finde|fand) .{0,60}\\b(?:nichts|keinen? (?:\\p{L}+ )?(?:information|informationen|angaben?|antwort|hinweise?|treffer|daten|passagen?|einträge?|dokumente?)|nicht (?:finden|beantworten|sagen))(?!\\p{L})",
    "\\bkonnte ich .{0,60}\\b(?:nichts|keinen?|nicht finden)\\b",
    "\\bliegen mir .{0,30}\\bkeine\\b",
    "\\b(?:es gibt|gibt es) .{0,40}\\bkeinen? (?:\\p{L}+ )?(?:information|informationen|angaben?|antwort|hinweise?|daten|eintrag|einträge)(?!\\p{L})",
    `(?<!\\p{L})${holders}(?!\\p{L}).{0,50}\\b(?:keinen?|keinerlei|nichts|nicht (?:erwähnt|enthalten|beschrieben|angegeben|genannt))(?!\\p{L})`,
    "\\bnicht (?:erwähnt|enthalten|beschrieben|angegeben)(?!\\p{L})",
  ],
  grouping: {
    empty: `
      der, die, das, den, dem, des, ein, eine, einen, einem, einer, eines, ich, mich, mir, mein, meine, meinen, meinem,
      meiner, meines, wir, uns, unser, unsere, unseren, du, dich, dir, dein, deine, deinen, sie, ihr, ihre, ihren, ihnen, er,
      es, man, sich, ist, sind, war, bin, bist, sein, werden, wird, wurde, worden, hat, haben, habe, hast, hatte, kann,
      können, könnte, könnt, kannst, darf, dürfen, muss, müssen, soll, sollen, sollte, will, wollen, möchte, möchten, mag,
      wie, was, wo, welche, welcher, welches, welchen, woher, wohin, ob, dass, und, oder, aber, denn, wenn, dann, als,
      auch, noch, nur, schon, so, sehr, bitte, hallo, hi, hey, moin, guten, tag, danke, zusammen, in, im, an, am, auf,
      aus, bei, beim, mit, nach, von, vom, zu, zum, zur, für, über, um, durch, hier, da, dort, dafür, davon, eigentlich,
      mal, gerade, jemand, jemanden, weiß, wissen, sagen, zeigen, erklären, helfen, frage, kurz, gibt, geben, geht,
      möglich, tun, machen, mache, macht, diese, dieser, dieses, diesen, etwas, alle, allen, jetzt, heute, parley
    `,
    weak: "finden, finde, findet, bekommen, bekomme, brauchen, brauche, nutzen, benutzen, firma, unternehmen, neu, neue, neuen, neuer, neues, warum, wieso, weshalb, tag, tage, erlaubt, sehen, sehe, übrig, computer, rechner",
    negation: "nicht, kein, keine, keinen, keinem, keiner, nie, niemals",
    without: "ohne",
    frames:
      "ich weiß nicht, weiß nicht, nicht sicher, wie geht, wie geht das, was muss ich tun, was soll ich tun, was kann ich tun, was tun, gibt es, ich finde nicht, keine ahnung",
    same: `
      works: funktionieren, funktioniert, läuft, laufen
      broken: geht nicht, gehen nicht, funktioniert nicht, funktionieren nicht, nicht funktioniert, läuft nicht, kaputt, defekt, streikt
      amount: wie viel, wie viele, wieviel, wieviele
      cost: kostet, kosten, preis, preise, wie teuer
      duration: wie lange, dauer, dauert
      frequency: wie oft, wie häufig
      when: wann, um wie viel uhr, bis wann, ab wann
      deadline: frist, stichtag, abgabefrist
      who: wer, wem, wen
      sick: krank, krankgemeldet
      pwd: passwort, kennwort
      login: anmelden, einloggen, login
      logout: abmelden, ausloggen, logout
      homeoffice: homeoffice, home office, von zuhause arbeiten
    `,
    actions: `
      reset: zurücksetzen, vergessen, rücksetzen
      change: ändern, wechseln, bearbeiten, aktualisieren
      cancel: stornieren, absagen, kündigen, storno
      place: aufgeben
      delete: löschen, entfernen
      create: erstellen, anlegen
      add: hinzufügen
      setup: einrichten, konfigurieren
      install: installieren
      submit: einreichen, abgeben, abrechnen
      approve: genehmigen, freigeben
      request: beantragen
      order: zu bestellen
      book: buchen, reservieren
      share: teilen
      export: exportieren
      import: importieren
      connect: verbinden
      disconnect: trennen
      enable: aktivieren, einschalten
      disable: deaktivieren, ausschalten
      print: drucken, ausdrucken
      return: zurückgeben, zurückschicken
      track: verfolgen
      park: parken
    `,
    from: "von, vom, aus",
    to: "zu, zum, zur, nach, in, auf",
    separable:
      "zurück, ab, an, auf, aus, ein, mit, um, vor, weg, zu, bei, los, nach, her, hin, fest, frei, hinzu, runter, hoch",
  },
};
