/**
 * Measures how relevant the best passage is for questions with an answer and without one, to choose a profile's
 * `relevanceFloor`: `node bench/knowledge/relevance.ts URL PROJECT BASE`. Creates the knowledge base if it isn't there,
 * adds twenty rows, and leaves both.
 */
import { createMindsdbService } from "../../src/agent-service/mindsdb/request.ts";
import { ParleyError } from "../../src/core/errors.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { silentLog } from "../../test/doubles/silent-log.ts";

/** What is known, and a question about it in other words. */
const known: readonly (readonly [row: string, question: string])[] = [
  ["The wifi password is reset at the reception on the ground floor.", "How do I reset the wifi password?"],
  ["Visitors park on level B2; the barrier opens with the code of the day.", "Where can guests park their cars?"],
  ["Travel expenses are paid back with the salary of the next month.", "When do I get my travel costs back?"],
  ["Employees have 28 days of paid leave a year.", "How many vacation days do we have?"],
  ["Unused leave expires on March 31 of the following year.", "Until when can I take days off from last year?"],
  ["The VPN is called FortiClient and is installed from the self-service portal.", "Which VPN do we use?"],
  ["Invoices over 5,000 euros need the approval of two directors.", "Who approves a large invoice?"],
  ["Broken laptops are exchanged by IT in room 114 between 9 and 11.", "My laptop is broken. Where do I go?"],
  ["The canteen is open from 11:30 to 14:00 and is closed on Fridays.", "When can I have lunch in the canteen?"],
  ["New colleagues get their badge from security on the first day.", "Where does a new employee get a badge?"],
  ["Meeting rooms are booked in the calendar, at most two weeks ahead.", "How far ahead can I book a meeting room?"],
  ["Customers return goods within 30 days for a full refund.", "How long can a customer send an item back?"],
  ["The support hotline answers on weekdays from 8 to 18.", "What are the hours of the hotline?"],
  ["Production is deployed every Tuesday after the release meeting.", "When is the next release deployed?"],
  ["Passwords have at least 14 characters and never expire.", "How long must a password be?"],
  ["Sick notes are sent to the payroll office on the fourth day.", "When do I need a doctor's note?"],
  ["The company pays 25 euros a month for a gym membership.", "Does the company pay for the gym?"],
  ["Confidential paper goes into the grey bins, never into the blue ones.", "Where do I throw away secret papers?"],
  ["The staging database is copied from production on Sunday night.", "How old is the data on staging?"],
  ["Contracts with suppliers are signed by the legal department.", "Who signs a contract with a supplier?"],
];

const unknown: readonly string[] = [
  "How do I connect my headphones to the television?",
  "Who won the football game yesterday?",
  "How do I bake bread without yeast?",
  "What is the capital of Mongolia?",
  "Which fertiliser do tomatoes need?",
  "How high is the tower in Pisa?",
  "Why is the sky blue?",
  "How do I repair a bicycle tyre?",
  "Which stocks should I buy?",
  "How old do elephants get?",
  "What is our policy on company cars?",
  "Who is our contact at the bank?",
  "How do I get a second monitor?",
  "When is the summer party?",
  "Which health insurance do we offer abroad?",
  "How do I change my bank account for the salary?",
  "Can I bring my dog to the office?",
  "Where is the first aid kit?",
  "Which printer is in the marketing office?",
  "How do I order business cards?",
];

const [baseUrl, project, base] = process.argv.slice(2);
if (baseUrl === undefined || project === undefined || base === undefined) {
  process.stderr.write("Usage: node bench/knowledge/relevance.ts URL PROJECT BASE\n");
  process.exit(2);
}
const service = createMindsdbService({ baseUrl, clock: systemClock, log: silentLog });
await service.createKnowledgeBase(project, { name: base }).catch((failure: unknown) => {
  if (!(failure instanceof ParleyError)) throw failure;
  process.stdout.write(`Not created: ${failure.message}\n`);
});
const rows = known.map(([content], number) => ({ id: `relevance-${number}`, content }));
await service.insert(project, base, { rows });

type Found = { readonly relevance: number | undefined; readonly isRight: boolean };

async function ask(words: string, right?: string): Promise<Found> {
  const [best] = await service.search(project ?? "", base ?? "", words, 3);
  return { relevance: best?.source.relevance, isRight: right !== undefined && best?.content.includes(right) === true };
}

const line = (text: string) => process.stdout.write(`${text}\n`);
const right: number[] = [];
const wrong: number[] = [];
for (const [content, question] of known) {
  const { relevance, isRight } = await ask(question, content);
  line(`${isRight ? "right" : "wrong"}  ${relevance?.toFixed(3) ?? "none "}  ${question}`);
  if (relevance !== undefined) (isRight ? right : wrong).push(relevance);
}
for (const question of unknown) {
  const { relevance } = await ask(question);
  line(`absent ${relevance?.toFixed(3) ?? "none "}  ${question}`);
  if (relevance !== undefined) wrong.push(relevance);
}
const lowest = Math.min(...right);
const caught = wrong.filter((relevance) => relevance < lowest).length;
const { generation, version } = await service.profile();
line(`${generation} ${version}: right ones from ${lowest.toFixed(3)} to ${Math.max(...right).toFixed(3)}`);
line(
  `A floor of ${lowest.toFixed(3)} tells ${caught} of ${wrong.length} wrong ones apart; with few of them, choose none.`,
);
await service.close();
