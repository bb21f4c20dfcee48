/**
 * Starts the built-in agent service if AGENT_SERVICE_URL isn't set. Other programs on the machine can reach its port, so
 * it requires a token that only this process knows.
 */
import { randomBytes } from "node:crypto";
import type { LocalService, LocalServiceOptions } from "./local-service/local-service.ts";
import type { Clock } from "./ports/clock.ts";
import { ParleyError } from "./ports/errors.ts";
import type { Log } from "./ports/log.ts";

/** Throws state_unavailable if its database can't be used. */
export async function startBuiltInService(options: {
  readonly dataDir: string;
  readonly project: string;
  /** Holds README.md and docs/, which become a knowledge base. */
  readonly projectFolder: string;
  /** URL under which people read these documents, with a slash at the end. */
  readonly docsBaseUrl: string;
  readonly readPages: NonNullable<LocalServiceOptions["readPages"]>;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<LocalService & { readonly token: string; readonly docsBase: string }> {
  const { projectFolder, docsBaseUrl, ...given } = options;
  // Imported only here, because most teams use a service of their own.
  const { startLocalService } = await import("./local-service/local-service.ts");
  const { DatabaseRefused } = await import("./local-service/storage/database.ts");
  const { docsBaseName, readProjectDocuments } = await import("./local-service/answering/documents.ts");
  const docs = await readProjectDocuments({ root: projectFolder, baseUrl: docsBaseUrl });
  const token = randomBytes(32).toString("base64url");
  try {
    return { ...(await startLocalService({ ...given, docs, token })), token, docsBase: docsBaseName };
  } catch (thrown) {
    if (!(thrown instanceof DatabaseRefused)) throw thrown;
    throw new ParleyError("state_unavailable", { what: thrown.message, hint: thrown.hint, cause: thrown });
  }
}
