/** Names that are also words: "will", "mark", "may". They count as names only where nothing else can be meant. */
import { listed } from "../intake/pleasantries.ts";

const table = `
  will, mark, may, grace, rose, bill, hope, art, faith, joy, dawn, summer, april, june, august, autumn, ivy, lily, daisy,
  ruby, pearl, jade, amber, crystal, sky, star, rich, frank, drew, grant, chase, chance, jack, pat, rob, sue, gene, dale,
  glen, heath, cliff, rusty, sunny, sandy, penny, olive, hazel, holly, iris, violet, poppy, melody, harmony, page, paige,
  christian, max, miles, major, king, prince, duke, earl, dean, bishop, pope, reed, woody, buddy, guy, gay, dick, don,
  nick, skip, trip, van, wade, ward, wood, woods, stone, young, long, short, black, brown, white, green, gray, grey, baker,
  cook, carpenter, smith, miller, taylor, mason, fisher, hunter, hunt, carter, cooper, turner, walker, butler, potter,
  porter, archer, gardener, gardner, farmer, shepherd, cash, case, lane, brook, brooks, forest, ray, sage, basil, ginger,
  rosemary, angel, eve, noel, carol, merry, mercy, constance, destiny, charity, patience, prudence, victor, bob, ted,
  tad, jay, bud, kit, kay, bea, lee, gale, gail, jean, jeans, josh, kelly, barb, chip, chuck, clay, cole, colt, curt, dash,
  dot, fern, flora, ford, fox, hall, hill, house, home, houses, holt, hart, harper, hardy, hale, garland, field, fields,
  banks, bush, bell, ball, bass, bird, bond, booth, bowman, branch, bridge, bridges, burns, bury, camp, church, close,
  cross, day, days, drake, east, west, north, south, fields, flowers, fry, gates, glass, gold, golden, good, goode, goodman,
  gross, hammer, hand, head, heard, hook, horn, ice, key, knight, lamb, law, light, little, love, lovely, marsh, may, moon,
  moss, noble, nelson, nice, page, paper, parish, park, parks, parker, past, peace, pike, pitt, pool, poole, pound, power,
  powers, price, rice, rich, rivers, river, rock, root, rose, rush, salmon, sharp, sharpe, small, snow, sparks, spring,
  steel, street, strong, summers, sweet, swift, temple, teller, thorn, towns, trainer, vale, wall, walls, waters, weaver,
  weeks, wells, wheat, wheeler, wise, winter, winters, wolf, work, york,
  ernst, wolf, mai, engel, rosa, viola, linde, heide, eva, gut, lang, klein, kurz, stark, jung, fuchs, vogel, koch, bauer,
  weber, richter, becker, schneider, müller, fischer, schmidt, schmied, meister, kaiser, könig, graf, herzog, roth, rot,
  schwarz, weiß, weiss, braun, grün, sommer, herbst, sonntag, montag, freitag, samstag, winter, wind, berg, stein, busch,
  baum, wald, bach, see, haus, hof, kraft, mann, frau, vogt, hahn, huhn, hirsch, löwe, krebs, pfeiffer, jäger, wagner,
  zimmermann, schäfer, hoffmann, neumann, alt, neu, reich, fromm, frei, groß, gross, lieb, süß, sauer, kalt, heiß, kern,
  pierre, claire, blanche, marguerite, olivier, aimé, désiré, juste, clément, constant, parfait, fleur, petit, grand,
  blanc, noir, roux, moreau, boucher, boulanger, fournier, marchand, martin, leblanc, lucie, marin, prudent, honoré,
  dolores, pilar, luz, sol, mercedes, rosario, consuelo, ángel, jesús, blanca, alba, paz, esperanza, cruz, mar, clara,
  concepción, milagros, soledad, remedios, luna, nieves, salvador, guerra, flores, reyes, campos, ríos, vega, león, rey,
  luce, bianca, chiara, gioia, speranza, felice, stella, bella, rossi, bianchi, neri, verdi, conti, costa, fontana, vita,
  luz, vitória, glória, pedra, silva, santos, lima, rocha, campos, ramos, dias, cruz, reis, nunes,
  roos, bloem, wil, zon, jong, bos, berg, dekker, bakker, visser, smit, boer, kok, wit, zwart, groot, vos,
  вера, надежда, любовь, роза, лев, слава, мир, май, заря, лилия, виктория
`;

/** Accounts that are no people: "who do I ask in IT?" names nobody. */
const roleTable = `
  data, admin, administrator, support, office, team, sales, help, helpdesk, info, service, services, reception, billing,
  marketing, test, tester, user, guest, manager, chef, it, hr, ops, devops, bot, app, news, shop, store, the, dev, qa, pr,
  legal, finance, accounting, security, on, call, oncall, desk, front, account, company, all, everyone, here, channel
`;

const words = listed(table);
const roles = listed(roleTable);

export function isRole(word: string): boolean {
  return roles.has(word);
}

/** `word`: folded, in lower case. Two letters are always a word of some language. */
export function isAlsoWord(word: string): boolean {
  return words.has(word) || [...word].length < 3;
}
