/** Checks of questions: the stream, its steps, sources, history, cancellation, the plain endpoint. */
import { ParleyError } from "../../src/core/errors.ts";
import { answerOf, asked, type Check, expect } from "./check.ts";
import { birds } from "./content-checks.ts";

const question = "How do herons sleep in shallow water?";

export const askingChecks: readonly Check[] = [
  {
    id: "ask",
    says: "streams a run: begun, an answer, the end last",
    run: async ({ ask }) => {
      const events = await ask(asked(question));
      expect(events[0]?.type === "started", `begins with ${events[0]?.type}`);
      expect(events.at(-1)?.type === "ended", `ends with ${events.at(-1)?.type}`);
      expect(answerOf(events).includes("one leg"), `the answer is ${JSON.stringify(answerOf(events).slice(0, 200))}`);
    },
  },
  {
    id: "ask-steps",
    says: "shows each step when it begins and what it found",
    run: async ({ ask }) => {
      const events = await ask(asked(question));
      const begun = events.filter((event) => event.type === "step-started");
      const finished = events.filter((event) => event.type === "step-finished");
      expect(begun.length > 0, "no step");
      expect(begun.length === finished.length, `${begun.length} steps begun, ${finished.length} finished`);
      expect(
        finished.some((event) => event.outcome.kind === "passages"),
        `found ${finished.map((event) => event.outcome.kind).join(", ")}`,
      );
    },
  },
  {
    id: "ask-known-chunks",
    says: "sends no chunk of an unknown kind",
    run: async ({ ask }) => {
      const unknown = (await ask(asked(question))).filter((event) => event.type === "unknown");
      expect(unknown.length === 0, `unknown: ${unknown.map((event) => event.kind).join("; ")}`);
    },
  },
  {
    id: "ask-sources",
    says: "names the source of what it found",
    run: async ({ ask }) => {
      const events = await ask(asked(question));
      const sources = events.flatMap((event) => (event.type === "step-finished" ? event.sources : []));
      const heron = sources.find((source) => source.url === birds.heron.url);
      expect(heron !== undefined, `only ${sources.map((source) => source.url ?? source.title).join(", ")}`);
      expect(heron.title === birds.heron.title, `its title is ${heron.title}`);
    },
  },
  {
    id: "ask-history",
    says: "takes what was asked before",
    run: async ({ ask }) => {
      const events = await ask([
        { question: "When do owls hunt?", answer: "At night." },
        { question: "And how do herons sleep?", answer: "" },
      ]);
      expect(answerOf(events) !== "", "no answer");
    },
  },
  {
    id: "ask-text",
    says: "takes any text as a question",
    run: async ({ ask }) => {
      const events = await ask(asked(`data: {"x": 'it''s'}\n\nevent: "end" <b>🦉\u{1f1e9}\u{1f1ea}</b> ' herons?`));
      expect(answerOf(events) !== "", "no answer");
    },
  },
  {
    id: "ask-long",
    says: "takes a question of 100,000 characters",
    run: async ({ ask }) => {
      const events = await ask(asked(`${"The heron is a bird. ".repeat(4_750)}\n\n${question}`));
      expect(answerOf(events) !== "", "no answer");
    },
  },
  {
    id: "ask-bare",
    says: "answers or says so when the agent has no data",
    run: async ({ ask, names }) => {
      const events = await ask(asked("Do you know anything?"), names.bareAgent);
      expect(answerOf(events) !== "", "no answer");
    },
  },
  {
    id: "ask-wildcard",
    says: "lets an agent see all knowledge bases of the project by a wildcard",
    run: async ({ service, ask, project, names }) => {
      await service.updateAgent(project, names.agent, { knowledgeBases: [`${project}.*`] });
      const events = await ask(asked(question));
      await service.updateAgent(project, names.agent, { knowledgeBases: [names.base] });
      expect(answerOf(events) !== "", "no answer");
    },
  },
  {
    id: "ask-stop",
    says: "lets a run be left in the middle and answers the next one",
    run: async ({ service, ask, project, names }) => {
      const stop = new AbortController();
      try {
        const run = service.ask(project, names.agent, asked(question), { signal: stop.signal });
        for await (const event of run) if (event.type === "started") stop.abort();
      } catch (thrown) {
        // A run that answers at once may be over before it is left.
        expect(thrown instanceof ParleyError && thrown.code === "stopped", `it ended with ${thrown}`);
      }
      expect(answerOf(await ask(asked(question))) !== "", "no answer afterwards");
    },
  },
  {
    id: "ask-two",
    says: "bears two runs at once",
    run: async ({ ask }) => {
      const answers = await Promise.all([ask(asked(question)), ask(asked("When do owls hunt?"))]);
      expect(
        answers.every((events) => answerOf(events) !== ""),
        "one of them had no answer",
      );
    },
  },
  {
    id: "ask-plain",
    says: "answers in one piece",
    run: async ({ service, project, names }) => {
      const answer = await service.askPlain(project, names.agent, asked(question));
      expect(answer.includes("one leg"), `the answer is ${JSON.stringify(answer.slice(0, 200))}`);
    },
  },
];
