/**
 * Limits a crawl to domains, in the form that the service accepts. The API document has an object; both generations of
 * MindsDB refuse it (400, nothing inserted) and take regular expressions. Only trying shows what another service takes.
 */
import type { ErrorCode, InsertReason } from "../../core/errors.ts";
import { ParleyError } from "../../core/errors.ts";

/** The value of `filters` in the request. */
export type CrawlFilter = { readonly allowed_domains: readonly string[] } | readonly string[];

type Form = "documented" | "expressions";

/** Status 400 and the like: the service has refused the request as a whole. After other failures it may have inserted. */
const refusals: readonly ErrorCode[] = ["insert_failed", "service_request_refused"];
/** Refusals that an object instead of a list can cause. Any other reason is about the page. */
const formReasons: readonly (InsertReason | undefined)[] = [undefined, "no-page-matched", "filter-invalid"];

/**
 * Remembers the form in memory, per version of the service: after a restart one refused request, which inserts nothing,
 * finds it out again. A stored form would outlive an upgrade of the service.
 */
export function createCrawlFilters(versionNow: () => Promise<string>) {
  let known: { readonly version: string; readonly form: Form } | undefined;

  return {
    /** `send` inserts with that filter. It is called a second time only if the first request was refused as a whole. */
    insert: async (domains: readonly string[], send: (filters: CrawlFilter) => Promise<void>): Promise<void> => {
      const version = await versionNow();
      const form = known?.version === version ? known.form : undefined;
      const asExpressions = () => send(domains.map(expressionOf));
      if (form === "expressions") return asExpressions();
      try {
        await send({ allowed_domains: domains });
        known = { version, form: "documented" };
        return;
      } catch (thrown) {
        if (form === "documented" || !isRefused(thrown) || !mayBeTheForm(thrown)) throw thrown;
      }
      try {
        await asExpressions();
        known = { version, form: "expressions" };
      } catch (thrown) {
        // It got as far as the page, so it takes this form.
        if (isRefused(thrown) && !mayBeTheForm(thrown)) known = { version, form: "expressions" };
        throw thrown;
      }
    },
  };
}

/** Matched from the start of each URL, including the first. */
function expressionOf(host: string): string {
  return `^https?://([^/@]+\\.)?${host.replace(/[.[\]]/g, "\\$&")}(:\\d+)?(/|$)`;
}

function isRefused(thrown: unknown): thrown is ParleyError {
  return thrown instanceof ParleyError && refusals.includes(thrown.code);
}

function mayBeTheForm({ reason }: ParleyError): boolean {
  return formReasons.includes(reason);
}
