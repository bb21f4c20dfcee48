/** The search over one's conversations: typed words, results with the words marked, the arrow keys and Enter. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Piece } from "../../../../src/core/text/folding.ts";
import type { Found, SearchResult } from "../../conversations/search.ts";
import { nowMs } from "../connection/clock.ts";
import { type Answer, request } from "../connection/connection.ts";
import { plain } from "../drawing/element.ts";
import { loadStyle } from "../look/load-style.ts";
import { Icon } from "../parts/icon.tsx";
import { showDialog } from "../parts/show-dialog.ts";
import type { State } from "../state.ts";
import { hrefOf } from "./address.ts";
import { groupsOf } from "./groups.ts";
import { channelTitle } from "./sidebar.tsx";

/** Ms without a key before the server is asked. */
const debounceMs = 120;

const isInTitle = ({ title }: Found) => title.some(({ isFound }) => isFound);
const wordsOf = (pieces: readonly Piece[]) => pieces.map(({ text }) => text).join("");

function Pieces({ pieces }: { readonly pieces: readonly Piece[] }) {
  return (
    <>
      {pieces.map(({ text, isFound }, at) =>
        // Pieces of one text, in their order.
        isFound ? <mark key={at}>{plain(text)}</mark> : plain(text),
      )}
    </>
  );
}

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

const idOf = ({ channel, thread }: Found) => `search-${channel}-${thread}`;

function Result({
  found,
  state,
  isActive,
  select,
  close,
}: {
  readonly found: Found;
  readonly state: State;
  readonly isActive: boolean;
  readonly select: () => void;
  readonly close: () => void;
}) {
  const { channel, title, excerpt, atMs } = found;
  const link = useRef<HTMLAnchorElement>(null);
  useLayoutEffect(() => {
    if (isActive) link.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);
  return (
    <a
      class="search-result"
      id={idOf(found)}
      role="option"
      aria-selected={isActive}
      tabindex={-1}
      href={hrefOf(found)}
      onClick={close}
      onPointerMove={() => !isActive && select()}
      ref={link}
    >
      <span class="search-title">
        <span class="search-name" dir="auto">
          <Pieces pieces={title} />
        </span>
        {channel === state.channels[0]?.id ? undefined : (
          <span class="soft">{channelTitle(state.channels, channel)}</span>
        )}
        <time class="soft" datetime={new Date(atMs).toISOString()}>
          {dayText(atMs)}
        </time>
      </span>
      {excerpt.length > 0 && wordsOf(excerpt) !== wordsOf(title) ? (
        <span class="search-excerpt" dir="auto">
          <Pieces pieces={excerpt} />
        </span>
      ) : undefined}
    </a>
  );
}

const beforeTyping = "Titles, questions and answers, in any language.";
/** A long list is searched in parts, until there is enough to show. */
const maxShown = 30;

function says(count: number, next: string | undefined): string {
  const found = count === 0 ? "Nothing found" : count === 1 ? "1 conversation" : `${count} conversations`;
  const more = next === undefined ? "" : ", newest first. Type more to narrow the search";
  return `${found}${more}.`;
}

function SearchDialog({
  state,
  typed,
  onClosed,
}: {
  readonly state: State;
  /** What was typed while this was loading. */
  readonly typed: string;
  readonly onClosed: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const box = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(0);
  const [results, setResults] = useState<readonly Found[]>([]);
  const [active, setActive] = useState(-1);
  const [status, setStatus] = useState(beforeTyping);
  const close = () => dialog.current?.close();

  async function run(): Promise<void> {
    latest.current += 1;
    const mine = latest.current;
    const query = box.current?.value.trim() ?? "";
    if (query === "") {
      setResults([]);
      setStatus(beforeTyping);
      return;
    }
    const found: Found[] = [];
    let next: string | undefined;
    do {
      const asked = new URLSearchParams(next === undefined ? { q: query } : { q: query, before: next });
      const { body }: Answer<SearchResult> = await request<SearchResult>("GET", `api/search?${asked}`);
      if (mine !== latest.current) return;
      if (body === undefined) {
        setStatus("Search isn’t available right now. Try again in a moment.");
        return;
      }
      // Who remembers a title looks for that one; the others stay in their order.
      found.push(...body.found);
      found.sort((a, b) => Number(isInTitle(b)) - Number(isInTitle(a)));
      next = body.next;
      setResults([...found]);
      setActive(found.length > 0 ? 0 : -1);
      const goesOn = next !== undefined && found.length < maxShown;
      setStatus(goesOn ? "Searching earlier conversations…" : says(found.length, next));
    } while (next !== undefined && found.length < maxShown);
  }

  useLayoutEffect(() => {
    dialog.current?.showModal();
    box.current?.focus();
    if (typed !== "") run();
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    const last = results.length - 1;
    const below = active < last ? active + 1 : 0;
    const above = active > 0 ? active - 1 : last;
    const to = event.key === "ArrowDown" ? below : event.key === "ArrowUp" ? above : undefined;
    if (to !== undefined && last >= 0) {
      event.preventDefault();
      setActive(to);
    }
    if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      dialog.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.click();
    }
    // A browser would only empty the field.
    if (event.key === "Escape" && !event.isComposing) {
      event.preventDefault();
      close();
    }
  };
  const chosen = results[active];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a press beside it closes it; by keyboard Escape does.
    <dialog
      class="search-dialog"
      aria-label="Search conversations"
      onClose={onClosed}
      onClick={({ target }) => target === dialog.current && close()}
      ref={dialog}
    >
      <div class="search-head">
        <Icon name="search" />
        <input
          class="search-box"
          type="search"
          placeholder="Search conversations"
          aria-label="Search conversations"
          role="combobox"
          list={undefined}
          aria-expanded={results.length > 0}
          aria-controls="search-results"
          aria-autocomplete="list"
          aria-activedescendant={chosen === undefined ? undefined : idOf(chosen)}
          autocomplete="off"
          spellcheck={false}
          maxlength={200}
          defaultValue={typed}
          onInput={() => {
            clearTimeout(timer.current);
            timer.current = setTimeout(run, debounceMs);
          }}
          onKeyDown={onKeyDown}
          ref={box}
        />
        <button type="button" class="icon-button" aria-label="Close" onClick={close}>
          <Icon name="cross" />
        </button>
      </div>
      <div class="search-results" id="search-results" role="listbox" aria-label="Results">
        {results.map((found, index) => (
          <Result
            key={idOf(found)}
            found={found}
            state={state}
            isActive={index === active}
            select={() => setActive(index)}
            close={close}
          />
        ))}
      </div>
      <p class="search-status" role="status">
        {status}
      </p>
    </dialog>
  );
}

/** `takeTyped` returns what was typed while this was loading. */
export async function openSearch(state: State, takeTyped: () => string): Promise<void> {
  await loadStyle("styles/search.css");
  // Before the dialog opens, so that the focus returns from it to where it was.
  const typed = takeTyped();
  showDialog((onClosed) => <SearchDialog state={state} typed={typed} onClosed={onClosed} />);
}
