/** What Parley knows of French words. */
import type { LanguageWords } from "./language-words.ts";

/** Things that hold knowledge, in answers that say that it isn't in there. */
const holders = "(?:base de connaissances|documents?|documentation|sources?|contexte|textes?)";

export const fr: LanguageWords = {
  name: "French",
  questions: {
    firstWords: `
      quoi, que, qui, quand, ou, pourquoi, comment, combien, quel, quelle, quels, quelles, est, sont, peut, peux, puis,
      puisje, faut, doit
    `,
    openers: "bonjour, salut, et, alors, mais",
    manners: "ca va, comment ca va, comment vas tu, comment allez vous",
    words: "qui, quand, où, pourquoi, comment, combien, quel, quelle, quels, quelles, lequel, laquelle",
    openings: "est ce, y a, peut on, puis je, a t, faut il",
    remarks: "quelle chance, quel dommage",
  },
  people: {
    openings: "tu, as tu, es tu, vas tu, peux tu, veux tu",
  },
  names: {
    alsoWords: `
      pierre, claire, blanche, marguerite, olivier, aimé, désiré, juste, clément, constant, parfait, fleur, petit,
      grand, blanc, noir, roux, moreau, boucher, boulanger, fournier, marchand, martin, leblanc, lucie, marin, prudent,
      honoré
    `,
    titles: "mme, madame, monsieur",
    greetings: "salut, bonjour, cher",
    ambiguousMonths: "mai, mars, marche",
    beforeMonths: "en, du, de",
  },
  remarks: {
    thanks: `
      merci, merci beaucoup, merci bien, merci à toi, merci à vous, mille mercis, un grand merci, merci infiniment,
      grand merci, mci, ça aide, ça m aide, ça maide, très utile
    `,
    acknowledgements: `
      d accord, daccord, entendu, compris, parfait, génial, très bien, bien, ça marche, c est bon, cest bon,
      c est noté, noté, oui, non, bien reçu, reçu, exact, nickel, top, ah d accord
    `,
    rhetorical: "vraiment, sérieux, sérieusement, ah bon, qui l eût cru, n est ce pas, pourquoi pas",
    takenBack: "laisse tomber, laissez tomber, trouvé, j ai trouvé, c est bon",
    fillers: "et, alors, tout, à tous, très",
    welcome: `
      aide, à l'aide, salut, bonjour, coucou, que peux-tu faire, que sais-tu faire, tu peux faire quoi,
      que pouvez-vous faire
    `,
    leave: "pars, va ten, laisse nous, laisse nous tranquilles",
    noAnswers: `
      je ne sais pas, je sais pas, aucune idée, bonne question, pas sûr, je vais demander, je vais voir, je demande
    `,
  },
  saving: {
    verbs: `
      ajoute, ajouter, ajoutez, enregistre, enregistrer, enregistrez, sauvegarde, sauvegarder, sauvegardez, garde,
      garder, gardez, retiens, retenir, mémorise, mémoriser, conserve, conserver, mets
    `,
    around: `
      sil te plaît, sil vous plaît, svp, stp, peux tu, pouvez vous, ce, cet, cette, ces, ceci, ça, le, la, les,
      fichier, fichiers, pièce jointe, pour plus tard, à la base de connaissances, dans la base de connaissances,
      merci, aussi
    `,
    beforeBase: "à, au, dans, en",
    articles: "le, la, les",
  },
  charts: {
    trend: `
      tendance*, évolution*, évolue*, évolué*, progression, croissance, par mois, mensuel*, par an, par année, annuel*,
      par semaine, hebdomadaire*, par jour, quotidien*, par trimestre, au fil du temps
    `,
    share: `
      part de, part du, part des, part d, parts de, quelle part, proportion*, pourcentage*, répartition*,
      ventilation par, composition
    `,
    comparison: "compare*, comparer, comparé*, comparaison*, par rapport à, classement",
    chart: "graphique*, diagramme*, courbe*, visualise*",
    stacked: "empilé*, aires empilées",
    otherMeanings: `
      de la part, à part, quelque part, nulle part, autre part, faire part, fais part, fait part, faites part,
      prendre part, carte graphique, cartes graphiques, charte graphique, interface graphique, design graphique,
      designer graphique
    `,
  },
  columns: {
    rowNames: "rang, annee",
    totals: "somme, totale",
  },
  titles: {
    small: "le, la, les, des, du, un, une, et, pour, sur, avec",
  },
  sayings: [
    "\\bje ne (?:le )?sais pas\\b",
    "\\bje (?:ne|n') ?(?:trouve|dispose|connais|peux|suis|ai|vois) .{0,40}(?:\\b(?:rien|aucune?|pas)(?!\\p{L}))",
    "\\b(?:aucune?|pas d') ?(?:information|mention|réponse|résultat|document|donnée)s?(?!\\p{L})",
    `\\b${holders}(?!\\p{L}).{0,40}\\bne (?:contien|mentionn|précis|indiqu|fourni|dis|comport)`,
  ],
  grouping: {
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
  },
};
