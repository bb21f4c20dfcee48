/** The admin part's shell: the sidebar, the address, and the page that the address names. */
import { effect, signal } from "@preact/signals";
import { type ComponentChildren, render } from "preact";
import { useRef } from "preact/hooks";
import type { AdminVisitor } from "../../admin/routes.ts";
import { root } from "../connection/address.ts";
import { sendAs } from "../connection/whose.ts";
import { byId } from "../drawing/element.ts";
import { ThemeSwitch } from "../look/theme-switch.tsx";
import { LinkButton } from "../parts/button.tsx";
import { Catches } from "../parts/catches.tsx";
import { Icon } from "../parts/icon.tsx";
import { KeepsFocus } from "../parts/keeps-focus.tsx";
import { Problem } from "../parts/problem.ts";
import { EmptyState, LoadingState, ProblemState } from "../parts/state.tsx";
import { roleWords } from "../people/roles.ts";
import { type Address, addressNow, go, href, onNavigation, replaceQuery } from "./kit/address.ts";
import { read } from "./kit/request.ts";
import type { Titled, View } from "./kit/view.ts";
import { pages } from "./pages.ts";

/** Before this, a page that is read quickly shows no sign of it. */
const sayLoadingAfterMs = 150;
const countsEveryMs = 60_000;

const me = signal<AdminVisitor>();
/** Name of the page that is open. */
const here = signal("");
const isMenuOpen = signal(false);
const title = signal<Titled & { readonly title: string }>({ title: "Parley" });
const tools = signal<ComponentChildren>();
/** `key`: what is drawn under the same one is changed in place. */
const body = signal<{ readonly key: string; readonly drawn: ComponentChildren }>({ key: "", drawn: undefined });

/**
 * `ending` itself, not a function of `open` that aborts it: the reason of an abort keeps the functions on the stack, and
 * with them what `open` knows of the page before. Each page would keep the one before.
 */
type Opened = { readonly ending: AbortController; view?: View };

let current: Opened | undefined;

function announce(text: string): void {
  byId("announcer", HTMLElement).textContent = text;
}

// The frame.

function Sidebar() {
  const visitor = me.value;
  const shown = pages.flatMap((page) => {
    const count = visitor?.pages.find(({ name }) => name === page.name)?.count;
    return count === undefined ? [] : [{ ...page, count }];
  });
  return (
    <nav class="sidebar" id="sidebar" aria-label="Pages">
      <a class="brand" href={`${root.pathname}admin`}>
        <img src={`${root.pathname}page/mark.svg`} alt="" width={28} height={28} />
        <span>Parley</span>
        <small>Admin</small>
      </a>
      <ul class="nav" id="nav">
        {shown.map(({ name, title: text, icon, count }) => (
          <li key={name}>
            <a href={href(name)} aria-current={name === here.value ? "page" : undefined}>
              <Icon name={icon} />
              <span>{text}</span>
              {count > 0 ? <b>{count > 999 ? "999+" : count}</b> : undefined}
            </a>
          </li>
        ))}
      </ul>
      <div class="foot" id="foot">
        {visitor === undefined ? undefined : (
          <>
            <span dir="auto">
              <b>{visitor.name}</b> · {roleWords[visitor.role]}
            </span>
            <a href={root.pathname}>Conversations</a>
            <ThemeSwitch />
          </>
        )}
      </div>
    </nav>
  );
}

function Title() {
  const { title: text, crumb, isCode } = title.value;
  return (
    <h1 id="title" tabindex={-1}>
      {crumb === undefined ? undefined : (
        <>
          <a class="crumb" href={crumb.href}>
            {crumb.title}
          </a>
          <span class="crumb"> / </span>
        </>
      )}
      {isCode === true ? <span class="mono">{text}</span> : text}
    </h1>
  );
}

function toggleMenu(): void {
  isMenuOpen.value = !isMenuOpen.value;
  if (isMenuOpen.value) document.querySelector<HTMLElement>("#nav a")?.focus();
}

function closeMenu(): void {
  isMenuOpen.value = false;
}

function Top() {
  return (
    <header class="top">
      <button
        class="icon-button menu"
        id="menu"
        type="button"
        aria-controls="sidebar"
        aria-expanded={isMenuOpen.value}
        aria-label="Pages"
        onClick={toggleMenu}
      >
        <Icon name="menu" />
      </button>
      <Title />
      <div class="tools" id="tools">
        {tools.value}
      </div>
    </header>
  );
}

function Body() {
  const { key, drawn } = body.value;
  const box = useRef<HTMLDivElement>(null);
  return (
    <KeepsFocus box={box}>
      <div class="body" id="body" tabindex={-1} ref={box}>
        <Catches key={key} again={() => open()}>
          {drawn}
        </Catches>
      </div>
    </KeepsFocus>
  );
}

function Frame() {
  return (
    <>
      <Sidebar />
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Escape closes the menu too. */}
      <div class="veil" id="veil" hidden={!isMenuOpen.value} onClick={closeMenu} />
      <main class="main">
        <Top />
        <Body />
      </main>
    </>
  );
}

async function readMe(): Promise<AdminVisitor> {
  const visitor = await read<AdminVisitor>("api/admin/me");
  sendAs(visitor.id);
  me.value = visitor;
  return visitor;
}

// The page.

function createView(first: Address, visitor: AdminVisitor, over: AbortSignal): View {
  const key = [first.page, ...first.parts].join("/");
  let address = first;
  return {
    signal: over,
    get address() {
      return address;
    },
    visitor,
    draw: (drawn) => {
      if (!over.aborted) body.value = { key, drawn };
    },
    announce,
    setTitle: (text, more = {}) => {
      if (over.aborted) return;
      title.value = { ...more, title: text };
      document.title = `${text} · Parley`;
    },
    setTools: (shown) => {
      if (!over.aborted) tools.value = shown;
    },
    setQuery: (query) => {
      if (over.aborted) return;
      replaceQuery(query);
      address = { ...address, query: addressNow().query };
    },
    begin: () => {},
    reload: () => open({ isSame: true }),
    every: (ms, work) => {
      // A page that was left while it was read. Its end won't be said again.
      if (over.aborted) return;
      let lastMs = Date.now();
      const repeat = async () => {
        if (document.visibilityState !== "visible" || Date.now() - lastMs < ms * 0.9) return;
        lastMs = Date.now();
        await Promise.resolve(work()).catch(() => {});
      };
      const timer = setInterval(repeat, ms);
      document.addEventListener("visibilitychange", repeat, { signal: over });
      over.addEventListener("abort", () => clearInterval(timer));
    },
  };
}

async function draw(view: View): Promise<void> {
  const { address, visitor } = view;
  const entry = pages.find(({ name }) => name === address.page);
  const [first] = visitor.pages;
  if (first === undefined) {
    view.setTitle("No access");
    view.draw(
      <EmptyState
        icon="lock"
        title="You can't see these pages"
        text="Ask the person who runs Parley to let you manage it."
        action={<LinkButton href={root.pathname}>Go to conversations</LinkButton>}
      />,
    );
    return;
  }
  if (entry === undefined) {
    const text = `Go to ${pages.find(({ name }) => name === first.name)?.title ?? first.name}`;
    view.setTitle("Not found");
    view.draw(
      <EmptyState
        icon="warn"
        title="This page doesn't exist"
        text="Choose one in the menu."
        action={<LinkButton href={href(first.name)}>{text}</LinkButton>}
      />,
    );
    return;
  }
  view.setTitle(entry.title);
  if (!visitor.pages.some(({ name }) => name === entry.name)) {
    const what = "Your sign-in doesn't allow this page.";
    throw new Problem({ what, hint: "Ask the person who runs Parley to let you manage it." }, 403);
  }
  const { show } = await entry.load();
  if (!view.signal.aborted) await show(view);
}

async function open({ isSame = false }: { readonly isSame?: boolean } = {}): Promise<void> {
  current?.ending.abort();
  const ending = new AbortController();
  const { signal: over } = ending;
  const opened: Opened = { ending };
  current = opened;
  const address = addressNow();
  closeMenu();
  here.value = address.page;
  if (!isSame) tools.value = undefined;
  const before = body.value;
  const isEmpty = () => !over.aborted && !isSame && body.value === before;
  const timer = setTimeout(() => {
    if (isEmpty()) body.value = { key: "loading", drawn: <LoadingState /> };
  }, sayLoadingAfterMs);
  try {
    const visitor = me.value ?? (await readMe());
    const [first] = visitor.pages;
    if (address.page !== "" || first === undefined) {
      opened.view = createView(address, visitor, over);
      await draw(opened.view);
    } else if (!over.aborted) {
      // An address without a page: the first one that this visitor may see.
      go(href(first.name), { isReplacing: true });
    }
  } catch (thrown) {
    if (over.aborted) return;
    // What could be done with the page that was there can't be done with this one.
    tools.value = undefined;
    body.value = { key: "problem", drawn: <ProblemState thrown={thrown} again={() => open()} /> };
  } finally {
    clearTimeout(timer);
    // A page that drew nothing leaves nothing of the one before.
    if (isEmpty()) body.value = { key: "", drawn: undefined };
  }
}

/** What was drawn is on the page. */
const isShown = () => new Promise<void>((resolve) => setTimeout(resolve));

async function begin(): Promise<void> {
  await isShown();
  current?.view?.begin();
}

effect(() => void document.body.classList.toggle("has-menu", isMenuOpen.value));
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !isMenuOpen.value) return;
  closeMenu();
  byId("menu", HTMLElement).focus();
});

onNavigation(async () => {
  await open();
  byId("title", HTMLElement).focus({ preventScroll: true });
  scrollTo(0, 0);
  await begin();
});
setInterval(() => {
  if (document.visibilityState === "visible" && me.value !== undefined) readMe().catch(() => {});
}, countsEveryMs);

const frame = byId("page", HTMLElement);
frame.replaceChildren();
render(<Frame />, frame);
open().then(begin);
