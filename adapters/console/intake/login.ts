/**
 * The login form, which asks for CONSOLE_TOKEN. It loads nothing else: without a login every other path is 401, style
 * sheets included, so the policy allows this one inline style by its hash. The form has no action: it posts to the URL
 * that was requested, and the login leads back there.
 */
import { createHash } from "node:crypto";

const style = `
:root { color-scheme: light dark; --ground: #f6f5f2; --card: #fff; --ink: #1d1f24; --soft: #5d626b; --line: #d9d7d0; --accent: #2f5bd0; --on: #fff; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --ground: #14161a; --card: #1d2026; --ink: #e9e9e6; --soft: #a2a7b1; --line: #373c46; --accent: #8fb0ff; --on: #10203f; --bad: #ff9b93 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif }
main { width: 100%; max-width: 24rem; background: var(--card); border: 1px solid var(--line); border-radius: 16px; padding: 2rem }
h1 { margin: 0 0 .25rem; font-size: 1.375rem; letter-spacing: -.01em }
p { margin: 0 0 1.25rem; color: var(--soft) }
label { display: block; font-weight: 600; margin-bottom: .375rem }
input { width: 100%; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--soft); border-radius: 10px; padding: .625rem .75rem }
button { width: 100%; margin-top: 1rem; font: inherit; font-weight: 600; border: 0; border-radius: 10px; padding: .6875rem; background: var(--accent); color: var(--on); cursor: pointer }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.bad { color: var(--bad); margin: .5rem 0 0 }
`;

/** For the Content-Security-Policy header. */
export const loginStyleHash = `sha256-${createHash("sha256").update(style).digest("base64")}`;

/** `problem` is one of our own sentences, never typed text. */
export function loginPage(problem?: string): string {
  const described = problem === undefined ? "" : ' aria-describedby="problem" aria-invalid="true"';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley: sign in</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Parley</h1>
<p>Enter the access token.</p>
<form method="post">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus${described}>
${problem === undefined ? "" : `<p class="bad" id="problem" role="alert">${problem}</p>`}
<button type="submit">Sign in</button>
</form>
</main>
</body>
</html>
`;
}
