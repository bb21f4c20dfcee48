/**
 * One town with its running Parleys for several tests of a file: starting them again took most of a test's time. Each
 * test begins with its own script and with all processes alive; after a failure the next test gets a new town.
 */
import { afterAll, afterEach } from "vitest";
import type { ParleyProcess } from "../../doubles/processes/parley-process.ts";
import type { Script, ScriptedService } from "../../doubles/service/scripted-service.ts";

type SharedTown = {
  readonly service: ScriptedService;
  readonly processes: readonly ParleyProcess[];
  readonly parley: () => Promise<ParleyProcess>;
  readonly close: () => Promise<void>;
};

/** `check`: what must hold after each test. */
export function shareTown<T extends SharedTown>(options: {
  readonly open: (script: Script) => Promise<T>;
  readonly instances: number;
  readonly check: (town: T) => void;
}) {
  let town: T | undefined;
  /** A test of the file may need another town. */
  let isInUse = false;

  async function close(): Promise<void> {
    const closed = town;
    town = undefined;
    await closed?.close();
  }

  afterEach(async ({ task }) => {
    if (!isInUse || town === undefined) return;
    isInUse = false;
    const isWrong = task.result?.state === "fail";
    try {
      options.check(town);
      if (isWrong) await close();
    } catch (wrong) {
      await close();
      throw wrong;
    }
  });
  afterAll(close);

  return async (script: Script): Promise<T> => {
    isInUse = true;
    if (town === undefined) {
      const opened = await options.open(script);
      town = opened;
      await Promise.all(Array.from({ length: options.instances }, () => opened.parley()));
      return opened;
    }
    await town.service.idle();
    town.service.begin(script);
    for (const parley of town.processes) if (!parley.isRunning()) await parley.start();
    return town;
  };
}
