/** The pages of people who aren't signed in. */
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

/** What they load. People without a session get nothing else. */
export const signInParts: readonly string[] = [
  "/page/look/theme.js",
  "/page/mark.svg",
  "/page/styles/tokens.css",
  "/page/styles/sign-in.css",
  "/page/fonts/inter.woff2",
  "/page/fonts/inter-latin.woff2",
];

/** HTML of a page, or of a part of it. */
export type Page = HtmlEscapedString | Promise<HtmlEscapedString> | "";

/** What it loads is found from any path: below PUBLIC_URL's path, `prefix` is that path. */
function page(prefix: string, title: string, content: Page): Page {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley: ${title}</title>
<link rel="icon" href="${prefix}/page/mark.svg" type="image/svg+xml">
<script src="${prefix}/page/look/theme.js"></script>
<link rel="stylesheet" href="${prefix}/page/styles/tokens.css">
<link rel="stylesheet" href="${prefix}/page/styles/sign-in.css">
<script src="${prefix}/sign-in.js" defer></script>
</head>
<body>
<main>
<h1><img src="${prefix}/page/mark.svg" alt="" width="28" height="28">Parley</h1>
${content}
</main>
</body>
</html>
`;
}

export type Choices = {
  readonly prefix: string;
  /** The provider's name; absent without one. */
  readonly provider?: string;
  readonly hasToken: boolean;
  /** Typed in this browser before. */
  readonly name: string;
  /** Where to go once signed in. */
  readonly to: string;
  /** What went wrong, or what has just happened; one of our own sentences. */
  readonly says?: string;
  readonly isProblem?: boolean;
};

/** The form has no action: it posts to the URL that was requested, and the sign-in leads back there. */
export function signInPage({ prefix, provider, hasToken, name, to, says, isProblem = true }: Choices): Page {
  const isTokenProblem = hasToken && provider === undefined && says !== undefined && isProblem;
  const described = isTokenProblem ? raw(' aria-describedby="says" aria-invalid="true"') : "";
  const role = isProblem ? raw('class="bad" role="alert"') : raw('role="status"');
  const sentence = says === undefined ? "" : html`<p id="says" ${role}>${says}</p>`;
  const start = `${prefix}/sign-in/start?${new URLSearchParams({ to })}`;
  const withProvider =
    provider === undefined ? "" : html`<a class="button" id="provider" href="${start}">Sign in with ${provider}</a>`;
  const or = provider !== undefined && hasToken ? html`<div class="or">or</div>` : "";
  const submit =
    provider === undefined
      ? html`<button type="submit">Sign in</button>`
      : html`<button class="plain" type="submit">Sign in with a token</button>`;
  const focus = provider === undefined ? raw(" autofocus") : "";
  const withToken = hasToken
    ? html`<form method="post">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required${focus}${described || raw(' aria-describedby="token-hint"')}>
<p class="hint" id="token-hint">Your Parley admin can give you one.</p>
<label for="name">Your name</label>
<input id="name" name="name" autocomplete="name" maxlength="60" value="${name}" aria-describedby="name-hint">
<p class="hint" id="name-hint">Shown with what you write.</p>
${submit}
</form>`
    : "";
  const intro = sentence === "" ? html`<p>Sign in to ask questions.</p>` : sentence;
  return page(
    prefix,
    "sign in",
    html`${intro}
${withProvider}${or}${withToken}`,
  );
}

/** Someone who is signed in, but may not ask. `whom`: addresses, or names of groups. */
export function notAllowedPage(prefix: string, name: string, whom: readonly string[], canSignOut: boolean): Page {
  const people = whom.map((one) => (one.includes("@") ? html`<a href="mailto:${one}">${one}</a>` : html`${one}`));
  const list = people.map(
    (one, index) => html`${index === 0 ? "" : index === people.length - 1 ? " or " : ", "}${one}`,
  );
  const ask = people.length === 0 ? "Ask your Parley admin to let you in." : html`Ask ${list} to let you in.`;
  const out = canSignOut
    ? html`<form method="post" action="${prefix}/sign-out"><button class="plain" type="submit">Sign out</button></form>`
    : "";
  return page(
    prefix,
    "no access",
    html`<p>You're signed in as ${name}, but you can't use this Parley yet. ${ask}</p>
${out}`,
  );
}

/** One sentence, and perhaps a button. */
export function sentencePage(
  prefix: string,
  says: string,
  button?: { readonly label: string; readonly href: string },
): Page {
  const link = button === undefined ? "" : html`<a class="button" href="${button.href}">${button.label}</a>`;
  return page(
    prefix,
    "sign in",
    html`<p role="status">${says}</p>
${link}`,
  );
}

/** Adds what stands after the # of the address, which browsers don't send, to where the sign-in leads back to. */
export const signInScript = `const link = document.getElementById("provider");
if (link !== null && location.hash !== "") {
  const url = new URL(link.href);
  url.searchParams.set("to", url.searchParams.get("to") + location.hash);
  link.href = url.href;
}
`;
