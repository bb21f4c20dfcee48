/** English words and phrases for grouping questions. */
import type { WordTable } from "./word-table.ts";

export const english: WordTable = {
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
  negation: "not, no, never, cannot, cant, dont, doesnt, isnt, arent, wasnt, wont, none, neither, nor, unable, nobody",
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
};
