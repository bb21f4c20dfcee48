/** Checks of a service whose agents are models, in either shape of OpenAI. They hold for any model behind it. */

import { ParleyError } from "../../src/core/errors.ts";
import type { AgentEvent, ServiceThread } from "../../src/core/model/agent-event.ts";
import type { AgentService } from "../../src/core/ports/agent-service.ts";
import { answerOf, asked, type Check, type CheckContext, expect, expectCode } from "./check.ts";

const question = "When does the backup run? Answer in one sentence.";
const codeWord = "heron7";
const tells = { question: `The code word is ${codeWord}. Please keep it in mind.`, answer: "I will." };
const asks = "Look at the history of this conversation: which code word did I tell you? Answer with it alone.";

export const modelChecks: readonly Check[] = [
  {
    id: "status",
    says: "tells what it is within 5 s",
    run: async ({ service }) => {
      const { dialect, foundBy, maxRuns } = await service.status();
      expect(foundBy !== undefined, `nothing told that it speaks ${dialect}`);
      expect(maxRuns >= 1, `it takes ${maxRuns} runs`);
    },
  },
  {
    id: "agents",
    says: "lists its agents, the asked one among them",
    run: async ({ service, project, names }) => {
      const listed = (await service.listAgents(project)).map(({ name }) => name);
      expect(listed.includes(names.agent), `${names.agent} is not among ${listed.join(", ")}`);
    },
  },
  {
    id: "agent-unknown",
    says: "says that an unknown agent is not found",
    run: ({ ask, names }) => expectCode(() => ask(asked(question), names.unknown), "agent_not_found"),
  },
  {
    id: "key-wrong",
    says: "refuses a wrong key",
    applies: ({ withKey }) => withKey !== undefined,
    run: async ({ withKey, project, names }) => {
      const service = withKey?.("not-the-key");
      if (service === undefined) return;
      const ask = () => runOf(service, project, names.agent, asked(question));
      await expectCode(ask, "not_authorised").finally(service.close);
    },
  },
  {
    id: "ask",
    says: "streams a run: begun, an answer, the end last",
    run: async ({ ask }) => {
      const events = await ask(asked(question));
      expect(events[0]?.type === "started", `begins with ${events[0]?.type}`);
      expect(events.at(-1)?.type === "ended", `ends with ${events.at(-1)?.type}`);
      expect(answerOf(events) !== "", "no answer");
    },
  },
  {
    id: "ask-grows",
    says: "sends the answer in pieces that make the whole",
    run: async ({ ask }) => {
      const events = await ask(asked(question));
      const pieces = events.flatMap((event) => (event.type === "answer-delta" ? [event.text] : []));
      expect(pieces.length > 1, `it came in ${pieces.length} pieces`);
      expect(pieces.join("").trim() === answerOf(events).trim(), `the pieces make ${quoted(pieces.join(""))}`);
    },
  },
  {
    id: "ask-known-events",
    says: "sends no event of an unknown kind",
    run: async ({ ask }) => {
      const unknown = (await ask(asked(question))).filter((event) => event.type === "unknown");
      expect(unknown.length === 0, `unknown: ${unknown.map(({ kind }) => kind).join("; ")}`);
    },
  },
  {
    id: "ask-history",
    says: "knows what was said before, also to others",
    run: async ({ ask }) => {
      const answer = answerOf(await ask([tells, { question: asks, answer: "" }]));
      expect(answer.includes(codeWord), `the answer is ${quoted(answer)}`);
    },
  },
  {
    id: "ask-follow-up",
    says: "knows in a follow-up what it was told in the run before",
    run: async ({ service, project, names }) => {
      const told = { question: tells.question, answer: "", turnId: "first" };
      const first = await runOf(service, project, names.agent, [told]);
      const history = [
        { ...told, answer: answerOf(first) },
        { question: asks, answer: "", turnId: "second" },
      ];
      const second = await runOf(service, project, names.agent, history, threadOf(first));
      expect(answerOf(second).includes(codeWord), `the answer is ${quoted(answerOf(second))}`);
    },
  },
  {
    id: "ask-apart",
    says: "knows nothing of other conversations",
    run: async ({ ask }) => {
      const answer = answerOf(await ask(asked(asks)));
      expect(!answer.includes(codeWord), `the answer is ${quoted(answer)}`);
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
    says: "takes a question of 100,000 characters, or says that it is too long",
    run: async ({ ask }) => {
      const long = asked(`${"The heron is a bird. ".repeat(4_750)}\n\n${question}`);
      const answer = await ask(long).then(answerOf, (thrown: unknown) => {
        if (thrown instanceof ParleyError && thrown.code === "question_too_long") return thrown.code;
        throw thrown;
      });
      expect(answer !== "", "no answer");
    },
  },
  {
    id: "ask-stop",
    says: "lets a run be left in the middle, ends it where it can, and answers the next one",
    run: async (context) => {
      const { service, profile, ask } = context;
      const left = await leave(context);
      const run = runIdOf(left);
      if (profile.cancels && run !== undefined) {
        const outcome = (await service.cancel?.(run)) ?? "unknown";
        expect(outcome !== "unknown", "it doesn't know the run that it should cancel");
      }
      expect(answerOf(await ask(asked(question))) !== "", "no answer afterwards");
    },
  },
  {
    id: "cancel-over",
    says: "says that a run is over when it is cancelled too late",
    applies: ({ profile }) => profile.cancels,
    run: async ({ service, ask }) => {
      const run = runIdOf(await ask(asked(question)));
      if (run === undefined) return;
      const outcome = await service.cancel?.(run);
      expect(outcome !== "cancelled", "it cancelled a run that was over");
    },
  },
  {
    id: "resume",
    says: "reads a run on after the connection was lost",
    applies: ({ profile }) => profile.resumes,
    run: async (context) => {
      const { service, project, names } = context;
      const resume = runIdOf(await leave(context));
      expect(resume !== undefined, "it gave no id to read on by");
      const events: AgentEvent[] = [];
      for await (const event of service.ask(project, names.agent, asked(question), { resume })) events.push(event);
      expect(answerOf(events) !== "", "no answer");
    },
  },
  {
    id: "forget",
    says: "forgets a conversation, also one that is gone",
    applies: ({ profile }) => profile.generation === "cowork",
    run: async ({ service, ask }) => {
      const thread = threadOf(await ask(asked(question)));
      expect(thread !== undefined, "it named no conversation");
      await service.forgetThread?.(thread);
      await service.forgetThread?.(thread);
    },
  },
  {
    id: "ask-two",
    says: "bears two runs at once",
    run: async ({ ask }) => {
      const answers = await Promise.all([ask(asked(question)), ask(asked("How many copies are kept?"))]);
      expect(
        answers.every((events) => answerOf(events) !== ""),
        "one of them had no answer",
      );
    },
  },
  {
    id: "ask-plain",
    says: "answers in one piece",
    applies: ({ profile }) => profile.plainWorks,
    run: async ({ service, project, names }) => {
      expect((await service.askPlain(project, names.agent, asked(question))).trim() !== "", "no answer");
    },
  },
];

async function runOf(
  service: AgentService,
  project: string,
  agent: string,
  messages: Parameters<AgentService["ask"]>[2],
  thread?: ServiceThread,
): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  const options = thread === undefined ? {} : { thread };
  for await (const event of service.ask(project, agent, messages, options)) events.push(event);
  const failed = events.find((event) => event.type === "failed");
  if (failed !== undefined) throw failed.error;
  return events;
}

/** What came of a run until it was left, with the first words of its answer. */
async function leave({ service, project, names }: CheckContext): Promise<readonly AgentEvent[]> {
  const stop = new AbortController();
  const events: AgentEvent[] = [];
  try {
    for await (const event of service.ask(project, names.agent, asked(question), { signal: stop.signal })) {
      events.push(event);
      if (event.type === "answer-delta" || event.type === "answer") stop.abort();
    }
  } catch (thrown) {
    // A run that answers at once may be over before it is left.
    expect(thrown instanceof ParleyError && thrown.code === "stopped", `it ended with ${thrown}`);
  }
  return events;
}

function runIdOf(events: readonly AgentEvent[]) {
  return events.findLast((event) => event.type === "run")?.run;
}

function threadOf(events: readonly AgentEvent[]) {
  return events.findLast((event) => event.type === "thread")?.thread;
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}
