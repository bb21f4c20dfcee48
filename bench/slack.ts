/**
 * What people in Slack wait for, against a strict local Slack without latency. Every scene is played in a fresh process,
 * so that one's memory and timers are not counted as another's.
 *
 *   node bench/run.ts slack
 */
import { fork } from "node:child_process";
import type { Measure } from "./measure.ts";
import { sceneNames } from "./slack-scenes.ts";

export async function bench(): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const name of sceneNames) measures.push(...(await play(name)));
  return measures;
}

function play(name: string): Promise<readonly Measure[]> {
  const child = fork(new URL("slack-scenes.ts", import.meta.url), [name]);
  return new Promise((resolve, reject) => {
    child.once("message", (measures) => resolve(measures as Measure[]));
    child.once("exit", (code) => reject(new Error(`the scene ${name} ended with ${code} before it said anything`)));
  });
}
