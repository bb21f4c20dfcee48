/** The search over one's conversations: typed words, results with the words marked, the arrow keys and Enter. */
import type { Piece } from "../../conversations/fold.ts";
import type { Found, SearchResult } from "../../conversations/search.ts";
import { nowMs } from "../connection/clock.ts";
import { type Answer, request } from "../connection/connection.ts";
import { element, icon, plain } from "../drawing/element.ts";
import { loadStyle } from "../look/load-style.ts";
import type { State } from "../state.ts";
import { hrefOf } from "./address.ts";
import { groupsOf } from "./groups.ts";
import { channelTitle } from "./sidebar.ts";

/** Ms without a key before the server is asked. */
const debounceMs = 120;

const isInTitle = ({ title }: Found) => title.some(({ isFound }) => isFound);
const wordsOf = (pieces: readonly Piece[]) => pieces.map(({ text }) => text).join("");
const drawPieces = (pieces: readonly Piece[]) =>
  pieces.map(({ text, isFound }) => (isFound ? element("mark", {}, plain(text)) : plain(text)));

const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const dayMonth: Intl.DateTimeFormatOptions = { day: "numeric", month: "short" };
const date = new Intl.DateTimeFormat("en-GB", dayMonth);
const dateAndYear = new Intl.DateTimeFormat("en-GB", { ...dayMonth, year: "numeric" });

/** "14:20" today, "Yesterday", else the date, with the year unless it is this one, in the reader's time zone. */
function dayText(atMs: number): string {
  const [{ title } = { title: "" }] = groupsOf([{ lastAtMs: atMs }], { pinned: [], keyOf: () => "", nowMs: nowMs() });
  if (title === "Today") return time.format(atMs);
  if (title === "Yesterday") return title;
  const isThisYear = new Date(atMs).getFullYear() === new Date(nowMs()).getFullYear();
  return (isThisYear ? date : dateAndYear).format(atMs);
}

/** `takeTyped` returns what was typed while this was loading. */
export async function openSearch(state: State, takeTyped: () => string): Promise<void> {
  await loadStyle("styles/search.css");
  let latest = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let options: HTMLAnchorElement[] = [];
  let active = -1;

  const box = element("input.search-box", {
    type: "search",
    placeholder: "Search conversations",
    "aria-label": "Search conversations",
    role: "combobox",
    "aria-expanded": "false",
    "aria-controls": "search-results",
    "aria-autocomplete": "list",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 200,
  });
  const list = element("div.search-results", { id: "search-results", role: "listbox", "aria-label": "Results" });
  const status = element("p.search-status", { role: "status" }, "Titles, questions and answers, in any language.");
  const dialog: HTMLDialogElement = element(
    "dialog.search-dialog",
    { "aria-label": "Search conversations", close: () => dialog.remove() },
    element(
      "div.search-head",
      {},
      icon("search"),
      box,
      element(
        "button.icon-button",
        { type: "button", "aria-label": "Close", click: () => dialog.close() },
        icon("cross"),
      ),
    ),
    list,
    status,
  );

  function select(index: number): void {
    options[active]?.setAttribute("aria-selected", "false");
    active = index;
    const option = options[active];
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option === undefined) box.removeAttribute("aria-activedescendant");
    else box.setAttribute("aria-activedescendant", option.id);
  }

  function drawFound(found: Found): HTMLAnchorElement {
    const isElsewhere = found.channel !== state.channels[0]?.id;
    return element(
      "a.search-result",
      {
        id: `search-${found.channel}-${found.thread}`,
        role: "option",
        "aria-selected": "false",
        tabindex: -1,
        href: hrefOf(found),
        click: () => dialog.close(),
      },
      element(
        "span.search-title",
        {},
        element("span.search-name", { dir: "auto" }, ...drawPieces(found.title)),
        isElsewhere ? element("span.soft", {}, channelTitle(state.channels, found.channel)) : undefined,
        element("time.soft", { datetime: new Date(found.atMs).toISOString() }, dayText(found.atMs)),
      ),
      found.excerpt.length > 0 && wordsOf(found.excerpt) !== wordsOf(found.title)
        ? element("span.search-excerpt", { dir: "auto" }, ...drawPieces(found.excerpt))
        : undefined,
    );
  }

  function says(next: string | undefined): string {
    const count = options.length;
    const found = count === 0 ? "Nothing found" : count === 1 ? "1 conversation" : `${count} conversations`;
    const more = next === undefined ? "" : ", newest first. Type more to narrow the search";
    return `${found}${more}.`;
  }

  /** A long list is searched in parts, until there is enough to show. */
  async function run(): Promise<void> {
    latest += 1;
    const mine = latest;
    const query = box.value.trim();
    if (query === "") {
      list.replaceChildren();
      options = [];
      status.textContent = "Titles, questions and answers, in any language.";
      return;
    }
    const found: Found[] = [];
    let next: string | undefined;
    do {
      const asked = new URLSearchParams(next === undefined ? { q: query } : { q: query, before: next });
      const { body }: Answer<SearchResult> = await request<SearchResult>("GET", `api/search?${asked}`);
      if (mine !== latest) return;
      if (body === undefined) {
        status.textContent = "Search isn’t available right now. Try again in a moment.";
        return;
      }
      // Who remembers a title looks for that one; the others stay in their order.
      found.push(...body.found);
      found.sort((a, b) => Number(isInTitle(b)) - Number(isInTitle(a)));
      next = body.next;
      options = found.map(drawFound);
      list.replaceChildren(...options);
      select(options.length > 0 ? 0 : -1);
      status.textContent = next !== undefined && found.length < 30 ? "Searching earlier conversations…" : says(next);
    } while (next !== undefined && found.length < 30);
  }

  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(run, debounceMs);
  });
  box.addEventListener("keydown", (event) => {
    const last = options.length - 1;
    const below = active < last ? active + 1 : 0;
    const above = active > 0 ? active - 1 : last;
    const to = event.key === "ArrowDown" ? below : event.key === "ArrowUp" ? above : undefined;
    if (to !== undefined && last >= 0) {
      event.preventDefault();
      select(to);
    }
    if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      options[active]?.click();
    }
    // A browser would only empty the field.
    if (event.key === "Escape" && !event.isComposing) {
      event.preventDefault();
      dialog.close();
    }
  });
  list.addEventListener("pointermove", ({ target }) => {
    const under = target instanceof Element ? target.closest<HTMLAnchorElement>("a.search-result") : null;
    const index = under === null ? -1 : options.indexOf(under);
    if (index >= 0 && index !== active) select(index);
  });
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog) dialog.close();
  });
  new MutationObserver(() => box.setAttribute("aria-expanded", String(list.childElementCount > 0))).observe(list, {
    childList: true,
  });

  // Before the dialog opens, so that the focus returns from it to where it was.
  box.value = takeTyped();
  document.body.append(dialog);
  dialog.showModal();
  box.focus();
  if (box.value !== "") run();
}
