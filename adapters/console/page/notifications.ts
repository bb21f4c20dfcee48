/**
 * Shows a browser notification when an answer that took long ends while nobody looks at the page. The browser is asked
 * for permission only after a press, and without permission nothing happens.
 */
import type { ConversationSummary } from "../writing/messages.ts";
import { at, named } from "./connection/address.ts";
import { hrefOf } from "./conversations/address.ts";
import { plain } from "./drawing/element.ts";
import { threadKey } from "./state.ts";

const choiceKey = "parley.notify";
const looking = named("looking");
const told = named("told.");
/** Ms within which all tabs hear of an ending; background tabs are slow. */
const toldForMs = 60_000;

type Choice = "on" | "off";

function choice(): string | null {
  try {
    return localStorage.getItem(choiceKey);
  } catch {
    return null;
  }
}

function choose(value: Choice): void {
  try {
    localStorage.setItem(choiceKey, value);
  } catch {}
}

/** While it is visible, each tab holds this lock together with the others, so that a hidden one can tell. */
function holdWhileVisible(): void {
  let release: (() => void) | undefined;
  const update = () => {
    if (document.visibilityState !== "visible") {
      release?.();
      release = undefined;
    } else if (release === undefined) {
      const over = new Promise<void>((resolve) => {
        release = resolve;
      });
      navigator.locks.request(looking, { mode: "shared" }, () => over);
    }
  };
  document.addEventListener("visibilitychange", update);
  update();
}

async function isSomeTabVisible(): Promise<boolean> {
  if (document.visibilityState === "visible") return true;
  const { held } = await navigator.locks.query();
  return held?.some(({ name }) => name === looking) === true;
}

export function createNotifications({
  changed,
  open,
}: {
  /** The person has decided. */
  readonly changed: () => void;
  /** A notification was pressed: goes to its conversation. */
  readonly open: (href: string) => void;
}) {
  // Both need a page on this machine or over HTTPS.
  let isPossible = "Notification" in window && navigator.locks !== undefined;
  let afterMs = 0;
  if (isPossible) holdWhileVisible();
  addEventListener("storage", ({ key }) => {
    if (key === choiceKey) changed();
  });

  function state(): "impossible" | "blocked" | Choice {
    if (!isPossible || afterMs === 0) return "impossible";
    if (Notification.permission === "denied") return "blocked";
    return Notification.permission === "granted" && choice() !== "off" ? "on" : "off";
  }

  function show(conversation: ConversationSummary): void {
    try {
      const title = conversation.ended?.tone === "failed" ? "That didn't work" : "Your answer is ready";
      const options = { body: plain(conversation.title), icon: at("page/mark.svg"), tag: threadKey(conversation) };
      const shown = new Notification(title, options);
      shown.addEventListener("click", () => {
        window.focus();
        open(hrefOf(conversation));
        shown.close();
      });
    } catch {
      // Browsers on phones have no notifications without a service worker.
      isPossible = false;
      changed();
    }
  }

  return {
    state,
    /** NOTIFY_AFTER_SECONDS, in ms; 0 switches notifications off. */
    setAfterMs: (ms: number) => {
      afterMs = ms;
    },
    /** Whether to offer them while an answer takes long: not to people who have decided. */
    isUndecided: () => state() === "off" && choice() === null,
    decline: () => {
      choose("off");
      changed();
    },
    /** Only after a press: the browser asks for permission. */
    toggle: async () => {
      if (state() === "on") choose("off");
      else if ((await Notification.requestPermission()) === "granted") choose("on");
      changed();
    },
    /** An answer has ended in this conversation. */
    ended: async (conversation: ConversationSummary) => {
      if (conversation.ended === undefined) return;
      const { atMs, tookMs, tone } = conversation.ended;
      if (state() !== "on" || tookMs <= afterMs || tone === "stopped") return;
      if (await isSomeTabVisible()) return;
      // Every hidden tab hears of it; one shows it.
      await navigator.locks.request(
        `${told}${threadKey(conversation)}/${atMs}`,
        { ifAvailable: true },
        async (lock) => {
          if (lock === null) return;
          show(conversation);
          await new Promise((resolve) => setTimeout(resolve, toldForMs));
        },
      );
    },
  };
}
