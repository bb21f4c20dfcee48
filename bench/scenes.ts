/**
 * Plays each scene of a bench in a fresh process, started with the options of `npm start`, so that one scene's memory
 * and timers aren't counted as another's.
 */
import { fork } from "node:child_process";
import { lineOf, type Measure } from "./measure.ts";

export type Scenes = Readonly<Record<string, (name: string) => Promise<readonly Measure[]>>>;

/** `file` plays what it is asked for by `playNamed`. */
export async function playAll(file: URL, scenes: Scenes): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const name of Object.keys(scenes)) {
    // The figures come when all are over, which takes an hour where there are many.
    process.stderr.write(`${name} …\n`);
    measures.push(...(await play(file, name)));
  }
  return measures;
}

function play(file: URL, name: string): Promise<readonly Measure[]> {
  const env = process.env;
  // As it is: as JSON, a figure that is none would arrive as null.
  const options = process.argv.filter((word) => word === "alone");
  const child = fork(file, [name, ...options], { execArgv: [], env, serialization: "advanced" });
  return new Promise((resolve, reject) => {
    child.once("message", (measures) => resolve(measures as Measure[]));
    child.once("exit", (code, signal) =>
      reject(new Error(`the scene ${name} ended with ${code ?? signal} before it said anything`)),
    );
  });
}

/** Plays the scene that the command line names, sends its figures to the parent or prints them, and ends the process. */
export async function playNamed(scenes: Scenes): Promise<never> {
  const name = process.argv[2] ?? "";
  const scene = scenes[name];
  if (scene === undefined) throw new Error(`a scene is one of ${Object.keys(scenes).join(", ")}`);
  const measures = await scene(name);
  if (process.send === undefined) process.stdout.write(measures.map((measure) => `${lineOf(measure)}\n`).join(""));
  else await new Promise((resolve) => process.send?.(measures, resolve));
  process.exit(0);
}
