/**
 * What whoever runs Parley can do when something that it needs is away. The sentences of an error are for those who ask;
 * these are for the probes, the log and the doctor.
 */
import { type ErrorCode, errorTexts, toParleyError } from "../ports/errors.ts";

const remedies: Partial<Record<ErrorCode, string>> = {
  service_unreachable: "Check that it runs, and AGENT_SERVICE_URL.",
  service_busy: "Check that it runs well: it did not answer in time.",
  service_failed: "Look into the log of the service.",
  state_unavailable: "Check REDIS_URL, or the disk that DATA_DIR is on.",
  not_authorised: "Check AGENT_SERVICE_TOKEN, or AGENT_SERVICE_USER and AGENT_SERVICE_PASSWORD.",
};

/** One line: what happened, and what to do about it. Safe to show. */
export function describeForOperator(thrown: unknown): string {
  const { code, what, hint } = toParleyError(thrown);
  // A hint of its own, made where the error was, knows more than this table.
  return `${what} ${hint === errorTexts[code].hint ? (remedies[code] ?? hint) : hint}`;
}
