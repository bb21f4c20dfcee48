/** Headers of every response to a browser: scripts, pictures and frames of others are forbidden. */
import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";

const [none, self] = [["'none'"], ["'self'"]];

const allowing = (allowed: Readonly<Record<string, string[]>>) =>
  secureHeaders({
    contentSecurityPolicy: { defaultSrc: none, ...allowed, baseUri: none, frameAncestors: none },
    xFrameOptions: "DENY",
    // Not "no-referrer": browsers would then also hide the Origin of the page's own login form.
    referrerPolicy: "same-origin",
    // Up to the proxy that has the certificate. By default it would bind all hosts of the domain to HTTPS.
    strictTransportSecurity: false,
  });

const ofPages = allowing({
  scriptSrc: self,
  styleSrc: self,
  imgSrc: self,
  fontSrc: self,
  connectSrc: self,
  formAction: self,
});
/** An SVG that is opened in a tab is a document: it runs nothing, loads nothing but its own fonts and reaches nothing. */
const ofDrawings = allowing({ styleSrc: ["'unsafe-inline'"], sandbox: [], fontSrc: ["data:"] });

export const securityHeaders = createMiddleware(async (context, next) => {
  await next();
  const isDrawing = context.res.headers.get("content-type")?.startsWith("image/svg+xml") === true;
  await (isDrawing ? ofDrawings : ofPages)(context, async () => {});
});
