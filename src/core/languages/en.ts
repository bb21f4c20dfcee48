/** What Parley knows of English words. */
import type { LanguageWords } from "./language-words.ts";

/** Things that hold knowledge, in answers that say that it isn't in there. */
const holders =
  "(?:knowledge base|documents?|documentation|docs|sources?|passages?|context|text|information provided|search results?)";

export const en: LanguageWords = {
  name: "English",
  common: {
    stop: `
      a, about, actually, again, all, also, already, always, am, an, and, any, anyone, anything, anyway, anywhere, are,
      as, ask, asked, at, away, be, because, been, before, being, but, by, can, cannot, cant, come, coming, could, couldnt, did,
      didnt, do, does, doesnt, doing, done, dont, down, each, either, else, ever, every, everyone, everything, everywhere,
      explain, few, find, for, from, further, get, gets, getting, give, gives, giving, given, go, goes, going, gone,
      good, got, had, happen, happened, happens, has, have, havent, having, he, hello, help, her, here, hers, hey, hi,
      him, his, how, however, i, idea, if, im, in, into, is, isnt, it, its, itself, just, kind, know, let, lets, like,
      ll, long, look, many, may, maybe, me, mean, meaning, means, meant, might, mine, more, most, much, must, my,
      myself, need, needed, needs, never, no, nor, not, now, of, off, ok, okay, on, once, one, ones, only, or, other,
      others, our, out, over, own, please, possible, possibly, put, quick, quickly, re, really, right, s, said, same,
      say, see, shall, she, should, shouldnt, show, so, some, someone, something, somewhere, sort, still, such, suppose,
      supposed, sure, t, take, tell, than, thank, thanks, that, thats, the, their, them, then, there, theres, these,
      they, thing, things, think, this, those, though, through, to, too, try, trying, u, under, unless, until, up, us,
      use, used, uses, using, usually, ve, very, via, wanna, want, wanted, wants, was, way, we, well, went, were, what,
      whats, when, whens, where, wheres, whether, which, while, who, whom, whos, whose, why, will, with, within,
      without, wont, would, wouldnt, yes, yet, you, your, yours, d, m, far, soon, hasnt, wasnt, arent, per, instead,
      quite, rather, during, dr, mr, mrs, ms, prof, anybody, everybody, somebody
    `,
    weak: `
      able, allowed, amount, answer, apply, arrange, back, begin, bring, call, called, case, correct, day, days,
      different, employee, employees, end, exactly, held, include, information, keep, main, make, makes, max, maximum, member, members, min,
      minimum, name, named, new, next, normal, number, old, order, part, people, person, persons, place, procedure, process, require,
      required, rule, rules, run, start, staff, take, takes, team, time, times, today, tomorrow, two, type, wear,
      wearing, work, works, working, year, years, yesterday, afternoon, afternoons
    `,
  },
  calendar: {
    months: `
      1: january, jan; 2: february, feb; 3: march; 4: april, apr; 6: june, jun; 7: july, jul; 8: august, aug;
      9: september, sept, sep; 10: october, oct; 11: november, nov; 12: december, dec
    `,
    capitalMonths: "3: Mar; 5: May",
    monthBeginnings: `
      1: jan; 2: feb; 3: mar; 4: apr; 5: may; 6: jun; 7: jul; 8: aug; 9: sep; 10: oct; 11: nov; 12: dec
    `,
    weekdays: `
      1: monday; 2: tuesday, tue, tues; 3: wednesday; 4: thursday, thu, thur, thurs; 5: friday, fri; 6: saturday;
      7: sunday
    `,
    capitalWeekdays: "1: Mon; 3: Wed; 6: Sat; 7: Sun",
    weekdayBeginnings: "1: mon; 2: tue; 3: wed; 4: thu; 5: fri; 6: sat; 7: sun",
  },
  numbers: {
    values: `
      2: two; 3: three; 4: four; 5: five; 6: six; 7: seven; 8: eight; 9: nine; 10: ten; 11: eleven; 12: twelve;
      13: thirteen; 14: fourteen; 15: fifteen; 16: sixteen; 17: seventeen; 18: eighteen; 19: nineteen; 20: twenty;
      30: thirty; 40: forty; 50: fifty; 60: sixty
    `,
    units: `
      euro: euro, euros; dollar: dollar, dollars; pound: pound, pounds, quid; cent: cent, cents;
      penny: penny, pence, p; percent: percent
    `,
  },
  followUp: {
    begins: "and, or, but, also, what about, how about, then, so",
    pointsBack: "it, its, that, this, there, them, those, these, one, he, she, they",
    more: "more, continue, go on, elaborate, detail, details, else, why, further",
  },
  asked: {
    synonyms: `
      create: make
      connect: join, link, integrate, setup
      install: setup, installation
      settings: setting, configure, configuration, config, variables
      remove: delete, forget, uninstall
      start: run, launch, begin
      error: problem, wrong, fail, failure, trouble, broken
      token: key, secret, credential, password
      stop: cancel, abort, end
      permission: permissions, allowed, role, roles, rights
      add: ingest, insert, upload
      deploy: host, production, server
      upgrade: update
      earn: earns, earned, salary, wage, wages, pay, paid
      keep: kept, store, stored, retention, save
    `,
    attributes: `
      floor, floors, frequency, frequencies, breed, breeds, brand, brands, street, city, country, language, platform,
      material, department
    `,
    headNouns: `
      version, versions, type, types, kind, kinds, model, models, size, sizes, number, numbers, plan, plans, color,
      colors, colour, colours, format, formats, group, groups, class, classes, level, levels
    `,
    money: `
      cost, costs, price, prices, priced, pay, pays, paid, fee, fees, charge, charged, charges, expensive, cheap,
      money, spend
    `,
    weight: "weigh, weighs, heavy, weight",
    time: "day, days, date, dates, time, times, month, months, year, years, weekday, weekdays",
    long: "long, early",
    far: "far, early, ahead, back, before, advance, notice",
    lasts: "last, lasts, take, takes",
    often: "often, frequently",
    hot: "hot, warm, cold",
    degrees: "degree, degrees, celsius, fahrenheit, c, f",
    old: "old",
    ages: "year, years, month, months, over, under, from, age, aged, least",
    fast: "fast, quickly, soon",
    speeds: `
      km, kmh, mph, knots, m, mbit, gbit, megabit, gigabit, mb, gb, ms, minute, minutes, second, seconds, hour, hours,
      day, days, week, weeks
    `,
    big: "big, large, tall, deep, wide, far, thick",
    measures: `
      km, m, cm, mm, metre, metres, meter, meters, kilometre, kilometres, mile, miles, feet, foot, ft, inch, inches,
      mb, gb, kb, tb, kib, mib, gib, tib, byte, bytes, megabyte, megabytes, gigabyte, gigabytes, pixel, pixels, square, litre, litres, liter, liters,
      people, percent, x
    `,
    past: "was, were, did",
    many: "many",
    much: "much, many, high",
    prefaces: "know, tell, remember",
    who: "who, whom, whose",
    askPerson: "ask, email, write, send, contact, talk, speak, turn, handles, handle, responsible, charge",
    onTerms: "gets, get, may, can, must, has, needs, allowed, entitled",
    where: "where",
    why: "why",
    askPlace: "find, get, located, kept, keep, stored, store, lies, hangs",
    askTime: "begin, begins, start, starts, happen, happens, held, due",
    hours: "open, opens, close, closes, shut, shuts",
    paying: "pay, pays, paid, extra",
    colour: "colour, colours, color, colors",
    code: "code, key, pin, passcode, password, combination, *code",
    number: "number, extension, iban",
  },
  named: {
    currencies: "euro, dollar, pound, cent, penny, franc, francs, yen",
    free: "nothing",
    charging: "charge, charged, pay, pays, paid",
    masses: `
      kg, g, gram, grams, kilo, kilos, kilogram, kilograms, lb, lbs, ton, tons, tonne, tonnes, pound, stone, oz
    `,
    spans: `
      ms, millisecond, milliseconds, second, seconds, minute, minutes, min, hour, hours, day, days, week, weeks, weekend, weekends, month, months,
      year, years, night, nights, quarter, quarters
    `,
    distances: "before, beforehand, ahead, prior, ago, later, earlier, after, old, notice",
    lasting: "take, takes, took, taken, last, lasts, lasted, need, needs",
    timesOfDay: `
      noon, midnight, morning, mornings, evening, evenings, afternoon, night, daily, weekly, monthly, yearly, weekdays,
      weekday, weekend, weekends, oclock, today, tomorrow, spring, summer, autumn, winter, easter, christmas
    `,
    beforePlace: `
      in, into, at, on, onto, behind, beside, under, near, next, inside, outside, opposite, above, below, through,
      from, via, to
    `,
    manners: `
      dark, writing, person, advance, cash, full, total, pairs, turn, turns, order, case, confidence, charge, fact,
      general, german, english, average, addition, detail, exchange, question, touch, use
    `,
    beforeOrigin: "from, via",
    conditions: "after, before, if, when, whenever, while, during, once, until, every, each, soon, twice",
    reasons: `
      because, since, so, due, therefore, reason, reasons, cause, causes, caused, if, when, whenever, after, otherwise,
      else, thus, hence
    `,
    frequencies: `
      every, each, always, never, hourly, daily, nightly, weekly, fortnightly, monthly, quarterly, yearly, annually,
      weekdays, weekends, once, twice, times, per
    `,
    validity: "valid, kept",
    limits: "than, over, under, least, until, within, after",
    madeIn: "since, built, founded, born, made, opened, bought",
    parts: "half, halves, tenth, quarter, quarters, third, thirds, double",
    one: "one",
    some: "one, few, several, some, many, half, whole, entire, all, couple, of, more",
    ordinals: "first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, last",
    colours: "red, blue, green, yellow, black, white, grey, gray, orange, purple, pink, brown, silver, gold, golden",
    beforeTime: "past, at, by, from, until, till, to, before, after, around, since, within, in, on, the",
    afterTime: "am, pm, oclock, ago, st, nd, rd, th",
    streets: `
      Road, Street, Lane, Avenue, Square, Hall, House, Park, Hospital, Centre, Center, Station, Hotel, School, Bridge,
      Time, Room, Day
    `,
    roles: `
      leader, leaders, officer, officers, manager, managers, treasurer, secretary, controller, coordinator,
      coordinators, commander, head of, lead, leads, team, teams, committee, engineer, engineers, doctor, doctors,
      whoever, colleague, colleagues, staff, support, security, finance, handler, handlers, chef
    `,
    doings: `
      is, was, has, does, keeps, runs, leads, handles, looks, organises, organizes, manages, orders, checks, collects,
      owns, teaches, helps, takes, makes, answers, signs, writes, sends, gives, books, plans, works, knows, decides,
      approves, holds, brings, buys, pays, cleans, washes, drives, opens, closes, repairs, trains, treats
    `,
    pointsBack: "it, they, he, she, this, these, there, ask, contact, call, write, tell, talk, speak",
    pronouns: "it, they, he, she",
    verbs: "is, are, was, were, has, have, cost, costs, get, gets, pay, pays",
    rules: "allowed, permitted, forbidden, prohibited, banned, only, never, must, may",
    days: "today, tomorrow, yesterday, tonight",
  },
  tables: {
    trend: `
      trend, trends, develop*, change, changes, changed, changing, rise, risen, rises, rising, rose, fallen, falling,
      fell, grow, grew, grown, growing, increase, increased, increases, increasing, decrease, decreased, decreases,
      decreasing
    `,
    mean: "average, mean, avg",
    max: `
      highest, most, maximum, max, largest, biggest, greatest, longest, heaviest, busiest, latest, newest, dearest,
      priciest, strongest, youngest
    `,
    min: "lowest, least, minimum, smallest, fewest, cheapest, shortest, lightest, earliest, oldest, quietest",
    sum: "total, sum, altogether, together, overall, combined",
    whole: "whole, entire",
    periods: "year, season, quarter, month, week, term, summer, winter, of",
    compare: `
      more, fewer, less, higher, lower, cheaper, heavier, lighter, longer, shorter, bigger, larger, smaller, than,
      versus, vs, compare, compared, difference
    `,
    priceHints: "expensive, cheap*, dear*, pric*, cost, costs, pay, paid",
    sizeHints: "size, sizes, big, bigger, biggest, large, larger, largest, small, smaller, smallest",
    weightHints: "heav*, light*, weigh*",
    dateHints: "earliest, latest, newest, oldest, recent*, when, youngest",
    durationHints: "longest, shortest, longer, shorter",
    generic: `
      item, items, thing, things, entry, entries, list, lists, table, tables, row, rows, product, products, number,
      numbers, up, down, between, going, gone, each, different, count, handle, handled, hold, holds, own, owns,
      contain, contains, recorded, registered, listed, show, shown, kept, stored, located, record, records, value,
      values, figure, figures, name, names, title, titles, group, groups, category, categories, altogether, take,
      takes, took, cost, costs, year, years, time, times, run, runs, running
    `,
    subjects: `
      customer, customers, client, clients, company, companies, firms, treatment, treatments, service, services,
      article, articles, offer, offers, people, person, persons, member, members, employee, employees, course, courses,
      part, parts, project, projects, booking, bookings, order, orders
    `,
    counting: `
      open, opened, get, gotten, receive, received, report, reports, reported, record, records, see, seen, reach,
      reached, score, scored, achieve, achieved, make, made, file, filed, raise, raised, submit, submitted, need,
      needs, needed, require, requires, carry, carried, transport, transported
    `,
    qualifiers: "new, old, lost, late, open, closed, canceled, cancelled, missing, failed, returned, former",
    priceColumns: "*pric*, *cost*, *fee*, *amount*, *salary*, *wage*, *rate",
    sizeColumns: "*size*, *area*, *sqm*, *sq m*",
    weightColumns: "*weight*, *mass*, *gram*, *kilo*",
    dateColumns: "*date*, *day*, *week*, *month*, *year*, *since*, *checked*, *due*, *start*, *begin*, *end*",
    durationColumns: "*minute*, *hour*, *duration*, *length*, *seconds*, *days*, *weeks*, *months*, *years*, min, mins",
    placeColumns: `
      *place*, *location*, *room*, *city*, *town*, *country*, *address*, *street*, *shelf*, *locker*, *store*, *site*,
      *office*, *floor*, *branch*, *region*, *stock*
    `,
    personColumns: "by, owner, contact, responsible, lead, leader, manager, presenter, trainer, coach, teacher",
    payColumns: "*salary*, *wage*, pay, *stipend*",
    quantityColumns: "*quantity*, *qty*, *count*, *stock*, *number*, *amount*",
    yearColumns: "*year*, *since*, *founded*, *built*, *born*",
    ageColumns: "age",
    earning: "earn, earns, earned",
    between: "between",
    since: "since, from",
    until: "until, till, to, through",
    both: "and, or, versus, vs, than, both",
  },
  questions: {
    firstWords: `
      what, whats, who, whos, whose, whom, when, whens, where, wheres, which, why, how, hows, is, are, am, was, were,
      do, does, did, can, could, would, will, shall, should, may, might, must, has, have, had, isnt, arent, cant,
      couldnt, doesnt, dont, didnt, wont, wouldnt, shouldnt, anyone, someone
    `,
    openers: `
      hi, hello, hey, good, morning, afternoon, evening, parley, please, pls, so, and, or, but, also, then, well, ok,
      okay, sorry, quick, question, all, everyone, guys, folks, team, hiya, heya, yo, cheers, there,
      wait, lol, haha, hm, hmm, btw, anyway, oh
    `,
    manners: `
      how are you, how are u, how are things, how r you, how r u, how r things, and how are you, and how are u,
      and how are things, and how r you, and how r u, and how r things, hows it going, hows life, hows everything,
      how do you do, whats up, sup
    `,
    words: "who, whos, what, whats, where, wheres, why, how, hows, which, whose, whom",
    openings: `
      when is, when are, when was, when were, when do, when does, when did, when can, when will, when should,
      when must, can i, can we, can someone, can anyone, may i, may we, do i, do we, do you, does anyone, does the,
      does it, is there, are there, is it, are we, are the, should i, should we, has anyone, have we, anyone know, am i
    `,
    remarks: `
      what a, what an, how nice, how cool, how lovely, how funny, how sad, how sweet, how great, how weird, how odd,
      how annoying, how exciting, how about that, what the hell
    `,
  },
  people: {
    openings: `
      did, didnt, had, hadnt, hasnt, havent, wasnt, werent, has the, has it, has he, has she, has that, has this,
      has my, has someone, have the, have they, have we, was the, was it, was that, was this, was there, was he,
      was she, was anyone, was someone, were the, were they, were we, were there, shall i, shall we, should i,
      should we, have i, how was, how were, how did, what did, where did, why did, hows, how long has, how long have, what happened, what went,
      whats going, what is going, whats up, whats wrong, what is wrong, what do you think, what do you reckon, is your,
      are your, wheres my, where is my, where are my, wheres your, where is your, where are your, should someone,
      should anyone, should the, who will, would someone, would anyone, how about a, how about we, how about some,
      what if we, who has my, who has your, who has our, who got my
    `,
    asides: `
      did you, did they, did he, did she, did we, did i, did anyone, did someone, have you, are you, were you,
      will you, would you, last night, this morning, this afternoon, this evening, do you want, do you think,
      do you fancy, do you mind, do you remember, do you reckon, do you believe, do you feel, do you wanna,
      do you agree, do we still, have we still, this one, that one, have your, this week, this weekend, next week, next weekend, last week, last weekend, last time,
      or me, or you, me or, are we
    `,
    asideWords: "yesterday, yours, mine, ours, he, she, him, really, seriously, honestly",
    requests: "can you, could you, can someone, can anyone, could someone, could anyone",
    tags: "right, huh, eh, yeah, ok",
    askingWords: `
      tell, say, explain, remind, help, confirm, show, know, allowed, supposed, meant, able, entitled, insured,
      covered, open, closed
    `,
    states: `
      down, up, working, running, going, coming, broken, ready, done, finished, back, here, there, gone, full, offline,
      on, off
    `,
    nowWords: "already, yet, again, now, moment, tonight",
    dayWords: "today, tonight, tomorrow, now",
    didOnce: `
      left, took, broke, ate, did, made, put, said, told, bought, had, was, were, forgot, stole, lost, brought, sent,
      drank, drove, shut, saw, wrote that, wrote this
    `,
    notDidOnce: "need, feed, breed, seed, speed, proceed, founded, created, designed, invented, established, opened",
    askingAnyone: "know, knows, has, have, got, remember, remembers, tell, who",
    ofPeople: "your, my, news, ideas, idea, luck, plans, updates, update, volunteers, takers",
    momentary: "free, available, busy, booked, taken",
    verbs: `
      is, are, was, were, do, does, did, can, could, may, must, should, will, would, has, have, need, needs, goes, go,
      get, gets, applies, apply, counts, count, works, work, costs, cost, opens, open, closes, close, comes, come
    `,
    weak: `
      the, and, for, are, was, were, has, have, had, does, did, can, could, would, should, will, shall, may, might,
      must, how, what, when, where, which, who, whom, whose, why, that, this, these, those, there, here, with, from,
      into, about, any, anyone, someone, all, our, your, you, they, them, she, her, his, its, not, but, out, off, get,
      got, one, two, know, knows, tell, please, much, many, long, often, still, also, again, just, like, want, need,
      going, really, everyone, hello, sorry, thanks, think, anybody, everybody, somebody
    `,
  },
  names: {
    alsoWords: `
      will, mark, may, grace, rose, bill, hope, art, faith, joy, dawn, summer, april, june, august, autumn, ivy, lily,
      daisy, ruby, pearl, jade, amber, crystal, sky, star, rich, frank, drew, grant, chase, chance, jack, pat, rob,
      sue, gene, dale, glen, heath, cliff, rusty, sunny, sandy, penny, olive, hazel, holly, iris, violet, poppy,
      melody, harmony, page, paige, christian, max, miles, major, king, prince, duke, earl, dean, bishop, pope, reed,
      woody, buddy, guy, gay, dick, don, nick, skip, trip, van, wade, ward, wood, woods, stone, young, long, short,
      black, brown, white, green, gray, grey, baker, cook, carpenter, smith, miller, taylor, mason, fisher, hunter,
      hunt, carter, cooper, turner, walker, butler, potter, porter, archer, gardener, gardner, farmer, shepherd, cash,
      case, lane, brook, brooks, forest, ray, sage, basil, ginger, rosemary, angel, eve, noel, carol, merry, mercy,
      constance, destiny, charity, patience, prudence, victor, bob, ted, tad, jay, bud, kit, kay, bea, lee, gale, gail,
      jean, jeans, josh, kelly, barb, chip, chuck, clay, cole, colt, curt, dash, dot, fern, flora, ford, fox, hall,
      hill, house, home, houses, holt, hart, harper, hardy, hale, garland, field, fields, banks, bush, bell, ball,
      bass, bird, bond, booth, bowman, branch, bridge, bridges, burns, bury, camp, church, close, cross, day, days,
      drake, east, west, north, south, flowers, fry, gates, glass, gold, golden, good, goode, goodman, gross, hammer,
      hand, head, heard, hook, horn, ice, key, knight, lamb, law, light, little, love, lovely, marsh, moon, moss,
      noble, nelson, nice, paper, parish, park, parks, parker, past, peace, pike, pitt, pool, poole, pound, power,
      powers, price, rice, rivers, river, rock, root, rush, salmon, sharp, sharpe, small, snow, sparks, spring, steel,
      street, strong, summers, sweet, swift, temple, teller, thorn, towns, trainer, vale, wall, walls, waters, weaver,
      weeks, wells, wheat, wheeler, wise, winter, winters, wolf, work, york
    `,
    roles: `
      data, admin, administrator, support, office, team, sales, help, helpdesk, info, service, services, reception,
      billing, marketing, test, tester, user, guest, manager, chef, it, hr, ops, devops, bot, app, news, shop, store,
      the, dev, qa, pr, legal, finance, accounting, security, on, call, oncall, desk, front, account, company, all,
      everyone, here, channel
    `,
    titles: "mr, mrs, ms, miss, dr, prof, sir, madam",
    greetings: "hi, hey, hello, dear, morning, yo, ok, okay",
    countries: "US: usa; GB: uk, great britain, britain, england; AE: uae; NL: holland; CZ: czechia",
    ambiguousMonths: "may, march",
    beforeMonths: "in, of, since, until, till, by, from",
  },
  remarks: {
    thanks: `
      thanks, thank you, thank u, thanx, thx, tx, ty, tysm, cheers, much appreciated, appreciate it, appreciated,
      i appreciate it, kudos, thanks a lot, thanks a million, thank you so much, thank you very much, thanks so much,
      many thanks, you are the best, youre the best, that helped, that helps, this helped, it helped, very helpful,
      thanks in advance, super helpful, so helpful, thats helpful, helpful, you saved my day, lifesaver
    `,
    acknowledgements: `
      ok, okay, okey, okie, k, kk, cool, nice, great, perfect, awesome, good, fine, sweet, excellent, brilliant,
      amazing, wonderful, fantastic, lovely, super, wow, neat, done, noted, got it, gotcha, understood, i see,
      makes sense, that makes sense, will do, sounds good, all good, good to know, all right, alright, right, sure,
      yes, yep, yup, yeah, no, nope, agreed, ack, no worries, no problem, np, never mind, nevermind, nvm, lol, haha,
      hehe, oh, ah, hm, hmm, interesting, exactly, indeed, works, that works, it works, works for me, it works now,
      thats what i needed, thats what i wanted, just what i needed, exactly what i needed, on it, running it now,
      trying it now, trying that now, doing it now, doing that now, checking now, checking it now, wfm, thats it, thats all, thats right, thats great, thats perfect, lgtm, roger, copy that, fair enough
    `,
    rhetorical: `
      who knew, who would have thought, really, oh really, seriously, for real, no way, is that so, say what, huh,
      what, eh, right, who does that, are you kidding, you kidding, are you serious, why me, why not, what now,
      whats not to like, how cool is that, how great is that, isnt it, arent they, dont you think, cool huh,
      what can you do, who cares, who knows, what a day
    `,
    plans:
      "ill do, ill go, ill try, ill book, ill take, ill be, i will do, i will try, i will be, then ill, then i will, then well, see you",
    takenBack: `
      never mind, nevermind, nvm, found it, found them, i found it, just found it, got it, solved, solved it, sorted,
      ignore me, ignore that, forget it, figured it out, worked it out, all good
    `,
    fillers: `
      parley, so much, very much, a lot, again, all, everyone, everybody, guys, team, folks, mate, then, now, that,
      this, it, thats, very, really, and, for that, for this, for the help, for your help, for the answer, man, buddy,
      to you, a bunch, a ton, loads, indeed, just, so
    `,
    welcome: "help, hi, hello, hey, what can you do, what do you do",
    leave: "leave, leave please, please leave, leave us, leave us alone, leave this thread, go away",
    noAnswers: `
      i dont know, i do not know, i dont think anyone knows, i have no idea, i have no clue, no idea, no clue,
      not sure, im not sure, i am not sure, i wasnt sure, dont know, dunno, idk, good question, great question,
      thats a good question, thats a great question, that is a good question, that is a great question, same question,
      same here, same problem, i have the same, i had the same, we have the same, we had the same,
      i was wondering the same, i wonder too, me too, i need this too, i need that too, we need this too,
      we need that too, i would like to know, id like to know, sorry, let me ask, let me check, let me find,
      let me look, let me see, lets ask, lets see, lets wait, ill ask, ill check, ill find out, ill get back,
      ill have a look, ill let you know, ill look, ill see, ill try, i will ask, i will check, i will find out,
      i will get back, i will let you know, i will look, i will see, i will try, well ask, well check, we will ask,
      we will check, i can ask, i can check, checking, asking, can you, can someone, can anyone, could you,
      could someone, could anyone, does anyone, did anyone, has anyone, do you know, who knows, any news, any update,
      please help, help please, thats wrong, that is wrong, this is wrong, wrong answer, that doesnt help,
      this doesnt help, doesnt help, not helpful, thats not what, that is not what, this is not what, see you,
      good morning, good night, have a nice, happy birthday, congratulations, welcome
    `,
  },
  saving: {
    verbs: "add, save, store, keep, remember, memorize, upload, import, ingest, learn, put",
    around: `
      please, pls, can you, could you, would you, will you, hey, hi, parley, this, that, it, these, those, them, the,
      my, our, a, file, files, attachment, attachments, attached, document, documents, here, for me, for us, for later,
      for everyone, too, also, as well, now, thanks, thank you, knowledge base, to the knowledge base,
      to your knowledge base, to our knowledge base, to a knowledge base, in the knowledge base,
      in your knowledge base, into the knowledge base, to your knowledge, to your memory, to the kb, to kb
    `,
    beforeBase: "to, into, in, under",
    articles: "the, my, our, your, base",
  },
  stems: {
    irregular: `
      kept keep, sent send, paid pay, lost lose, found find, bought buy, made make, took take, gave give, built build,
      held hold, wrote write, written write, ran run, chose choose, chosen choose, broke break, forgot forget,
      forgotten forget, sold sell, told tell, began begin, brought bring, met meet, read read, taken take, given give,
      children child, people person, teeth tooth, feet foot, shelves shelf, knives knife, women woman, men man,
      mice mouse, taught teach, drove drive, driven drive, ate eat, eaten eat, stole steal, stolen steal, wore wear,
      worn wear, won win, spoke speak, spoken speak, spent spend, caught catch, fed feed, led lead, swam swim,
      swum swim, stood stand, drawn draw, thrown throw, grown grow, frozen freeze, froze freeze, known know, seen see,
      hung hang, rung ring, slept sleep, lent lend, shown show, done do
    `,
  },
  charts: {
    trend: `
      trend*, over time, development of, evolution, evolve*, progression, growth, grow, grew, grown, growing,
      month by month, per month, by month, monthly, year by year, per year, by year, yearly, per week, by week, weekly,
      per day, by day, daily, per quarter, by quarter, quarterly, year over year, month over month, time series
    `,
    share: `
      share of, share by, share per, what share, which share, s share, market share, shares of, proportion*,
      percentage*, per cent, percent, breakdown, split by, distribution, composition, made up of
    `,
    comparison: `
      compare*, comparing, comparison*, versus, vs, ranking, rank, side by side, highest, lowest, top 5, top 10
    `,
    chart: `
      chart, charts, charted, graph, graphs, plot, plotted, diagram*, visualise, visualize, visualisation,
      visualization
    `,
    stacked: "stacked, area chart, area graph",
    otherMeanings: `
      let's share, please share, to share, can you share, could you share, share by email, share by mail,
      share by link, share by monday, share by tuesday, share by wednesday, share by thursday, share by friday,
      share by saturday, share by sunday, share by today, share by tomorrow, share by noon, share by the end,
      share by end of, share by next, share per email, share per mail, distribution list*, distribution group*,
      chart of accounts, org chart*, organization chart*, organisation chart*, knowledge graph*, microsoft graph,
      graph api, graph database*, vs code, plot of the film, plot of the movie, plot of the story, plot of the book,
      trendy
    `,
  },
  columns: {
    rowNames: "key, no, num, number, index, row, row number, rank, position, place, year, years",
    totals: "total, totals, grand total, grand totals, subtotal, subtotals, sum",
  },
  titles: {
    empty: `
      about, about us, appendix, changelog, contact, contents, document, faq, faqs, help, home, home page, index,
      introduction, main, main page, misc, more, new page, news, notes, other, overview, page, preface, readme,
      references, see also, start, summary, table of contents, test, title, untitled, welcome
    `,
    verbs: `
      add, allow, ask, avoid, become, choose, configure, connect, convert, create, customise, customize, decide,
      delete, deploy, disable, edit, enable, find, fix, get, give, install, invite, keep, learn, make, manage, merge,
      migrate, organise, organize, pay, prepare, protect, publish, remove, rename, replace, resolve, restore, send,
      solve, submit, tell, understand, upload, verify, write
    `,
    perhapsVerbs: `
      book, build, cancel, change, check, close, download, export, handle, import, move, open, order, plan, read,
      report, request, reset, return, review, run, schedule, set, share, sign, log, start, stop, test, track, update,
      upgrade, use, work
    `,
    common: `
      account, accounts, additional, addresses, advanced, airport, annual, automatic, baby, bank, basic, bed,
      beds, bicycle, bike, bikes, bonus, breakfast, budget, building, bus, call, calls, car, card, cards, cars,
      cash, child, children, client, clients, code, common, company, computer, computers, conference, contacts,
      contract, contracts, course, courses, credit, current, custom, customer, customers, daily, data, database,
      debit, default, delivery, digital, dinner, direct, discount, discounts, document, documents, dog, dogs,
      domestic, double, drink, drinks, early, email, emails, emergency, employee, employees, event, events,
      expenses, external, extra, family, file, files, financial, first, flight, flights, food, forms, free,
      full, garden, general, gift, gifts, group, groups, guest, guests, half, hardware, health, heating, help,
      high, holiday, holidays, home, hotel, hours, internal, international, internet, invoice, invoices, job,
      jobs, kitchen, laptop, laptops, large, late, leave, legal, local, long, low, luggage, lunch, main,
      manager, managers, mandatory, manual, medical, meeting, meetings, member, members, mobile, money, monthly,
      national, network, new, night, office, old, online, opening, optional, order, orders, overtime, paid,
      parental, parking, partner, partners, password, passwords, payment, payments, payroll, people, personal,
      pet, pets, phone, plan, plans, pool, previous, price, prices, printer, printers, private, product,
      products, professional, public, quality, quarterly, quiet, refund, refunds, remote, reports, required,
      return, returns, risk, role, roles, room, rooms, salaries, salary, sales, sample, samples, sauna, school,
      server, servers, service, services, shift, shifts, shipping, short, sick, single, small, smoking,
      software, special, sport, sports, staff, standard, student, students, supplier, suppliers, support,
      swimming, tax, taxes, team, teams, technical, terrace, time, towels, train, training, travel, triple,
      twin, user, users, vacation, visa, voucher, vouchers, warehouse, water, weekend, weekly, work, yearly
    `,
  },
  schedules: {
    unfinished: `
      a, an, the, this, that, these, those, my, our, your, their, its, is, are, was, were, be, been, do, does, did,
      has, have, had, will, would, can, could, should, must, may, might, for, of, to, in, on, at, from, by, with,
      about, into, than, and, or, but, if, when, while, because, so, as, per, not, no, we, i, you, they, he, she, it,
      who, whose, which, how, why, where
    `,
  },
  headings: {
    sources: "sources, references, citations",
  },
  sayings: [
    "\\bi (?:do not|don't|dont) (?:really |actually |currently )?know\\b",
    "\\bi (?:do not|don't|dont) (?:currently )?have (?:any |enough |specific |that |the |access to ){0,3}(?:information|info|details?|data|knowledge|answer|documents?|content)\\b",
    "\\bi (?:can't|cannot|can not|couldn't|could not|was unable to|am unable to|wasn't able to|was not able to|am not able to) (?:find|locate|determine|answer|see|tell|say)\\b",
    "\\bi(?:'m| am) (?:unable|not able) to (?:find|locate|determine|answer|tell|say)\\b",
    "\\bi(?:'m| am) not sure\\b",
    "\\bi (?:found|find|see|have) (?:nothing|no (?:\\w+ ){0,2}(?:information|mention|answer|results?|passages?|documents?|data|details?|sources?|match|matches|entry|record))\\b",
    "\\bthere (?:is|are|was|were) (?:nothing|no (?:\\w+ ){0,2}(?:information|mention|answer|results?|documents?|data|details?|entry|record|records)) (?:about|on|of|for|regarding|in|that|available|to|related|matching)\\b",
    "\\bno (?:\\w+ ){0,2}(?:information|answer|results?|documents?|passages?|data|rows|matches|mention) (?:\\w+ ){0,2}(?:found|available)\\b",
    "\\bno (?:relevant |specific |such )?(?:information|results?|data|documents?|mention)\\b.{0,30}\\b(?:was|were|could be) found\\b",
    `\\b${holders}\\b.{0,40}\\b(?:do not|does not|don't|doesn't|did not|didn't) (?:\\w+ )?(?:contain|mention|include|say|provide|specify|cover|have|state|answer|tell|give)\\b`,
    `\\b(?:is not|isn't|are not|aren't|not) (?:\\w+ )?(?:mentioned|covered|contained|included|specified|stated|answered|described) (?:in|by) (?:\\w+ ){0,3}${holders}\\b`,
  ],
  grouping: {
    empty: `
      a, an, the, s, t, m, d, ll, re, ve, this, that, these, those, there, here, it, its, i, me, my, mine, myself, we, us, our, ours, you, your,
      yours, he, she, his, her, him, they, them, their, one, ones, someone, anyone, everybody, somebody, is, are, am, was, were,
      be, been, being, do, does, did, done, doing, has, had, having, can, could, will, would, shall, should, must,
      might, may, ought, to, of, in, on, at, for, with, by, about, into, onto, as, from, up, off, out, over, under,
      and, or, but, so, if, then, than, while, because, also, too, just, only, really, very, quite, actually, please,
      pls, plz, kindly, hi, hello, hey, dear, all, team, folks, guys, thanks, thank, thx, what, which, how, where,
      whether, when's, anyway, again, still, already, now, yet, ever, some, any, each, every, such, own, same, other,
      another, lot, bit, like, well, ok, okay, quick, question, parley, via, e, g, etc, per, until, till, within, through, between,
      let, lets, tell, explain, show, know, wonder, wondering, help, somehow, properly, exactly, currently, possible,
      possibly, able, way, ways, thing, things, something, anything, everything, else, got, go, goes, going, come,
      idea, best, right, correct, correctly, good, kind, sort, see, say, says, said, mean, means, try, trying, tried,
      happen, happens, happened, happening, offer, provide, support, supports, supported, seem, seems, wont, dont
    `,
    weak: `
      get, have, find, use, need, want, take, give, make, look, company, day, allow, available, new, number, list,
      people, person, person's, employee, colleague, my own, time, why, include, exist, receive, laptop, computer, app,
      application, tool, product, file, internal, official, information, info, details, detail, rule, process, procedure,
      steps, step, instruction, guide, somewhere, high, served, set, address, period, second, needed, required,
      must, permitted, possible, today, right now, at the moment, customer, document, data, rate, pay, country
    `,
    negation:
      "not, no, never, cannot, cant, dont, doesnt, isnt, arent, wasnt, wont, none, neither, nor, unable, nobody",
    without: "without, except, excluding",
    frames: `
      i do not know, i dont know, i do not understand, i dont understand, not sure, i am not sure, i can not find,
      i cannot find, i cant find, i did not find, why not, fails with, failed with, do not worry, if not, is it not, not yet, no idea,
      have no idea, is there, are there, is it possible, what do i do, what should i do, what to do, what now,
      what can i do, what do i have to do, what happens, how do i know, can you, could you, as well as, per se,
      i would like to, i want to, i need to, how do i get to, at the moment, right now
    `,
    same: `
      login: log in, login, log on, logon, sign in, signin
      logout: log out, logout, log off, logoff, sign out, signout
      signup: sign up, signup
      checkin: check in, checkin
      checkout: check out, checkout
      leave-time: vacation, time off, pto, annual leave, paid leave, holiday leave, days off, leave days, vacation days
      public-holiday: public holiday, bank holiday
      cost: how much does cost, cost, price, pricing, how expensive, what does cost, fee, fees, charge
      amount: how much, how many, what number of, number of
      duration: how long, length, duration, how much time
      frequency: how often, frequency, how frequently
      when: how long does it take, how long will it take, how long until, when, what time, what date, which date, by when, from when, until when, till when, which day
      deadline: deadline, due date, cut off date, cutoff date, latest date, closing date
      who: who, whom, whose
      works: work, function
      error: error, error message
      broken: not working, does not work, do not work, did not work, is not working, not work, wont work, will not work, no longer works, stopped working, broken, broke, out of order, defective, fails, failed, failing, failure, crash, crashes, crashing, is down, are down, down
      slow: slow, slowly, sluggish, takes forever, laggy
      sick: sick, ill, sickness, illness, not feeling well
      email: email, mail, e mail
      wifi: wifi, wi fi, wlan, wireless
      2fa: 2fa, mfa, two factor authentication, two factor, multi factor authentication, multifactor authentication, second factor
      sso: sso, single sign on
      homeoffice: home office, work from home, working from home, wfh, remote work, work remotely, working remotely, telework
      payday: payday, get paid, salary paid, wages paid
      salary: salary, wage, payroll
      bank-account: bank account, bank details
      payslip: payslip, pay slip, paystub, pay stub, salary slip, wage slip
      phone: phone, mobile, cell phone, smartphone
      laptop: laptop, notebook
      doc: documentation, docs, manual, handbook
      template: template, boilerplate
      photo: photo, picture, image
      pwd: password, passcode, passwd, pwd
      org-chart: org chart, organisation chart, organization chart, organigram, organisational chart
      contact: contact person, point of contact
      opening: opening hours, office hours, business hours, opening times
      reimbursed: reimbursed, reimbursement, paid back, refunded, money back
      refund: refund
      on-call: on call, oncall
      current: this week, this month, this year, this quarter
      coming: next week, next month, next year, next quarter, coming week, tomorrow
      past: last week, last month, last year, last quarter, yesterday
      free: free, free of charge, gratis, for free
      weekly: every week, each week, weekly, once a week
      daily: every day, each day, daily
      monthly: every month, each month, monthly, per month
      yearly: every year, each year, yearly, annual, annually, per year
      lost: lost, lose, missing, misplaced, can not find
    `,
    actions: `
      reset: reset, forgot, forget, forgotten, recover
      change: change, edit, modify, update, alter, adjust
      cancel: cancel, call off, annul, cancellation
      place: place, placing
      track: track, trace
      return: return, send back
      delete: delete, remove, erase, get rid of
      create: create, generate
      add: add
      setup: set up, setup, configure, configuration
      install: install, installation
      uninstall: uninstall
      submit: submit, i file, to file, ^ file, we file, hand in, send in, claim
      approve: approve, approval, sign off
      reject: reject, decline
      request: request, apply for, ask for
      order: to order, ^ order, how do i order, can i order, i order, where can i order
      book: book, reserve
      report: to report, i report, ^ report, report a, we report, report an
      share: share
      export: export
      import: import
      convert: convert, turn into
      connect: connect, link, integrate, pair
      disconnect: disconnect, unlink
      enable: enable, activate, turn on, switch on
      disable: disable, deactivate, turn off, switch off
      upgrade: upgrade
      downgrade: downgrade
      join: join, subscribe
      leave-list: unsubscribe, leave a, leave the, ^ leave
      register: register, registration
      print: print
      restore: restore
      carry-over: carry over, roll over, transfer to next year
      rotate: rotate
      revoke: revoke
      deploy: deploy, deployment, release
      rollback: roll back, rollback, revert
      increase: increase, raise the, extend
      decrease: decrease, reduce, lower, shorten
      download: download
      upload: upload
      renew: renew, renewal
      move: move, shift, postpone, reschedule
      start: start, begin, launch
      stop: stop, end, terminate
      sign: sign
      park: park, parking
    `,
    from: "from",
    to: "to, into",
  },
};
