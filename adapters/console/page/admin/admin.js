/** The admin part's shell: the sidebar, the address, and the page that the address names. */
import { sendAs } from "../connection/whose.ts";
import { element } from "../drawing/element.ts";
import { themeSwitch } from "../look/theme-switch.ts";
import { roleWords } from "../people/roles.ts";
import { addressNow, go, href, onNavigation, replaceQuery, root } from "./kit/address.js";
import { rememberFocus } from "./kit/focus.js";
import { icon } from "./kit/icons.js";
import { emptyState, loadingState, problemState } from "./kit/parts.js";
import { Problem, read } from "./kit/request.js";
import { pages } from "./pages.js";

const find = (id) => document.getElementById(id);
/** Before this, a page that is read quickly shows no sign of it. */
const sayLoadingAfterMs = 150;
const countsEveryMs = 60_000;

let me;
let current;

find("menu").append(icon("menu"));

function announce(text) {
  find("announcer").textContent = text;
}

// The sidebar.

function drawSidebar() {
  const { page: here } = addressNow();
  const shown = pages.filter(({ name }) => me.pages.some((one) => one.name === name));
  find("nav").replaceChildren(
    ...shown.map(({ name, title, icon: shape }) => {
      const { count } = me.pages.find((one) => one.name === name);
      return element(
        "li",
        {},
        element(
          "a",
          { href: href(name), "aria-current": name === here ? "page" : undefined },
          icon(shape),
          element("span", {}, title),
          count > 0 ? element("b", {}, count > 999 ? "999+" : count) : undefined,
        ),
      );
    }),
  );
  find("foot").replaceChildren(
    element("span", { dir: "auto" }, element("b", {}, me.name), ` · ${roleWords[me.role]}`),
    element("a", { href: root.pathname }, "Conversations"),
    themeSwitch(),
  );
}

async function readMe() {
  me = await read("api/admin/me");
  sendAs(me.id);
  drawSidebar();
}

function closeMenu() {
  document.body.classList.remove("has-menu");
  find("veil").hidden = true;
  find("menu").setAttribute("aria-expanded", "false");
}

// The page.

/** What a page gets: where it draws, what its address says, and what ends with it. */
function createView(address) {
  const ending = new AbortController();
  const { signal } = ending;
  return {
    end: () => ending.abort(),
    signal,
    address,
    visitor: me,
    body: find("body"),
    /** Draws the page, in place of what was there. */
    draw: (...nodes) => {
      if (signal.aborted) return;
      const restoreFocus = rememberFocus(find("body"));
      find("body").replaceChildren(...nodes);
      restoreFocus();
    },
    announce,
    /** `crumb`: the page above, as `{ title, href }`. */
    setTitle: (title, crumb) => {
      if (signal.aborted) return;
      const way =
        crumb === undefined
          ? []
          : [element("a.crumb", { href: crumb.href }, crumb.title), element("span.crumb", {}, " / ")];
      find("title").replaceChildren(...way, title);
      document.title = `${title} · Parley`;
    },
    /** Buttons and switches beside the title. */
    setTools: (...nodes) => {
      if (!signal.aborted) find("tools").replaceChildren(...nodes);
    },
    /** Stores filters in the address; the page stays as it is. Parameters that are "" are left out. */
    setQuery: (query) => {
      if (signal.aborted) return;
      replaceQuery(query);
      address.query = addressNow().query;
    },
    /** Called once the page is drawn, to begin elsewhere than at its top. */
    begin: () => {},
    /** Draws the page again, from new data. */
    reload: () => open({ isSame: true }),
    /** Repeats `work` while the page can be seen. It is drawn once already. */
    every: (ms, work) => {
      let lastMs = Date.now();
      const repeat = async () => {
        if (document.visibilityState !== "visible" || Date.now() - lastMs < ms * 0.9) return;
        lastMs = Date.now();
        await Promise.resolve(work()).catch(() => {});
      };
      const timer = setInterval(repeat, ms);
      document.addEventListener("visibilitychange", repeat, { signal });
      signal.addEventListener("abort", () => clearInterval(timer));
    },
  };
}

async function draw(view) {
  const entry = pages.find(({ name }) => name === view.address.page);
  if (me.pages.length === 0) {
    view.setTitle("No access");
    view.draw(
      emptyState({
        icon: "lock",
        title: "You can't see these pages",
        text: "Ask the person who runs Parley to let you manage it.",
        action: element("a.action", { href: root.pathname }, "Go to conversations"),
      }),
    );
    return;
  }
  if (entry === undefined) {
    const [first] = me.pages;
    view.setTitle("Not found");
    view.draw(
      emptyState({
        icon: "warn",
        title: "There is no such page",
        text: "Choose one in the menu.",
        action: element(
          "a.action",
          { href: href(first.name) },
          `Go to ${pages.find(({ name }) => name === first.name).title}`,
        ),
      }),
    );
    return;
  }
  view.setTitle(entry.title);
  if (!me.pages.some(({ name }) => name === entry.name)) {
    const what = "Your sign-in doesn't allow this page.";
    throw new Problem({ what, hint: "Ask the person who runs Parley to let you manage it." }, 403);
  }
  const { show } = await entry.load();
  if (!view.signal.aborted) await show(view);
}

async function open({ isSame = false } = {}) {
  current?.end();
  const view = createView(addressNow());
  current = view;
  closeMenu();
  if (me !== undefined) drawSidebar();
  if (!isSame) view.setTools();
  const beginning = view.body.firstChild;
  const hasDrawn = () => view.body.firstChild !== beginning;
  const timer = setTimeout(() => {
    if (current === view && !isSame && !hasDrawn()) view.body.replaceChildren(loadingState());
  }, sayLoadingAfterMs);
  try {
    if (me === undefined) await readMe();
    view.visitor = me;
    // An address without a page: the first one that this visitor may see.
    if (view.address.page === "" && me.pages.length > 0) {
      clearTimeout(timer);
      return go(href(me.pages[0].name), { isReplacing: true });
    }
    await draw(view);
  } catch (thrown) {
    if (view.signal.aborted) return;
    // What could be done with the page that was there can't be done with this one.
    view.setTools();
    view.draw(problemState(thrown, () => open()));
  } finally {
    clearTimeout(timer);
    // A page that drew nothing leaves nothing of the one before.
    if (current === view && !isSame && !hasDrawn()) view.body.replaceChildren();
  }
}

find("menu").addEventListener("click", () => {
  const isOpen = document.body.classList.toggle("has-menu");
  find("veil").hidden = !isOpen;
  find("menu").setAttribute("aria-expanded", String(isOpen));
  if (isOpen) find("nav").querySelector("a")?.focus();
});
find("veil").addEventListener("click", closeMenu);
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !document.body.classList.contains("has-menu")) return;
  closeMenu();
  find("menu").focus();
});

onNavigation(async () => {
  await open();
  find("title").focus({ preventScroll: true });
  scrollTo(0, 0);
  current?.begin();
});
setInterval(() => {
  if (document.visibilityState === "visible" && me !== undefined) readMe().catch(() => {});
}, countsEveryMs);
open().then(() => current?.begin());
