/**
 * Applies the look that this browser remembers. Every page loads it in its head, before anything is drawn, so that
 * nothing flashes; it is no module, because modules run later.
 */
export type Theme = "system" | "light" | "dark";

declare global {
  interface Window {
    parleyTheme: { readonly now: () => Theme; readonly choose: (theme: Theme) => void };
  }
}

(() => {
  const key = "parley.theme";
  const isKnown = (theme: string | null) => theme === "light" || theme === "dark";

  function remembered(): Theme {
    try {
      const theme = localStorage.getItem(key);
      return isKnown(theme) ? theme : "system";
    } catch {
      return "system";
    }
  }

  function apply(theme: Theme): void {
    const { dataset } = document.documentElement;
    if (isKnown(theme)) dataset["theme"] = theme;
    else delete dataset["theme"];
    // The browser's own bars.
    const media = { system: "(prefers-color-scheme: dark)", dark: "all", light: "not all" }[theme];
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"][media]')) {
      meta.dataset["for"] ??= meta.media.includes("dark") ? "dark" : "light";
      if (meta.dataset["for"] === "dark") meta.media = media;
      else meta.media = { system: "(prefers-color-scheme: light)", dark: "not all", light: "all" }[theme];
    }
    dispatchEvent(new CustomEvent("themechange", { detail: theme }));
  }

  window.parleyTheme = {
    now: remembered,
    choose: (theme) => {
      try {
        if (isKnown(theme)) localStorage.setItem(key, theme);
        else localStorage.removeItem(key);
      } catch {
        // Storage is switched off: the choice lasts until the page is closed.
      }
      apply(theme);
    },
  };
  apply(remembered());
  // Chosen in another tab.
  addEventListener("storage", (event) => event.key === key && apply(remembered()));
})();
