/** Remedies for admins when something that Parley needs is down: for the probes, the log and the doctor. */
import { type ErrorCode, toParleyError } from "../core/errors.ts";
import { errorText } from "../presentation/sentences.ts";

const remedies: Partial<Record<ErrorCode, string>> = {
  service_unreachable: "Check that it is running, and AGENT_SERVICE_URL.",
  service_busy: "It didn't answer in time: check its load.",
  service_failed: "Check the service's log.",
  state_unavailable: "Check REDIS_URL, or the disk of DATA_DIR.",
  not_authorised: "Check AGENT_SERVICE_TOKEN, or AGENT_SERVICE_USER and AGENT_SERVICE_PASSWORD.",
};

/** One line: what happened and what to do. Safe to show. */
export function describeForOperator(thrown: unknown): string {
  const error = toParleyError(thrown);
  const { what, hint } = errorText(error);
  // A hint created where the error occurred is more precise than this table.
  return `${what} ${error.hint ?? remedies[error.code] ?? hint}`;
}
