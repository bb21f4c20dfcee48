/** Runs calls of the service so that they keep the port's promises: ParleyErrors only, and an end on abort and close. */
import { ParleyError } from "../../core/errors.ts";
import type { Log } from "../../core/ports/log.ts";
import { orAborted } from "../../core/tools/abortable.ts";

export type Work<T> = (signal: AbortSignal) => T | Promise<T>;

export function createCalls(options: { readonly project: string; readonly closing: AbortSignal; readonly log: Log }) {
  const { project, closing, log } = options;

  async function call<T>(work: Work<T>, given?: AbortSignal): Promise<T> {
    const signal = given === undefined ? closing : AbortSignal.any([closing, given]);
    try {
      signal.throwIfAborted();
      return await orAborted((async () => work(signal))(), signal);
    } catch (thrown) {
      if (given?.aborted === true) throw new ParleyError("stopped");
      if (closing.aborted) throw new ParleyError("service_unreachable");
      if (thrown instanceof ParleyError) throw thrown;
      log.error({ err: thrown }, "The built-in service failed");
      throw new ParleyError("service_failed", { cause: thrown });
    }
  }

  return {
    call,
    inProject: <T>(name: string, work: Work<T>, given?: AbortSignal) =>
      call((signal) => {
        if (name !== project) throw new ParleyError("project_not_found");
        return work(signal);
      }, given),
  };
}
