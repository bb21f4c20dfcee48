/** What a digest says, over counts, gaps and answers in memory. */
import { expect, it } from "vitest";
import type { AddedAnswer } from "../../../src/core/model/insight.ts";
import { createDigests } from "../../../src/insight/digest.ts";
import { documentText } from "../../../src/presentation/markdown/plain-text.ts";
import { appOf } from "../../doubles/app.ts";
import { keptNotices } from "../../doubles/notices.ts";
import { admin, general } from "../../doubles/people.ts";

const due = Date.parse("2026-11-16T09:00:00Z");
const agent = { project: "mindsdb", name: "support" };
const people = { project: "mindsdb", name: "people" };
const all = { allowed: true, isPrivate: false } as const;

function answer(id: string, question: string, name: string, day: string, knowledgeBase = "handbook"): AddedAnswer {
  return {
    ...{ version: 1, id, project: "mindsdb", knowledgeBase, question, answer: "Yes.", urls: [] },
    ...{ by: { key: name, name }, origin: { kind: "gap", gapId: id }, atMs: Date.parse(`2026-11-${day}T12:00:00Z`) },
  };
}

const busy = { questions: 148, withSource: 131, up: 46, down: 7 };

/** `elsewhere`: of an agent that people can't ask there, although who set up the digest can. */
function room(answers: readonly AddedAnswer[], count = busy, elsewhere: readonly AddedAnswer[] = []) {
  const notices = keptNotices();
  const digests = createDigests(
    appOf({
      reach: {
        agents: async () => [agent, people].map((one) => ({ ...one, tables: [], knowledgeBases: [] })),
        resolve: async () => ({ kind: "none" }),
        mayAgent: async (_actor, _action, _place, { name }) => ({ ...all, isPrivate: name === people.name }),
        mayBase: async (_actor, _action, _place, { name }) =>
          name === "payroll" ? { ...all, isPrivate: true } : name === "board" ? { allowed: false, why: "scope" } : all,
      },
      notices,
      siteOf: () => undefined,
      clock: { now: () => due },
    }),
    {
      counts: { between: async () => count },
      gapList: { page: async () => ({ gaps: [], total: 0, pages: 1 }) },
      answersOf: async ({ name }) => (name === people.name ? elsewhere : answers),
      voting: { down: async () => 0 },
    },
  );
  const post = () =>
    digests.post({
      ...{ key: "k", actor: admin, place: general, timeZone: "UTC", dueAtMs: due },
      when: "every Monday at 9:00",
    });
  return {
    post,
    notices,
    text: () => documentText(notices.kept[0]?.document ?? ({ blocks: [], actions: [] } as never)),
  };
}

it("says how many questions, sources and votes there were, and what was added by whom", async () => {
  const { post, text, notices } = room([
    answer("a", "Moving a non-refundable booking", "Ana", "12"),
    answer("b", "Quiet hours on public holidays", "Theo", "10"),
  ]);
  expect(await post()).toBe("posted");
  expect(notices.kept[0]?.place).toEqual(general);
  expect(text()).toContain("148 questions · 131 with a source (89%)");
  expect(text()).toContain("46 👍 · 7 👎");
  expect(text()).toMatch(
    /Added[\s\S]*Moving a non-refundable booking · Ana, 12 Nov[\s\S]*Quiet hours[^\n]*Theo, 10 Nov/,
  );
  expect(text()).toContain("9 to 15 Nov · every Monday at 9:00");
});

it("names no answer of a base that someone there can't read, and none of another week", async () => {
  const { post, text } = room([
    answer("a", "When is payday?", "Ana", "12", "payroll"),
    answer("b", "Who is the next director?", "Ana", "12", "board"),
    answer("c", "Where is the printer?", "Theo", "03"),
    answer("d", "Where do guests park?", "Theo", "16"),
  ]);
  await post();
  expect(text()).not.toMatch(/payday|director|printer|park|Added/);
});

it("names no answer of an agent that people there can't ask, although a manager set it up", async () => {
  const { post, text } = room([answer("a", "Where do guests park?", "Theo", "12")], busy, [
    answer("b", "Who was given notice?", "Ana", "12"),
  ]);
  await post();
  expect(text()).toContain("Where do guests park?");
  expect(text()).not.toMatch(/notice/);
});

it("is posted for an added answer although nobody asked, and not at all when nothing happened", async () => {
  const nothing = { questions: 0, withSource: 0, up: 0, down: 0 };
  const added = room([answer("a", "Moving a non-refundable booking", "Ana", "12")], nothing);
  expect(await added.post()).toBe("posted");
  expect(added.text()).toContain("0 questions");
  expect(await room([], nothing).post()).toBe("nothing");
  expect(await room([answer("a", "When is payday?", "Ana", "12", "payroll")], nothing).post()).toBe("nothing");
});

it("names ten added answers, and the number of others", async () => {
  const { post, text } = room(Array.from({ length: 12 }, (_, at) => answer(`a${at}`, `Question ${at}`, "Ana", "12")));
  await post();
  expect(text()).toContain("And 2 more.");
});
