/** What the service does in a chaos run. Each question has a tag, so that its answer can be told from all others. */
import { answers25 } from "../doubles/service/scripted-answers.ts";
import { chunk, cut, html, type Move, pause, refuse } from "../doubles/service/scripted-moves.ts";
import type { Play, Run } from "../doubles/service/scripted-service.ts";
import type { Chance } from "./chance.ts";
import { hostileAnswer, hostileSteps } from "./hostile.ts";

/** "Q17." in a question's own words, wherever the thread's words stand before them. */
export function tagOf(question: string): string {
  return question.match(/Q\d+\./g)?.at(-1) ?? "";
}

/** Some questions end the process that works on them, whenever they are asked. */
export function isPoison(tag: string): boolean {
  return Number(tag.slice(1, -1)) % 40 === 13;
}

export function playStory(run: Run, chance: Chance): Play {
  const tag = tagOf(run.question);
  if (isPoison(tag)) return [...begun(tag), pause(4_000), ...answers25({ question: tag, answer: `Answer to ${tag}` })];
  const answer = `Answer to ${tag}`;
  const slowly = { question: tag, between: [pause(chance.between(5, 250))] };
  const dice = chance.next();
  if (dice > 0.93) return answers25({ ...slowly, answer: hostileAnswer(tag, chance) });
  if (dice > 0.92) return hostileSteps(tag, chance);
  if (dice < 0.6) return answers25({ ...slowly, answer });
  if (dice < 0.7) return answers25({ question: tag, answer: `${answer} ${long}` });
  if (dice < 0.78) return answers25({ ...slowly, answer, between: [pause(chance.between(500, 1_500))] });
  if (dice < 0.83) return [...begun(tag), pause(chance.between(0, 400)), cut()];
  if (dice < 0.87) return answers25({ question: tag });
  if (dice < 0.9) return refuse(500, "AgentError", "The model fell over.");
  return html(502);
}

const long = Array.from({ length: 2_500 }, (_, index) => `word${index}.`).join(" ");

function begun(tag: string): readonly Move[] {
  return [
    chunk({ type: "start", prompt: tag, trace_id: "" }),
    chunk({ actions: [{ tool: "kb_list_tool", tool_input: "", log: "Thought: look" }], messages: [], trace_id: "" }),
  ];
}
