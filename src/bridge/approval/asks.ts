/** Collects what a run asks approval for, and how the service finds that run again. */

import type { AgentEvent, RunHandle, ServiceThread } from "../../core/model/agent-event.ts";
import type { ApprovalRequest } from "../../core/model/approval.ts";

/** Beyond this nothing is collected: the answer ends as soon as there is more than people are asked. */
const maxCollected = 50;

export type Asks = {
  readonly requests: readonly ApprovalRequest[];
  readonly run?: RunHandle;
  readonly thread?: ServiceThread;
};

export function createAsks() {
  /** By id: a service may repeat a request at its end. */
  const requests = new Map<string, ApprovalRequest>();
  let run: RunHandle | undefined;
  let thread: ServiceThread | undefined;
  return {
    note: (event: AgentEvent): void => {
      if (event.type === "run") run = event.run;
      if (event.type === "thread") thread = event.thread;
      if (event.type === "approval-requested" && requests.size < maxCollected) {
        requests.set(event.request.id, event.request);
      }
    },
    isAny: () => requests.size > 0,
    found: (): Asks => ({ requests: [...requests.values()], run, thread }),
  };
}
