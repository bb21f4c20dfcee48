/**
 * Starts the built-in agent service if AGENT_SERVICE_URL isn't set, or for its knowledge bases if that service has none.
 */

import { ParleyError, toParleyError } from "../../core/errors.ts";
import type { Knowledge } from "../agent-service.ts";
import type { LocalService, LocalServiceOptions } from "./local-service.ts";

/** Throws state_unavailable if its database can't be used. */
export async function startBuiltInService({
  documents,
  ...options
}: Omit<LocalServiceOptions, "docs"> & {
  /** Parley's own documents become a knowledge base. */
  readonly documents?: {
    /** Holds README.md and docs/. */
    readonly projectFolder: string;
    /** URL under which people read them, with a slash at the end. */
    readonly baseUrl: string;
  };
}): Promise<LocalService & { readonly docsBase: string }> {
  // Imported only here, because most teams use a service of their own.
  const { startLocalService } = await import("./local-service.ts");
  const { readProjectDocuments } = await import("./answering/documents.ts");
  const { docsBaseName } = await import("./storage/records.ts");
  const docs =
    documents === undefined
      ? []
      : await readProjectDocuments({ root: documents.projectFolder, baseUrl: documents.baseUrl });
  return { ...(await startLocalService({ ...options, docs })), docsBase: docsBaseName };
}

/**
 * The knowledge bases of the built-in service, for an agent service without any. It starts with the first call, so that
 * it takes no memory beside a service that has its own; a start that failed is tried again by the next call.
 */
export function createBuiltInKnowledge(start: () => Promise<LocalService>) {
  let started: Promise<Knowledge> | undefined;
  let isClosed = false;

  async function begin(): Promise<Knowledge> {
    const { searchText } = await import("./answering/question.ts");
    const service = await start();
    return { service, searchText, covers: service.coversIn };
  }

  return {
    knowledge: async (): Promise<Knowledge> => {
      if (isClosed) throw new ParleyError("service_unreachable");
      const starting = started ?? begin();
      started = starting;
      return starting.catch((failure: unknown) => {
        if (started === starting) started = undefined;
        throw toParleyError(failure);
      });
    },
    close: async () => {
      isClosed = true;
      const running = await started?.catch(() => undefined);
      await running?.service.close();
    },
  };
}
