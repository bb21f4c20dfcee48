/** Headers of every response to a browser: scripts, pictures and frames of others are forbidden. */
import type { Context } from "hono";

const ofPages =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** An SVG that is opened in a tab is a document: it runs nothing, loads nothing but its own fonts and reaches nothing. */
const ofDrawings =
  "default-src 'none'; style-src 'unsafe-inline'; sandbox; font-src data:; base-uri 'none'; frame-ancestors 'none'";

export function securityHeaders(context: Context, mediaType?: string | null): void {
  const isDrawing = mediaType?.startsWith("image/svg+xml") === true;
  context.header("content-security-policy", isDrawing ? ofDrawings : ofPages);
  context.header("x-content-type-options", "nosniff");
  context.header("x-frame-options", "DENY");
  // Not "no-referrer": browsers would then also hide the Origin of the page's own login form.
  context.header("referrer-policy", "same-origin");
  context.header("cross-origin-opener-policy", "same-origin");
  context.header("cross-origin-resource-policy", "same-origin");
}
