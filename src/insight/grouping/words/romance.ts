/** French, Spanish, Portuguese and Italian words and phrases for grouping questions. */
import type { WordTable } from "./word-table.ts";

export const french: WordTable = {
  empty: `
    le, la, les, l, un, une, des, du, de, d, au, aux, ce, cet, cette, ces, c, ça, je, j, me, m, moi, mon, ma, mes,
    nous, notre, nos, tu, te, t, ton, ta, tes, vous, votre, vos, il, elle, ils, elles, on, se, s, son, sa, ses, leur, leurs,
    y, en, est, suis, sont, es, êtes, était, être, ai, as, a, avons, avez, ont, avoir, eu, peux, peut, pouvez, pouvons,
    pouvoir, puis, dois, doit, devons, devez, faut, veux, voudrais, souhaite, comment, que, qu, quoi, quel, quelle, quels,
    quelles, où, si, et, ou, mais, donc, alors, aussi, bien, très, svp, stp, bonjour, salut, merci, dans, sur, à, par, pour, avec,
    chez, vers, entre, ici, là, faire, fais, fait, savoir, sait, dire, expliquer, aider, question, possible, quelqu,
    quelqu'un, maintenant, parley, n, est-ce
  `,
  weak: "trouver, trouve, obtenir, recevoir, besoin, utiliser, entreprise, nouveau, nouvelle, pourquoi, jour, jours, autorisé, autorisés, permis, voir, envoyer",
  negation: "ne, pas, jamais, aucun, aucune, non",
  without: "sans",
  frames:
    "je ne sais pas, ne sais pas, est ce que, est ce qu, y a t il, il y a, s il vous plaît, s il te plaît, que faire, que dois je faire, je ne trouve pas, qu est ce que, qu est ce qu",
  same: `
    broken: ne marche pas, ne marchent pas, marche pas, ne fonctionne pas, ne fonctionnent pas, fonctionne pas, en panne, cassé, cassée
    amount: combien, combien de
    cost: coûte, coûtent, prix, tarif, tarifs, coût, combien coûte
    duration: combien de temps, durée, dure
    frequency: combien de fois, fréquence
    when: quand, à quelle heure, quelle date
    deadline: date limite, délai, échéance
    who: qui
    sick: malade
    pwd: mot de passe, mots de passe
    login: se connecter, me connecter, connexion
    logout: se déconnecter, me déconnecter, déconnexion
    homeoffice: télétravail, travailler à distance
    expense-report: note de frais, notes de frais
  `,
  actions: `
    reset: réinitialiser, réinitialisation, oublié, oublier
    change: changer, modifier, mettre à jour
    cancel: annuler, annulation
    place: passer
    delete: supprimer, effacer
    create: créer
    setup: configurer, installer
    request: demander, poser
    approve: approuver, valider
    book: réserver
    print: imprimer
    order: commander
    return: retourner, renvoyer
    enable: activer
    disable: désactiver
  `,
  from: "de, depuis, du",
  to: "à, vers, en",
};

export const spanish: WordTable = {
  empty: `
    el, la, los, las, lo, le, les, un, una, unos, unas, de, del, al, a, yo, me, mi, mis, mí, nosotros, nos, nuestro, nuestra,
    tú, tu, tus, te, usted, su, sus, se, él, ella, ellos, este, esta, esto, ese, esa, eso, es, son, soy, está, están, estoy,
    estar, ser, era, hay, he, ha, han, haber, tengo, tiene, tenemos, tener, puedo, puede, podemos, pueden, poder, debo, debe,
    quiero, quisiera, necesito, cómo, como, qué, que, cuál, cuáles, dónde, si, y, o, pero, también, muy, ya, por favor,
    hola, buenas, buenos, días, gracias, en, con, por, para, sobre, entre, hasta, desde, aquí, ahí, hago, hacer, hace,
    saber, sabe, decir, explicar, ayudar, pregunta, posible, alguien, ahora, parley
  `,
  weak: "encontrar, encuentro, encuentra, obtener, recibir, usar, utilizar, empresa, nuevo, nueva, por qué, día, permitido, ver",
  negation: "no, nunca, ningún, ninguna",
  without: "sin",
  frames: "no sé, no lo sé, por favor, qué hago, qué debo hacer, no encuentro, hay que",
  same: `
    broken: no funciona, no funcionan, no sirve, no va, roto, rota, estropeado, estropeada
    amount: cuánto, cuántos, cuánta, cuántas
    cost: cuesta, cuestan, precio, precios, costo, coste, cuánto cuesta, cuánto cuestan, cuánto vale
    duration: cuánto tiempo, cuánto dura, duración
    frequency: con qué frecuencia, cada cuánto
    when: cuándo, a qué hora, qué fecha
    deadline: fecha límite, plazo
    who: quién, quiénes
    sick: enfermo, enferma
    pwd: contraseña, contraseñas, clave
    login: iniciar sesión, inicio sesión, entrar
    logout: cerrar sesión, cierro sesión
    homeoffice: teletrabajo, trabajar desde casa
  `,
  actions: `
    reset: restablecer, restablezco, resetear, olvidé, olvidar, recuperar
    change: cambiar, cambio, modificar, actualizar
    cancel: cancelar, cancelo, anular
    place: hacer un pedido, hago un pedido, hacer pedido, realizar
    delete: eliminar, elimino, borrar, borro
    create: crear, creo
    setup: configurar, configuro
    request: solicitar, solicito, pedir
    submit: enviar, envío, presentar
    approve: aprobar, aprueba
    book: reservar, reservo
    print: imprimir, imprimo
    return: devolver, devuelvo
    enable: activar
    disable: desactivar
  `,
  from: "de, desde",
  to: "a, hacia",
};

export const portuguese: WordTable = {
  empty: `
    o, a, os, as, um, uma, uns, umas, de, do, da, dos, das, no, na, nos, nas, ao, à, aos, às, eu, me, mim, meu, minha, meus,
    minhas, nós, nosso, nossa, tu, teu, você, vocês, seu, sua, seus, suas, se, ele, ela, eles, este, esta, isto, esse, essa,
    isso, é, são, sou, está, estão, estou, estar, ser, era, há, tem, tenho, temos, ter, posso, pode, podemos, podem, poder,
    devo, deve, quero, queria, gostaria, preciso, como, que, qual, quais, onde, e, ou, mas, também, muito, já, por favor, olá, oi,
    bom, dia, obrigado, obrigada, em, com, por, para, pra, sobre, entre, até, desde, aqui, faço, fazer, faz, saber, sabe,
    dizer, explicar, ajudar, pergunta, possível, alguém, agora, parley
  `,
  weak: "encontrar, encontro, encontra, obter, receber, usar, utilizar, empresa, novo, nova, por que, permitido, ver, andamento",
  negation: "não, nunca, nenhum, nenhuma",
  without: "sem",
  frames: "não sei, por favor, o que faço, o que devo fazer, não encontro, como faço para, como faço",
  same: `
    broken: não funciona, não funcionam, quebrado, quebrada, estragado
    amount: quanto, quantos, quanta, quantas
    cost: custa, custam, preço, preços, custo, quanto custa
    duration: quanto tempo, duração
    frequency: com que frequência
    when: quando, a que horas, que data
    deadline: prazo, data limite
    who: quem
    sick: doente
    pwd: senha, senhas, palavra passe
    login: entrar, fazer login, iniciar sessão
    logout: sair, terminar sessão
    homeoffice: teletrabalho, trabalhar de casa
    invoice: nota fiscal, fatura
  `,
  actions: `
    reset: redefinir, redefino, resetar, esqueci, esquecer, recuperar
    change: mudar, alterar, atualizar, trocar
    cancel: cancelar, cancelo
    place: fazer um pedido, fazer pedido
    delete: excluir, apagar, eliminar
    create: criar, crio
    setup: configurar
    request: solicitar, solicito, pedir
    submit: enviar, envio
    approve: aprovar
    book: reservar
    print: imprimir
    return: devolver
  `,
  from: "de, desde",
  to: "para, a",
};

export const italian: WordTable = {
  empty: `
    il, lo, la, i, gli, le, l, un, uno, una, di, del, dello, della, dell, dei, degli, delle, d, a, al, allo, alla, all, ai,
    agli, alle, da, dal, dalla, in, nel, nella, nell, nei, nelle, su, sul, sulla, con, per, tra, fra, io, mi, me, mio, mia, miei,
    mie, noi, ci, nostro, nostra, tu, ti, tuo, tua, voi, vi, vostro, lui, lei, si, suo, sua, loro, questo, questa, quello, è, sono, sei,
    siamo, essere, era, ho, hai, ha, abbiamo, avete, hanno, avere, posso, può, possiamo, possono, potere, devo, deve,
    dobbiamo, voglio, vorrei, come, che, cosa, quale, quali, dove, se, e, o, ma, anche, molto, già, ciao, salve, buongiorno,
    grazie, prego, favore, qui, lì, faccio, fare, fa, fai, sapere, sa, dire, spiegare, aiutare, domanda, possibile,
    qualcuno, ora, adesso, parley, dov, c
  `,
  weak: "trovare, trovo, trova, ottenere, ricevere, serve, usare, utilizzare, azienda, nuovo, nuova, perché, giorno, giorni, permesso, vedere, viaggio",
  negation: "non, mai, nessun, nessuna, nessuno",
  without: "senza",
  frames: "non so, non lo so, per favore, cosa devo fare, cosa faccio, non trovo, c è, ci sono",
  same: `
    broken: non funziona, non funzionano, non va, rotto, rotta, guasto, guasta
    amount: quanto, quanti, quanta, quante
    cost: costa, costano, prezzo, prezzi, costo, quanto costa
    duration: quanto tempo, quanto dura, durata
    frequency: quanto spesso
    when: quando, a che ora, che data
    deadline: scadenza, termine
    who: chi
    sick: malato, malata
    pwd: password, parola d ordine
    login: accedere, accedo, accesso
    logout: uscire, disconnettersi
    homeoffice: lavoro da casa, lavorare da casa, telelavoro
  `,
  actions: `
    reset: reimpostare, reimposto, resettare, dimenticato, dimenticata
    change: cambiare, cambio, modificare, aggiornare
    cancel: annullare, annullo, cancellare
    place: effettuare un ordine, fare un ordine
    delete: eliminare, elimino
    create: creare, creo
    setup: configurare
    request: richiedere, richiedo, chiedere, chiedo
    submit: inviare, invio
    approve: approvare
    book: prenotare, prenoto
    print: stampare, stampo
    return: restituire
  `,
  from: "da, dal, dalla",
  to: "a, al, alla",
};
