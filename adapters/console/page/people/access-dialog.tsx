/** The dialog of a person's tokens for other programs. It is loaded when it's opened, with its styles. */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { ListedToken } from "../../people/personal-tokens.ts";
import type { MadeToken, TokenList } from "../../people/token-routes.ts";
import { request } from "../connection/connection.ts";
import { plain } from "../drawing/element.ts";
import { Time } from "../drawing/times.tsx";
import { loadStyle } from "../look/load-style.ts";
import { Button, CopyButton } from "../parts/button.tsx";
import { showDialog } from "../parts/show-dialog.ts";

const says = {
  about:
    "A token lets a program such as Claude or Cursor ask Parley as you, with everything that you can do here. Don't share it.",
  once: "Copy it now. Parley doesn't show it again.",
  none: "You have no tokens.",
  failed: "Couldn't reach Parley. Try again.",
} as const;

function Copied({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div class="access-copied">
      <span class="access-label">{label}</span>
      <code>{text}</code>
      <CopyButton label={`Copy ${label}`} look="icon" read={() => text} />
    </div>
  );
}

function TokenRow({ token, revoke }: { readonly token: ListedToken; readonly revoke: () => unknown }) {
  const { name, createdAtMs, usedAtMs } = token;
  return (
    <li>
      <div class="access-text">
        <b dir="auto">{plain(name)}</b>
        <span class="access-when">
          created <Time atMs={createdAtMs} /> ·{" "}
          {usedAtMs === undefined ? (
            "never used"
          ) : (
            <>
              last used <Time atMs={usedAtMs} />
            </>
          )}
        </span>
      </div>
      <Button press={revoke} look="danger" isSmall label={`Revoke ${name}`}>
        Revoke
      </Button>
    </li>
  );
}

function AccessDialog({ first, onClosed }: { readonly first: TokenList; readonly onClosed: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const name = useRef<HTMLInputElement>(null);
  const tokens = useSignal(first.tokens);
  const made = useSignal<MadeToken | undefined>(undefined);
  const problem = useSignal("");
  useLayoutEffect(() => dialog.current?.showModal(), []);

  const reload = async () => {
    const { body } = await request<TokenList>("GET", "api/tokens");
    if (body !== undefined) tokens.value = body.tokens;
  };
  const make = async () => {
    const answer = await request<MadeToken>("POST", "api/tokens", { name: name.current?.value ?? "" });
    const refusal = answer.refusal as { readonly errors?: { readonly name?: string } } | undefined;
    made.value = answer.body;
    problem.value = answer.body === undefined ? (refusal?.errors?.name ?? says.failed) : "";
    if (answer.body !== undefined && name.current !== null) name.current.value = "";
    await reload();
  };
  const revoke = async ({ id }: ListedToken) => {
    const { status } = await request("POST", "api/tokens/revoke", { id });
    // Revoked elsewhere meanwhile, it is gone too.
    problem.value = status === 200 || status === 404 ? "" : says.failed;
    made.value = undefined;
    await reload();
  };
  return (
    <dialog class="access-dialog" aria-labelledby="access-title" onClose={onClosed} ref={dialog}>
      <form method="dialog">
        <h2 id="access-title">Access tokens</h2>
        <p class="access-about">{says.about}</p>
        <Copied label="MCP server" text={first.url} />
        <div class="field">
          <label for="access-name">New token</label>
          <div class="access-new">
            <input
              id="access-name"
              type="text"
              maxlength={60}
              placeholder="What it is for, such as Claude on my laptop"
              aria-describedby="access-problem"
              ref={name}
              onKeyDown={(event) => {
                if (event.key !== "Enter") return;
                event.preventDefault();
                void make();
              }}
            />
            <Button press={make} look="primary">
              Create
            </Button>
          </div>
          <p class="field-error" id="access-problem" role="alert">
            {problem.value}
          </p>
        </div>
        {made.value === undefined ? undefined : (
          <div class="access-made" role="status">
            <p>
              <b dir="auto">{plain(made.value.name)}</b>: {says.once}
            </p>
            <Copied label="Token" text={made.value.token} />
          </div>
        )}
        {tokens.value.length === 0 ? (
          <p class="access-about">{says.none}</p>
        ) : (
          <ul class="access-list">
            {tokens.value.map((token) => (
              <TokenRow key={token.id} token={token} revoke={() => revoke(token)} />
            ))}
          </ul>
        )}
        <div class="form-actions">
          <button type="submit" class="action is-plain">
            Close
          </button>
        </div>
      </form>
    </dialog>
  );
}

export async function openAccess(): Promise<void> {
  const [{ body }] = await Promise.all([request<TokenList>("GET", "api/tokens"), loadStyle("styles/access.css")]);
  if (body === undefined) throw new Error(says.failed);
  // Pressed twice while it was loading.
  if (document.querySelector("dialog[open]") !== null) return;
  showDialog((onClosed) => <AccessDialog first={body} onClosed={onClosed} />);
}
