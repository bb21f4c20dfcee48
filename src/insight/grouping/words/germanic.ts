/** German and Dutch words and phrases for grouping questions. */
import type { WordTable } from "./word-table.ts";

export const german: WordTable = {
  empty: `
    der, die, das, den, dem, des, ein, eine, einen, einem, einer, eines, ich, mich, mir, mein, meine, meinen, meinem,
    meiner, meines, wir, uns, unser, unsere, unseren, du, dich, dir, dein, deine, deinen, sie, ihr, ihre, ihren, ihnen, er,
    es, man, sich, ist, sind, war, bin, bist, sein, werden, wird, wurde, worden, hat, haben, habe, hast, hatte, kann,
    können, könnte, könnt, kannst, darf, dürfen, muss, müssen, soll, sollen, sollte, will, wollen, möchte, möchten, mag,
    wie, was, wo, welche, welcher, welches, welchen, woher, wohin, ob, dass, und, oder, aber, denn, wenn, dann, als,
    auch, noch, nur, schon, so, sehr, bitte, hallo, hi, hey, moin, guten, tag, danke, zusammen, in, im, an, am, auf,
    aus, bei, beim, mit, nach, von, vom, zu, zum, zur, für, über, um, durch, hier, da, dort, dafür, davon, eigentlich,
    mal, gerade, jemand, jemanden, weiß, wissen, sagen, zeigen, erklären, helfen, frage, kurz, gibt, geben, geht,
    möglich, tun, machen, mache, macht, denn, diese, dieser, dieses, diesen, etwas, alle, allen, jetzt, heute, parley
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
};

export const dutch: WordTable = {
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
};
