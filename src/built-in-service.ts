/**
 * Starts the built-in agent service if AGENT_SERVICE_URL isn't set, or for its knowledge bases if that service has none.
 * Other programs on the machine can reach its port, so it requires a token that only this process knows.
 */
import { randomBytes } from "node:crypto";
import type { Knowledge } from "./agent-service/agent-service.ts";
import type { LocalService, LocalServiceOptions } from "./local-service/local-service.ts";
import type { AgentService } from "./ports/agent-service.ts";
import type { Clock } from "./ports/clock.ts";
import { ParleyError, toParleyError } from "./ports/errors.ts";
import type { Log } from "./ports/log.ts";

/** Throws state_unavailable if its database can't be used. */
export async function startBuiltInService(options: {
  readonly dataDir: string;
  readonly project: string;
  /** Parley's own documents become a knowledge base. */
  readonly documents?: {
    /** Holds README.md and docs/. */
    readonly projectFolder: string;
    /** URL under which people read them, with a slash at the end. */
    readonly baseUrl: string;
  };
  readonly readPages: NonNullable<LocalServiceOptions["readPages"]>;
  readonly model?: NonNullable<LocalServiceOptions["model"]>;
  readonly embedder?: NonNullable<LocalServiceOptions["embedder"]>;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<LocalService & { readonly token: string; readonly docsBase: string }> {
  const { documents, ...given } = options;
  // Imported only here, because most teams use a service of their own.
  const { startLocalService } = await import("./local-service/local-service.ts");
  const { DatabaseRefused } = await import("./local-service/storage/database.ts");
  const { docsBaseName, readProjectDocuments } = await import("./local-service/answering/documents.ts");
  const docs =
    documents === undefined
      ? []
      : await readProjectDocuments({ root: documents.projectFolder, baseUrl: documents.baseUrl });
  const token = randomBytes(32).toString("base64url");
  try {
    return { ...(await startLocalService({ ...given, docs, token })), token, docsBase: docsBaseName };
  } catch (thrown) {
    if (!(thrown instanceof DatabaseRefused)) throw thrown;
    throw new ParleyError("state_unavailable", { what: thrown.message, hint: thrown.hint, cause: thrown });
  }
}

/**
 * The knowledge bases of the built-in service, for an agent service without any. It starts with the first call, so that
 * it takes no memory beside a service that has its own; a start that failed is tried again by the next call.
 */
export function createBuiltInKnowledge(
  start: () => Promise<Pick<LocalService, "close"> & { readonly service: AgentService }>,
) {
  let started: Promise<Knowledge & Pick<LocalService, "close">> | undefined;
  let isClosed = false;

  async function begin() {
    const { searchText } = await import("./local-service/answering/question.ts");
    return { ...(await start()), searchText };
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
      // First the server: this ends its work, so that the client has nothing to wait for.
      await running?.close();
      await running?.service.close();
    },
  };
}
